"""Turkish: words as such."""

# ruff: noqa: RUF001, RUF002, SIM905 - Turkish is spelt in Turkish, and a table is read as a table

from __future__ import annotations

import re
import threading

from snowballstemmer.turkish_stemmer import TurkishStemmer

from cogmem_core.base.lru import text_cache
from cogmem_core.languages.base import Clause, WordRules

# Some function words are missing on purpose, because they are also names or dates in a person's
# memories: `ben`, `kim`, `can`, `sana`, `son`, `ilk`.
STOP_WORDS: frozenset[str] = frozenset(
    """
    acaba ama amma ancak artık aslında aynen aynı az
    bana bari başka bazen bazı bazıları belki beni benim beri bile bilhassa bir biraz birçoğu birçok
    biri birisi birkaç
    birşey biz bize bizden bize bizi bizim böyle böylece böylesi bu buna bunda bundan bunlar bunları
    bunların bunu bunun
    burada bütün
    çok çoğu çoğunu çünkü
    da daha dahi dair de değil değilim değilse defa demek diğer diğeri diye dolayı
    edecek eden eder ederek edilen edilir ediyor eğer elbette en etme etmek etmesi etti ettiği
    ettiğini evet
    falan fakat filan
    gene gerçi gibi göre
    hala hangi hangisi hani hatta hem henüz hep hepsi her herhangi herkes herkesin hiç hiçbir
    hiçbiri
    için içinde ile ise işte itibaren
    kaç kadar karşın keşke kendi kendine kendini kendisi kere kez ki kimden kime kimi kimin kimse
    lakin lütfen
    madem meğer mi mı mu mü mıdır midir mudur müdür
    nasıl ne neden nedenle nedir nerede nereden nereye nesi neyse niçin niye
    o olan olarak oldu olduğu olduğunu oldukça olduklarını olmadı olmadığı olmak olması olmayan
    olmaz olsa olsun olup
    olur olursa oluyor ona ondan onlar onlara onlardan onları onların onu onun orada oysa öyle
    öylece öylesine
    pek peki
    rağmen
    sadece sanki sen senden seni senin sence siz size sizden sizi sizin sonra
    şayet şey şeyden şeyi şeyler şimdi şöyle şu şuna şunda şundan şunlar şunu şunun
    tabii tamam tüm tümü
    üzere
    var vardı ve veya veyahut
    ya yani yapacak yapılan yapılması yapıyor yapmak yaptı yaptığı yaptığını yaptıkları yerine yine
    yok yoksa
    zaten zira
    """.split()
)
_CLITICS = frozenset(
    """
    a e i u ü ya ye yi yu yü na ne ni nu nü da de ta te nda nde dan den tan ten ndan nden in un ün
    nin nun nün
    la le yla yle lar ler lari leri larin lerin daki deki taki teki li lu lü lik luk lük dir dur dür
    tir tur tür
    """.split()
)
NOT_PAST: frozenset[str] = frozenset(
    """
    adi cadi hadi haydi hindi kadi kedi kendi simdi tadi yedi adim yardim cati kati kutu mutlu alti
    fisti parti toplanti
    """.split()
)
"""Words with the shape of a past form that are not past forms."""
FINITE_ENDING = (
    r"(?:[iu]yor|[dt][iu]|m[iu]s|acak|ecek|acag|eceg|[aeiu]r|m[ae]z|(?<=[a-z])m[ae])"
    r"(?:um|im|m|sun|sin|uz|iz|k|sunuz|siniz|niz|nuz|lar|ler|du|di|tu|ti|dum|dim|tum|tim)?|var|yok"
    r"|degil|degilim"
)
"""A regular expression for the end of a finite verb."""
_FINITE = re.compile(rf"(?:{FINITE_ENDING})$")

_ALPHABET = re.compile("[a-pr-vyzçğöşüâîû]+")
_PLURAL = re.compile(
    r"""
      ( [aoui] [^aeiou]* lar ) (?: a | da | dan | la | i (?: n (?: a | da | dan | i )? )?
        | i (?: m | miz | niz ) (?: a | da | dan | i | in )? )? $
    | ( [ei] [^aeiou]* ler ) (?: e | de | den | le | i (?: n (?: e | de | den | i )? )?
        | i (?: m | miz | niz ) (?: e | de | den | i | in )? )? $
    """,
    re.VERBOSE,
)
_DISTINCTIVE = re.compile("[çğöşü]|..(?:imiz|iniz|umuz|unuz)(?:i|in|u|un|a|e|da|de|dan|den)?$")
# English words with the shape of a Turkish plural; one that is missing only loses its kin
# (`wrestler`, `wrestling`).
_NOT_PLURAL = frozenset(
    """
    angular binocular burglar caterpillar cellar cellular circular collar dissimilar dollar familiar
    granular insular
    jugular lunar modular molar molecular muscular ocular particular perpendicular pillar polar
    popular poplar pulsar
    rectangular regular scholar secular similar singular solar spectacular stellar tabular titular
    triangular tubular
    unpopular vascular vernacular
    bestseller boiler broiler compiler controller counseler dispeller dweller enameler feeler filler
    fueler heeler
    installer jeweler jeweller killer labeler leveler leveller mailer miller modeler modeller
    peddler penciler profiler
    propeller reconciler refueler reseller retailer sailer seller settler simpler speller spoiler
    storyteller teller
    thriller tickler trailer traveler traveller wrestler
    """.split()
)
_OTHER_VOWEL = re.compile("[aeouöü]")
_DOTS = {ord("ı"): "i"}
_STEM_CACHE = 16_384
_STEMMING = threading.Lock()  # a Snowball stemmer keeps its word in itself
_stemmer = TurkishStemmer()


def owns(word: str) -> bool:
    """Whether a folded word shows by itself that it is Turkish.

    It is spelt with the Turkish alphabet, and has one of `çğöşü` or a plural or possessive ending
    that English hardly has (`-lar`, `-lerden`, `-imiz`).
    """
    if not _ALPHABET.fullmatch(word) or word in _NOT_PLURAL:
        return False
    return bool(_DISTINCTIVE.search(word) or _PLURAL.search(word))


@text_cache(_STEM_CACHE)
def stem(word: str) -> str:
    """Stem a folded word until nothing changes, as a base form by itself would be.

    Snowball shortens `öğretmen`, too. What follows a plural ending is cut first, because Snowball
    takes `adamların` (of the men) for `ada` (island).
    """
    plural = _PLURAL.search(word)
    if plural:
        word = word[: plural.end(plural.lastindex or 0)]
    with _STEMMING:
        stemmed = str(_stemmer.stemWord(_with_dotless(word))).translate(_DOTS)
    if not 1 < len(stemmed) < len(word):
        return word
    return stem(stemmed) if owns(stemmed) else stemmed


def _with_dotless(word: str) -> str:
    """Put the dotless ı back by vowel harmony, which Turkish suffixes follow and Snowball checks.

    After a, ı, o and u an i is dotless; the first i of a word sides with the first other vowel
    (`kızlar`, `kişiler`), which is wrong in loanwords (`kıtap`) and harmless there, as the endings
    follow the last vowel.
    """
    first_other = _OTHER_VOWEL.search(word)
    back = first_other is not None and first_other.group() in "aou"
    letters = []
    for letter in word:
        letters.append("ı" if letter == "i" and back else letter)
        if letter in "aoueöü":
            back = letter in "aou"
    return "".join(letters)


def separate_facts(left: Clause, right: Clause) -> str | None:
    """Whether two clauses are facts of their own: each ends in a finite verb and names something.

    Returns:
        None if they belong together; else "".
    """
    if not left or not right or any(word.governs for word in (*left, *right)):
        return None
    if not (_finite(left[-1].folded) and _finite(right[-1].folded)):
        return None
    left_names = _names(left[:-1])
    right_names = _names(right[:-1])
    if not left_names or not right_names or left_names & right_names:
        return None
    return ""


def _finite(word: str) -> bool:
    return _FINITE.search(word) is not None and word not in NOT_PAST


def _names(clause: Clause) -> set[str]:
    """Capitalised words without their case endings, and numbers."""
    return {
        word.folded.partition("'")[0]
        for word in clause
        if word.text[0].isdigit() or (word.text[0].isupper() and word.text != "I")
    }


WORDS = WordRules(
    stop_words=STOP_WORDS,
    stem=stem,
    owns=owns,
    clitics=_CLITICS,
    abbreviations=frozenset("av sn vb vs yrd doc".split()),
    governing=frozenset("diye dedi demis eger cunku ki".split()),
    conjunctions=("ve", "ama", "fakat"),
    separate_facts=separate_facts,
)
