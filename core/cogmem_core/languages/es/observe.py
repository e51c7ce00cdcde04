"""Spanish: what a sentence is about, and what is to be kept out."""

from cogmem_core.languages.base import (
    SmallTalkRules,
)
from cogmem_core.languages.tables import phrases, words

SMALL_TALK = SmallTalkRules(
    greetings=phrases(
        """
        hola, holi, buenas, buenos dias, buen dia, buenas tardes, buenas noches, hey, ey, que tal
        como estas, como esta, como va, como va todo, que hay, que pasa, todo bien, adios, chao,
        chau
        hasta luego, hasta manana, hasta pronto, hasta ahora, hasta la vista, nos vemos, nos
        vemos luego
        nos vemos manana, cuidate, buen fin de semana, que tengas un buen dia, que descanses
        bienvenido, bienvenida, mucho gusto, encantado, encantada, un saludo, saludos, un
        abrazo, besos
        cuanto tiempo, feliz ano
        """
    ),
    confirmations=phrases(
        """
        si, sip, claro, claro que si, por supuesto, vale, ok, okay, okey, de acuerdo, exacto,
        correcto
        eso es, asi es, perfecto entonces, no, nop, para nada, no gracias, si por favor, por favor
        esta bien, muy bien, bien, bueno, entendido, ya veo, lo entiendo, entiendo, suena bien
        me parece bien, hecho, listo, adelante, sigue, continua, dale, va, venga, cierto, es verdad
        tal vez, quizas, puede ser, no se, ni idea, tiene sentido, sin problema, seguro, trato hecho
        como quieras, me vale, ahora no, todavia no
        """
    ),
    acknowledgements=phrases(
        """
        gracias, muchas gracias, mil gracias, muchisimas gracias, gracias por todo, gracias por
        la ayuda
        gracias por tu ayuda, te lo agradezco, genial, estupendo, perfecto, excelente, fantastico
        maravilloso, increible, guay, que guay, que bien, que bueno, que pena, que lastima,
        vaya, wow
        jaja, jajaja, jeje, lol, mmm, hmm, ah, oh, aja, interesante, buena idea, buen trabajo
        muy util, muy amable, de nada, no hay de que, no hay problema, no pasa nada, no te preocupes
        perdon, perdona, lo siento, disculpa, felicidades, enhorabuena, bravo, ole, da igual, que va
        en serio, de verdad, me ayuda mucho, eso ayuda
        """
    ),
    fillers=words(
        """
        y a ti tu usted amigo amiga chicos todos pues muy mucho claude chatgpt gpt asistente
        otra vez entonces ya tio querido don
        """
    ),
)
