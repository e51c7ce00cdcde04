"""Which language a text shows, by its script and its function words: cheap, and the same each time.

Words that two languages have count half for each. English and Turkish are the default: another
language
has to be shown by more words than they are.
"""

# ruff: noqa: RUF001 - other alphabets

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from cogmem_core.base.lru import forget_texts, text_cache
from cogmem_core.languages.packs import added_by_others
from cogmem_core.languages.tables import words

_READ = 600  # characters
_FEW_WORDS = 4  # in so short a text one word that only one language has is enough
_DEFAULT = frozenset(("en", "tr"))

_COMMON_WORDS = {
    "en": words(
        """
        the is are was were i i'm i've i'd i'll my of and with has have had for from we our his she
        they it it's likes works lives this that not don't doesn't didn't can't isn't will would
        you your their be he her in on at to a an as by do does did what who where when why how
        which me am been but or if no so can please just than then there about into over out up
        him its us more very now met week last next six few times adore pardon tag died run runs
        since all
        some any got get go going use one two never always today tomorrow yesterday like want need
        ben kim may met love hate really still only
        also which through during before after again further each both most other own same such too
        being having doing between until while above below because could should may might must shall
        every many much well here back even first year years day days time people who's that's let's
        january february march april june july august september october november december monday
        tuesday wednesday thursday friday saturday sunday three four five seven eight nine ten among
        sport
        ai car chat come comment dame den die door due era excuse favor fur hat hay hoe llama mag
        mange mars mere pour per plus prima resume sans sin snap solo ton tot tout vale van war
        """
    ),
    "tr": words(
        """
        ve bir bu da de için ile ne mi mı mu mü çok ben benim bana bende sen senin biz var yok değil
        ama daha gibi kadar olarak oldu olan şu o her hiç nasıl neden nerede ki evet hayır artık
        şimdi bugün yarın dün en son bin et un kat pardon lira a e o san ki mai in icin cok
        degil nasil hayir artik simdi bugun yarin dun
        on tane için te deyim değildi içiyorum onun onu ona onlar senin bizim sizin hasta bizi
        sizi beni seni sonra önce ise bile biraz böyle para el al kan mal han ses dans sur dal
        pas su ya an
        """
    ),
    "de": words(
        """
        der die das den dem des ein eine einen einem einer eines und ist sind bin bist war waren
        wird werden wurde hat habe hast haben hatte ich du er wir ihr mir mich dir dich mein meine
        meinen meinem meiner dein deine deinen unser unsere nicht kein keine keinen auch noch nur
        schon sehr aber oder wenn weil dass daß als wie wo wer wann warum wieso weshalb welche
        welcher welches wohin woher mit von vom zu zum zur auf bei beim nach seit aus für fuer über
        ueber unter vor im am an ab bis um durch gegen ohne jetzt heute gestern morgen mehr immer
        nie kann kannst können konnte muss soll sollte will möchte mag bitte danke hallo ja nein
        doch mal also dann hier sich uns euch ihm ihn ihnen sein seine seinen ihre ihren es sie
        wohne wohnt arbeite arbeitet heiße heißt trinke esse tschüss tschüß gerne genau servus moin
        gibt geht macht übrigens eigentlich vergiss merk hab hätte wäre würde könnte könntest
        was montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz juni
        juli
        oktober dezember zwei drei vier fünf sechs sieben acht neun zehn tage tagen woche wochen
        monat
        monate jahr jahren jahre uhr kommen kommt alle fahre fahren fährt gehe gehen treffe beginnt
        mochte mag magst liebe hasse esse isst nehme weiß weißt wisst klingt einverstanden stimmt
        passt gute nacht guten morgen tag abend schöne schönes schönen letzte letzten nächste
        nächsten passwort kennwort lautet termin zurück welchen gar so beim etwas meins dieser diese
        dieses dass ihr euch wirklich vielen dank klar leid mach geh hilf schreib nenn bisschen
        na herzlichen glückwunsch nacht lebe leben spreche spiele
        """
    ),
    "es": words(
        """
        el la los las un una unos unas y es son soy eres somos está estoy están era fue ha he han
        hay yo tú él ella nosotros ellos me te se nos mi mis tu tus su sus que qué quién cómo cuándo
        dónde cuál cuánto cuántos por para con sin de del al en no sí pero porque aunque si como
        cuando donde muy más menos ya también tampoco nunca siempre ahora hoy ayer mañana aquí esto
        esta este ese esa eso le les lo vivo vive trabajo trabaja tengo tiene tienes quiero puede pago tomo juego
        alquiler puedes puedo gusta gustan gracias hola adiós adios favor buenos buenas días estas entonces
        desde hasta sobre entre otro otra nada todo toda todos algo alguien mucho mucha estuve
        llamo llama olvida recuerda nuestra nuestro vale claro buen solo sólo voy va vamos ayúdame
        lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio
        julio septiembre octubre noviembre diciembre dos tres cuatro cinco seis siete ocho nueve
        diez
        días semana semanas mes meses año años próximo próxima pasado pasada hijo hija hermano
        hermana madre padre perro gato casa llama vivía viviendo trabajaba prefiero odio encanta
        contraseña clave dime haz dame estoy estamos fui fuimos cumple años eres comer como bebo
        buenas noches tardes luego pronto perfecto genial mucho gusto perdona perdón siento nos vemos
        exacto suena parece cuídate entendido conduzco decidido decidí decidimos uso corro hablo
        hablas tuve
        búscame elimina borra cancelé mudamos mudé resido háblame curso vaya cosa encantado
        mañana bebes
        """
    ),
    "fr": words(
        """
        le la les un une des du de et est sont suis es sommes était c'est ce cette ces je j'ai tu
        il elle nous vous ils elles on me te se mon ma mes ton ta tes son sa ses notre votre leur
        que qui quoi quand où ou pourquoi comment combien quel quelle quels quelles est-ce dans sur
        avec sans pour par chez en au aux ne pas plus jamais rien non oui si mais donc car parce
        comme très trop aussi encore toujours déjà maintenant aujourd'hui hier demain ici là ça cela
        ai as a avons avez ont avait fait va vais peux peut peux-tu pouvez veux voudrais habite
        travaille m'appelle j'habite j'aime bonjour bonsoir salut merci svp plaît l'ai d'un d'une
        n'est qu'il qu'on j'étais n'ai désormais depuis jusqu'à entre été être avoir deux tout
        toute tous s'appelle oublie rappelle voilà d'accord
        lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet
        août septembre octobre novembre décembre deux trois quatre cinq sept huit neuf dix jours
        jour
        semaine semaines mois an ans année années prochain prochaine dernier dernière mère père
        frère
        soeur sœur fils fille chien chat maison préfère déteste adore aime bois mange passe mot
        bonne nuit journée soirée parfait génial désolé pardon excuse ouais bien sûr suis-je ai-je
        as-tu es-tu fais dis-moi aide-moi merci beaucoup à cet heures heure eu mieux chez vit
        j' c' l' d' qu' m' n' s' t' coucou week-end enchanté évidemment exactement résume
        suivant sais-tu
        parle-moi raconte-moi décidé arrêter habiter voilà couleur préférée cuisine clé
        félicitations aimes aiment thé mangeons mangez buvez écoles école sport musique adorer
        """
    ),
    "pt": words(
        """
        o os as um uma uns umas e é são sou és somos está estou estão era foi eu tu ele ela você
        vocês nós eles elas me te se nos meu minha meus minhas teu tua seu sua que quem como quando
        onde qual quanto quantos por para pra com sem de do da dos das ao à no na nos nas em não sim
        mas porque embora se muito mais menos já também nunca sempre agora hoje ontem amanhã aqui
        isto isso este esta esse essa moro mora trabalho trabalha tenho tem quero pode posso gosto
        gosta obrigado obrigada olá oi tchau bom boa dia noite tarde até desde sobre lembra
        segunda terça quarta quinta sexta sábado domingo janeiro fevereiro março abril maio junho
        julho agosto setembro outubro novembro dezembro dois três quatro cinco seis sete oito nove
        dez dias dia semana semanas mês meses ano anos próximo próxima passado passada filho filha
        irmão irmã mãe pai cachorro gato casa chama feira tudo bem valeu beleza
        entendi parabéns filhos certeza combinado claro
        """
    ),
    "it": words(
        """
        il lo la i gli le un uno una e è sono sei siamo era ho hai ha abbiamo hanno io tu lui lei
        noi voi loro mi ti si ci vi mio miei mie tuo tua suo sua che chi cosa come quando dove
        quale quanto quanti perché perche per con senza di del della dei delle al alla da dal in nel
        nella su sul non sì ma anche o se molto più meno già mai sempre adesso ora oggi ieri domani
        qui questo questa quello abito abita vivo lavoro lavora voglio puoi posso piace piacciono
        grazie ciao buongiorno buonasera arrivederci prego favore fino dopo dell' l'ho c'è
        ricordi ricordami dimmi
        lunedì martedì mercoledì giovedì venerdì sabato domenica gennaio febbraio marzo aprile
        maggio giugno luglio agosto settembre ottobre dicembre due tre quattro cinque sei sette otto
        nove dieci giorni giorno settimana settimane mese mesi anno anni prossimo prossima scorso
        scorsa figlio figlia fratello sorella madre padre cane gatto casa chiama fa tra fra
        buonanotte
        bene va perfetto scusa
        l' dell' un' c' d' quest'
        accordo d'accordo complimenti dopodomani dov'è andiamo capito certo chiave figli prossimo
        """
    ),
    "nl": words(
        """
        de het een en is zijn ben bent was waren ik jij je hij zij ze wij we jullie mij me mijn jouw
        jou ons onze hun haar die dat deze dit niet geen ook nog maar of als omdat hoe wat wie waar
        wanneer waarom welke hoeveel met van voor naar op bij aan uit in te tot door over onder
        heb hebt heeft hebben had word wordt worden kan kun kunt kunnen moet wil zal zou ga gaat
        nu vandaag gisteren morgen altijd nooit al zeer erg graag woon woont werk werkt heet hou
        dank bedankt dankjewel hallo hoi dag doei ja nee alsjeblieft alstublieft goedemorgen
        goedemiddag goedenavond er hier daar sinds onthoud vertel herinner
        maandag dinsdag woensdag donderdag vrijdag zaterdag zondag januari februari maart mei juni
        juli augustus oktober december twee drie vier vijf zes zeven acht negen tien dagen week
        weken
        maand maanden jaar jaren volgende vorige afgelopen zoon dochter broer zus moeder vader hond
        kat huis geleden over goede nacht prima oké leuk
        zeker natuurlijk begrepen gefeliciteerd klopt precies snap
        """
    ),
    "pl": words(
        """
        jest był była było będzie być jestem jesteś jesteśmy mam masz mamy mają nie tak czy
        gdzie kiedy dlaczego kto jaki jaka jakie który która które mój moja moje mojego mojej moją
        mojego nasz nasza tego tej też już jeszcze tylko bardzo dla przez przed przy od jak
        mnie ciebie jego może można możesz muszę chcę lubię mieszkam mieszka pracuję
        pracuje wolę piję dziś dzisiaj jutro wczoraj zawsze nigdy teraz tydzień dzień dobry dzięki
        dziękuję proszę cześć przepraszam oraz więc ale lub bo pamiętaj zapomnij zapamiętaj jutra
        rok lat roku poniedziałek wtorek środę czwartek piątek sobotę niedzielę godzinie córka syn
        """
    ),
}
_LIKELY_LETTERS = {
    "de": re.compile("[äöüÄÖÜ]"),
    "es": re.compile("[áéíóúÁÉÍÓÚ]"),
    "fr": re.compile("[àâçèéêëîïôùûÀÂÇÈÉÊËÎÏÔÙÛ]"),
    "it": re.compile("[àèéìòùÈ]"),
    "pt": re.compile("[áàéêíóôúÁÀÉÊÍÓÔÚ]"),
    "tr": re.compile("[çöüâîûÇÖÜÂÎÛ]"),
}
"""Letters that speak for a language of which words are there, too."""
_SHOWING_LETTERS = {
    "de": re.compile("[ßẞ]"),
    "es": re.compile("[ñÑ¿¡]"),
    "tr": re.compile("[ğışĞİŞ]"),
    "pt": re.compile("[ãõÃÕ]"),
    "fr": re.compile("[œŒ]"),
    "pl": re.compile("[ąęłńśźżĄĘŁŃŚŹŻ]"),
}
_SCRIPTS = (
    ("ja", re.compile("[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")),
    ("zh", re.compile("[\u3400-\u9fff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("ko", re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")),
)
_NO_LETTERS_OF_OURS = re.compile("[\u0370-\U0010ffff]")
_OF_READER = frozenset(("pl", "hi", "ko"))
"""Languages of the reader alone: there is no pack of rules for them, and they are read as English."""
_WIDE = ("ja", "zh", "ko")  # one sign is about as much as three letters
_WORD = re.compile(r"(?<!\w)(?<!\w')[^\W\d_]+(?:['-][^\W\d_]+)*(?!\w)")
_ADDRESSES = re.compile(
    r"\S*@\S+|\w+://\S+|(?<![\w.])[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:/\S*)?(?!\w)"
)
"""Mail addresses, handles, links and hosts: their words are of no language ("delta.io")."""
_APOSTROPHES = str.maketrans("\u2019\u02bc", "''")


def _codes_by_word() -> dict[str, tuple[str, ...]]:
    codes: dict[str, tuple[str, ...]] = {}
    tables = {**_COMMON_WORDS, **{code: p.shown_by for code, p in added_by_others().items()}}
    default = frozenset[str]().union(*(tables[code] for code in _DEFAULT))
    for code, common in tables.items():
        # Many people write without accents; but "the" is no French tea.
        for word in common | (frozenset(map(_without_accents, common)) - default):
            codes[word] = (*codes.get(word, ()), code)
    return codes


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    return "".join(
        letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter)
    )


@lru_cache(maxsize=1)
def _table() -> dict[str, tuple[str, ...]]:
    return _codes_by_word()


def language_shown(text: str) -> str:
    """The code of the language that a text shows in its first 600 characters; empty if none.

    Of the languages that have a pack of rules.
    """
    code = language_written(text)
    return "" if code in _OF_READER and code not in added_by_others() else code


@text_cache(4_096)
def language_written(text: str) -> str:
    """As `language_shown`, of the languages of the reader, too."""
    text = text[:_READ]
    if not text.isascii() and _NO_LETTERS_OF_OURS.search(text):
        code = _by_script(text)
        if code:
            return code
    words_alone = _ADDRESSES.sub(" ", text) if "." in text or "@" in text else text
    found_words = _WORD.findall(words_alone.lower().translate(_APOSTROPHES))
    counts: dict[str, int] = {}
    table = _table()
    for word in found_words:
        if len(word) == 1 and word.isascii():
            continue  # an initial, an option of a list
        codes = table.get(word) or table.get(word.partition("'")[0] + "'", ())
        for code in codes:
            own = len(codes) == 1
            counts[code] = counts.get(code, 0) + (2 if own else 1)
    if not text.isascii():
        _count_letters(text, counts)
    return _clearest(counts, len(found_words))


def _count_letters(text: str, counts: dict[str, int]) -> None:
    for code, letters in _LIKELY_LETTERS.items():
        if code in counts and letters.search(text):
            counts[code] += 1
    for code, letters in _SHOWING_LETTERS.items():
        if letters.search(text):
            counts[code] = counts.get(code, 0) + 2


def _by_script(text: str) -> str:
    """The language of the script in which most of a text is written."""
    for code, letters in _SCRIPTS:
        signs = len(letters.findall(text))
        if not signs:
            continue
        if code == "ja":  # Japanese writes Chinese signs beside its own
            signs += len(_SCRIPTS[1][1].findall(text))
        other_letters = sum(map(str.isalpha, text)) - signs
        if signs * (3 if code in _WIDE else 1) > other_letters:
            return code
    return ""


def _clearest(counts: dict[str, int], size: int) -> str:
    """The language that most words show, if they are enough."""
    default = max((counts.get(code, 0) for code in _DEFAULT), default=0)
    best = max(counts, key=lambda code: counts[code], default="")
    if not best:
        return ""
    if default >= counts[best]:
        return max(_DEFAULT, key=lambda code: (counts.get(code, 0), code == "en"))
    enough = counts[best] > 1 or size <= _FEW_WORDS
    return best if enough else ""


def read_packs_anew() -> None:
    """Read the packs and their words again at the next text: others were installed."""
    _table.cache_clear()
    forget_texts()
