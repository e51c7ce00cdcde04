"""Turkish, folded: words that decide whether two statements can be compared."""

from cogmem_core.languages.base import WordingRules
from cogmem_core.languages.tables import words

WORDING = WordingRules(
    negations=words("degil degilim degiliz yok hic asla hicbir degildir"),
    number_words=words("bir iki uc dort bes alti yedi sekiz dokuz on"),
    leaning=words("o onun bu su"),
    first_person=words(
        """
        ben beni bana bende benden benim biz bizi bize bizim sen senin siz sizin
        """
    ),
    hedging=words(
        """
        yok degil hic asla belki galiba sanirim dedi demis ama fakat eger haric disinda sakaydi
        """
    ),
    narrowing=words("yok degil hic asla yalnizca sadece hep hepsi her herkes"),
    signal_words=words(
        """
        benim bana beni bir ve icin cok ile degil annem babam kardesim esim
        """
    ),
    letters="[çğışöüÇĞİŞÖÜ]",
    final_verb=(
        r"\b(?:[a-z]{2,}(?:[iu]yor[a-z]{0,5}|[dt][iu][mk]?|[ae]c[ae][kg][a-z]{0,4}|m[iu]s"
        r"|y[iu][mz])"
        r"|var|yok|degil)\W*$"
    ),
    negative_verb=(
        r"[a-z]{2,}(?:m[iu]yor[a-z]{0,4}|m[ae]d[iu](?:m|n|k|niz|lar|ler)?|m[ae]z(?:lar|ler|sin)?"
        r"|m[ae]m|meyiz|mayiz|m[ae]y[ae]ca[kg][a-z]{0,4}|m[ae]y[ae]ce[kg][a-z]{0,4}"
        r"|m[ae]m[iu]s[a-z]{0,4})"
    ),
    own_ending=(
        r"\b[a-z]{2,}(?:[aeiou]m(?:[iuae]|[dt][ae]n?|[iu]n|y?l[ae])?|[dt][iu]k|[iu]z"
        r"|[iu]m[iu]z[a-z]{0,4})\b"
    ),
    verb_root=(
        r"^([a-z]{2,}?)(?:m[iu]yor|[iu]yor|yor|m[ae]d[iu]|d[iu]|t[iu]|m[ae]z|m[ae]m|[aeiu]r"
        r"|m[ae]y[ae]c[ae][kg]|[ae]c[ae][kg]|m[ae]m[iu]s|m[iu]s)"
        r"(?:um|im|m|uz|iz|k|sun|sin|lar|ler)?$"
    ),
    short_roots={"yi": "ye", "di": "de"},
    person_ending=r"(?:um|im|m|uz|iz)\W*$",
)
