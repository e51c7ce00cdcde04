"""Portuguese: questions, small talk, words, dates. The rest is lacking."""

from cogmem_core.languages.base import SlotRules, SmallTalkRules, TriggerRules, WordRules
from cogmem_core.languages.plain import (
    QuestionForms,
    one_fact,
    pack,
    plain_query,
    stem_by,
)
from cogmem_core.languages.plain_time import TimeForms, plain_times
from cogmem_core.languages.tables import any_of, phrases, words

_WEEKDAYS = {
    "segunda-feira": 0,
    "segunda": 0,
    "terca-feira": 1,
    "terca": 1,
    "quarta-feira": 2,
    "quarta": 2,
    "quinta-feira": 3,
    "quinta": 3,
    "sexta-feira": 4,
    "sexta": 4,
    "sabado": 5,
    "domingo": 6,
}
_MONTHS = {
    "janeiro": 1,
    "fevereiro": 2,
    "marco": 3,
    "abril": 4,
    "maio": 5,
    "junho": 6,
    "julho": 7,
    "agosto": 8,
    "setembro": 9,
    "outubro": 10,
    "novembro": 11,
    "dezembro": 12,
}
_PERIOD = rf"(?:{any_of(_WEEKDAYS)}|semana|mes|ano|fim de semana|verao|inverno)"
_LEAD = r"(?:(?:e|mas|oi|ola|bom|entao|por favor|ei)[, ]+){0,2}"

PT = pack(
    "pt",
    words=WordRules(
        stop_words=words(
            """
            a ao aos as até com como da das de dela dele do dos e é ela elas ele eles em entre
            era eu
            foi há isso isto já lhe mais mas me meu meus minha minhas muito na não nas no nos
            nós o os
            ou para pela pelo por qual quando que quem se sem ser seu seus só sua suas também te tem
            tu um uma você vocês
            """
        ),
        stem=stem_by(
            """
            amente mente ações ação ções ção idades idade avam ávamos aram armos ando endo indo ados
            adas idos idas ado ada ido ida amos emos imos ava ia ei ou ar er ir am em as os es a
            o e s
            """
        ),
        separate_facts=one_fact,
        abbreviations=words("dr dra sr sra etc av tel"),
    ),
    time=plain_times(
        TimeForms(
            ago=r"(?:ha|faz) <count> <unit>(?: atras)?",
            ahead=r"(?:em|daqui a|dentro de) <count> <unit>",
            past_stretch=r"(?:os|nos|as|nas) ultim[oa]s <count> <unit>",
            next_stretch=r"(?:os|nos|as|nas) proxim[oa]s <count> <unit>",
            last_next=(
                rf"(?:na |no |a |o )?(?P<n>{_PERIOD}) (?P<w>passad[oa]|que vem)",
                rf"(?:na |no |a |o )?(?P<w>proxim[oa]|ultim[oa]|est[ea]) (?P<n>{_PERIOD})",
            ),
            month_before="em|desde|ate|de",
            day_link="de",
            day_of_month=r"(?:no )?dia (?P<x>(?P<d>\d{1,2}))(?! de)(?![.,:/]\d)\b",
            season_before="no|na",
            weekend_before="no|neste",
            year_before="em|desde|ate|de",
        ),
        weekdays=_WEEKDAYS,
        months=_MONTHS,
        month_names=tuple(_MONTHS),
        units={
            "dia": "days",
            "dias": "days",
            "semana": "weeks",
            "semanas": "weeks",
            "mes": "months",
            "meses": "months",
            "ano": "years",
            "anos": "years",
        },
        numbers={
            "um": 1,
            "uma": 1,
            "dois": 2,
            "duas": 2,
            "tres": 3,
            "quatro": 4,
            "cinco": 5,
            "seis": 6,
            "sete": 7,
            "oito": 8,
            "nove": 9,
            "dez": 10,
        },
        relative_days={"hoje": 0, "ontem": -1, "anteontem": -2, "amanha": 1, "depois de amanha": 2},
        seasons={"primavera": 3, "verao": 6, "outono": 9, "inverno": 12},
        season_names={3: "primavera", 6: "verão", 9: "outono", 12: "inverno"},
        directions={
            "passado": -1,
            "passada": -1,
            "ultimo": -1,
            "ultima": -1,
            "que vem": 1,
            "proximo": 1,
            "proxima": 1,
            "este": 0,
            "esta": 0,
        },
        weekend_names=words("fim-de-semana"),
        looks_back=(
            r"fui|foi|fomos|era|estava|estive|tive|teve|comprei|cheguei|[a-z]{2,}aram"
            r"|passad[oa]|ultim[oa]|[a-z]{2,}ei"
        ),
        looks_ahead=(
            r"vou|vai|vamos|vao|tenho|chega|comeca|viajo|viajamos|proxim[oa]|sera|quero"
            r"|encontro|posso|preciso"
        ),
        on_the_hour=("horas", "h"),
        hour_prepositions=("as",),
        bare_hour_prepositions=("as",),
        lone_hour_prepositions=("as",),
        habits=(r"cada|tod[oa]s [oa]s|sempre",),
    ),
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
    slots=SlotRules(
        homes=(
            r"(?<!nao )\b(?:moro|moramos|vivo|vivemos)\b"
            r"|\b(?:me\s)?mudei(?:-me)?\b|\b(?:nos\s)?mudamos(?:-nos)?\b"
        ),
        places=r"em|no|na|para(?:\so|\sa)?|pro|pra",
        joints="e|mas|porque|onde",
        working=r"(?<!nao )\b(?:trabalho|trabalhamos)\s(?:\w+\s)?(?:na|no|em|para\sa|para\so|para)\s(?P<a>\S)",
        beginning=r"\bcomecei\s(?:a\strabalhar\s)?(?:na|no|em)\s(?P<a>\S)",
        subjects="eu|trabalho|trabalhamos|comecei|agora",
        others=r"\b(?:verao|inverno|fins?\sde\ssemana|ferias|se|quando|talvez|queria)\b",
    ),
    triggers=TriggerRules(
        openers=(
            r"(?:lembra-me )?(?:quando|se|assim que|logo que|depois que|sempre que"
            r"|da proxima vez que) "
        ),
        topics=(r"(?:se )?(?:fal\w+|discut\w+) (?:de|do|da|dos|das|sobre) (?P<topic>.+)",),
        unreal=(
            r"\b(?:se|quando|talvez|poderia|poderiam|pode|deveria|devo|deve|quero|quer|preciso"
            r"|precisa|vou|vai|vamos|vao|tenho que|tem que|espero|esperando|antes|quase"
            r"|provavelmente|penso|sera|serao|tomara|oxala)\b"
        ),
        undone=(
            r"\b(?:nao|nunca|jamais|ninguem|nenhuma?|nada|sem|nem|tampouco|ainda nao|falta"
            r"|quase)\b"
        ),
        denials=words("nao ninguem"),
    ),
)
