"""Turkish, folded: words and endings by which statements say the same or different things."""

from cogmem_core.languages.base import StatementRules
from cogmem_core.languages.tables import stems, words

_NUMBERS = stems("iki uc dort bes alti yedi sekiz dokuz")

STATEMENTS = StatementRules(
    filler=words(
        """
        yardimci yardim olabilirim edebilirim ister istersen isterseniz bilgi sor sorabilirsin
        sorabilirsiniz soru sorun sorular sorularin baska memnun memnuniyetle tabii tabi lutfen
        haber ver verin bildir bildirin elbette rica ederim harika guzel super tesekkur tesekkurler
        sagol eyvallah merhaba selam anladim anlasildi dogru tamamdir peki evet hatirliyorum
        hatirladim biliyorum not aldim ozet ozetle ozetlersek konu konuda sey cekinme cekinmeyin
        duydum sevindim sevindirici bunu duyduguma hakkinda ekle eklemek istedigin istediginiz varsa
        """
    ),
    meaningful={word: word for word in stems("sonra kadar sadece artik")},
    cardinals={word: str(number) for number, word in enumerate(_NUMBERS, start=2)},
    turns=words("ama fakat ancak cunku"),
    conjunctions=words("ve"),
    dropped=words("kullanici simdi su"),
    source_suffixes=words("dan den tan ten ndan nden"),
    letters="[çğıöşüÇĞİÖŞÜ]",
    verb_shape=r"[a-z](?:[iu]yor|[ae]c[ae][gk]|m[iu]s[dt]|[dt][iu]g[iu]n)",
    verb_ending=(
        r"([a-z]{2,}?)(?:m[aeiu]|[ae]bil)?"
        r"(?:(?:[iu]?yor(?:d[iu])?|[dt][iu]|m[iu]s(?:t[iu])?|y?[ae]c[ae][kg](?:t[iu])?"
        r"|[aeiu]r(?:d[iu])?|m[ae]z(?:d[iu])?"
        r"|m[ae])(?:[iu]?m|[iu]?n|s[iu]n(?:[iu]z)?|y?[iu]z|n[iu]z|k|l[ae]r)?"
        r"|[dt][iu][gk](?:[iu]m|[iu]n|[iu]|[iu]m[iu]z|[iu]n[iu]z|l[ae]r[iu])(?:n?[iu]n?|n?[ae]"
        r"|n?d[ae]n?)?"
        r"|m[ae]k(?:t[ae]n?)?|m[ae](?:y[iu]|s[iu]n[iu]|n[iu]n))"
    ),
    noun_ending=(
        r"([a-z]{2,}?)(?:l[ae]r)?(?:[iu]m|[iu]n|[iu]|s[iu]|m|n|[iu]m[iu]z|[iu]n[iu]z)?"
        r"(?:n?[iu]n|[ny]?[iu]|[ny]?[ae]|n?[dt][ae]n?|y?l[ae]|y[iu]m|s[iu]n|s[iu]n[iu]z|d[iu]r)?"
    ),
    # Selin and Selim may be two people: at the beginning of a sentence only long or vowel endings
    # are cut off.
    opening_ending=(
        r"([a-z]{2,}?)(?:[iu]m[iu]n|[iu]n[iu]n|[iu]m[iu]z[a-z]{0,3}|[iu]n[iu]z[a-z]{0,3}|[iuae])?"
    ),
    light_verbs=words("ol et yap de bulun"),
    irregular_roots={"yi": "ye", "gid": "git", "ed": "et"},
)
