"""Portuguese: questions, small talk, words, dates. The rest is lacking."""

from cogmem_core.languages.base import SmallTalkRules
from cogmem_core.languages.loading import areas_of
from cogmem_core.languages.plain import (
    QuestionForms,
    pack,
    plain_query,
)
from cogmem_core.languages.tables import phrases, words

_LEAD = r"(?:(?:e|mas|oi|ola|bom|entao|por favor|ei)[, ]+){0,2}"

PT = pack(
    "pt",
    **areas_of("pt"),
    query=plain_query(
        QuestionForms(
            opens=(
                rf"{_LEAD}(?:quem|que|o que|qual|quais|onde|aonde|quando|por que|porque|como"
                rf"|quant[oa]s?) "
                r"(?:e|sao|era|foi|eu|voce|fica|mora|moro|trabalha|trabalho|tem|tenho|se chama"
                r"|custa|comeca|\w+ (?:e|a|o|tem|eu)\b.*)\b"
                rf"|{_LEAD}(?:voce )?(?:sabe|lembra|pode|consegue)\b"
            ),
            tells=(
                r"(?:e |mas |como |porque )?(?:eu )?(?:sou|tenho|moro|trabalho|estou|vou"
                r"|me chamo|nao como)\b"
                r"|meu \w+ (?:e|esta|tem|se chama)|minha \w+ (?:e|esta|tem|se chama)"
            ),
        ),
        first_person=r"\b(?:eu|meu|minha|meus|minhas|me|mim|nos|nosso|nossa)\b",
        asks_when=(r"quando", r"que horas", r"que dia", r"ha quanto tempo", r"desde quando"),
    ),
    small_talk=SmallTalkRules(
        greetings=phrases(
            """
            ola, oi, oi oi, bom dia, boa tarde, boa noite, tchau, ate logo, ate amanha, ate mais
            ate breve, tudo bem, tudo bom, como vai, como voce esta, e ai, adeus, bom fim de semana
            prazer, abracos, bem vindo, bem vinda
            """
        ),
        confirmations=phrases(
            """
            sim, claro, ok, okay, certo, com certeza, nao, nao obrigado, nao obrigada, isso
            exatamente, entendi, combinado, tudo certo, pode ser, talvez, por favor, beleza,
            perfeito entao
            """
        ),
        acknowledgements=phrases(
            """
            obrigado, obrigada, muito obrigado, muito obrigada, valeu, otimo, perfeito,
            excelente, legal
            que bom, que pena, de nada, desculpa, desculpe, sinto muito, parabens, kkk, haha,
            interessante
            nao tem problema, sem problema, maravilha
            """
        ),
        fillers=words("e a pra para voce todos amigo amiga muito pessoal meu querido"),
    ),
)
