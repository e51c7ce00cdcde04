"""Turkish: what notes, and texts that are put together, are told apart by."""

from cogmem_core.languages.base import NoteRules

NOTES = NoteRules(
    rules=r"her zaman|daima|asla|kural\w{0,6}",
    how_to=r"nas\u0131l yap\w{1,6}",
    denials=r"\b(?:değil|yok|asla|hiç)\b",
    doubts=(r"belki|galiba|sanirim|saniyorum|herhalde|muhtemelen|emin degil\w{0,4}|zannediyorum"),
    critical=(
        r"son tarih\w{0,4}|son gun\w{0,4}|teslim tarih\w{0,4}"
        r"|guvenlik\w{0,6}|sifre\w{0,6}|hacklen\w{1,6}|calindi"
        r"|hata\w{0,6}|coktu|ariza\w{0,5}"
        r"|alerji\w{0,5}|hastane\w{0,5}|ameliyat\w{0,5}|teshis\w{0,4}|acil"
    ),
)
