"""German: what a sentence is about, and what is to be kept out."""

from cogmem_core.languages.base import (
    SmallTalkRules,
)
from cogmem_core.languages.tables import phrases, words

SMALL_TALK = SmallTalkRules(
    greetings=phrases(
        """
        hallo, hi, hey, moin, moin moin, servus, gruß gott, grus gott, gruss gott, gruezi, guten tag
        guten morgen, guten abend, gute nacht, guten rutsch, tag, morgen, na, hallo zusammen
        wie geht es dir, wie gehts, wie gehts dir, wie geht es ihnen, wie lauft es, wie laufts
        alles klar bei dir, was geht, tschuss, tschus, tschau, ciao, bis dann, bis spater, bis bald
        bis morgen, bis gleich, bis nachher, auf wiedersehen, auf wiederhoren, mach es gut,
        machs gut
        schonen tag, schonen tag noch, schonen abend, schonen abend noch, schones wochenende
        schonen feierabend, willkommen, willkommen zuruck, lange nicht gesehen, freut mich
        liebe gruse, viele gruse, mahlzeit, gute besserung
        """
    ),
    confirmations=phrases(
        """
        ja, jo, jep, jup, jawohl, klar, na klar, sicher, genau, richtig, stimmt, okay, ok, oki, nein
        nee, no, ne, nope, passt, passt so, alles klar, in ordnung, geht klar, gut, sehr gut so
        verstanden, verstehe, ich verstehe, ach so, aha, einverstanden, naturlich,
        selbstverstandlich
        auf jeden fall, auf keinen fall, bitte, ja bitte, nein danke, gerne, gern, ja gerne,
        mach das
        mach weiter, weiter, weiter so, bitte weiter, mach ruhig, los, los gehts, jein, vielleicht
        mal sehen, keine ahnung, weis nicht, weis ich nicht, macht sinn, das macht sinn,
        leuchtet ein
        klingt gut, hort sich gut an, von mir aus, meinetwegen, so machen wir das, abgemacht, fertig
        """
    ),
    acknowledgements=phrases(
        """
        danke, danke schon, dankeschon, danke dir, danke ihnen, danke sehr, vielen dank, tausend
        dank
        besten dank, herzlichen dank, danke fur die hilfe, danke fur deine hilfe, vielen lieben dank
        super, toll, prima, klasse, spitze, perfekt, wunderbar, ausgezeichnet, genial, cool, geil
        krass, wow, schon, sehr schon, interessant, echt, wirklich, haha, hihi, lol, hm, hmm, oh, ah
        oha, na toll, gut gemacht, gute idee, tolle idee, sehr hilfreich, das war hilfreich, das
        hilft
        das hat geholfen, das ist super, das ist toll, kein problem, kein ding, keine ursache
        nichts zu danken, bitte schon, bitteschon, bitte sehr, gern geschehen, sorry, entschuldigung
        tut mir leid, verzeihung, schade, egal, macht nichts, nicht schlimm, gluckwunsch
        herzlichen gluckwunsch, na gut, mist
        """
    ),
    fillers=words(
        """
        und dir ihnen du alle alter assistent claude chatgpt gpt leute zusammen dann so ganz mal
        doch
        lieber liebe mein freund nochmal auch sehr wieder noch herr frau
        """
    ),
)
