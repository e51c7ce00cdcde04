"""Turkish: by which words a statement begins, ends and lasts."""

from cogmem_core.languages.base import EndRules

_WEEKDAY = r"(?:pazartesi|sali|carsamba|persembe|cumartesi|cuma|pazar)"
_FUTURE = r"[a-z]{2,}(?:acak|ecek)(?:lar|ler)?|[a-z]{2,}(?:acag|eceg)(?:im|iz)"

ENDS = EndRules(
    closes_after=r"\s?(?:kadar|dek|degin)\b",
    excludes_after=r"\s?once(?:si\w{0,4}|leri)?\b",
    opens_after=r"\s?(?:beri|itibaren|bu yana)\b",
    pairs=(
        r"[dt][ae]n>\s<[^<>]*>\s?(?:kadar|dek|degin)\b"
        r"|>\s?(?:ile|ila|ve|-|\u2013)\s?<[^<>]*>\s?aras"
    ),
    still_not=r"\b(?:[a-z]+m[ae]d[iu](?:m|n|k|niz|nuz|ler|lar)?|[a-z]+m[ae]m[iu]st[iu]\w{0,3})\b",
    goes_on=r"\b(?:simdi|artik|o zamandan beri|su an|su anda|sonra|ama)\b",
    states=(
        r"\b(?:[a-z]+(?:iyordu|uyordu|[aiu]rd[iu])\w{0,3}|vardi\w{0,2}|yoktu|yasad\w+|calist\w+"
        r"|oturd\w+|okud\w+|oynad\w+|idi\w{0,2}|[a-z]+yd[iu]\w{0,2})\b"
    ),
    begins=r"\b(?:basl|acil)\w*",
    future=rf"\b(?:{_FUTURE})\b",
    duties=rf"\b(?:{_FUTURE}|lazim|gerek|gerekiyor|zorunda\w*|[a-z]+m[ae]l[iu]\w{{0,3}})\b",
    yearly=r"\b(?:dogum gun|yil ?donum)\w*",
    monthly=(
        r"\b(?:her ay\w{0,3}|kira|maas\w*|fatura\w*|aidat\w*|taksit\w*|abonelik\w*|emekli\w*"
        r"|oden(?:ir|iyor)|yat(?:ar|iyor)|kesil(?:ir|iyor)|cekil(?:ir|iyor)|tahsil)\b"
    ),
    weekly=rf"\b(?:{_WEEKDAY}[dt][ae]n\s{_WEEKDAY}y?[ae]|gunumuz(?:du|dur)?|gunum(?:du|dur)?"
    r"|(?:gun|sabah|ogle|ogleden sonra|aksam|gece)l[ae]r[iu]|ayin (?:ilk|son|ikinci|ucuncu|dorduncu))\b",
    names_before=r"\b(?:adi|ismi|adim|ismim)\s[\"']?$",
    names_after=r"[\"']?\s(?:adinda|adli|isimli|isminde)\b",
    lasting=(
        r"\b(?:bundan sonra|bundan boyle|bundan once|artik|hep|her zaman|daima|asla|bir daha"
        r"|sonsuza (?:kadar|dek)|omur boyu|hayat boyu|hayatim boyunca|genelde|kalici olarak)\b"
    ),
    general=(
        r"\b(?:eger|ne zaman|her sey\w{0,2}|herkes\w{0,2}|[a-z]+m[ae]y[ae]ca[kg]\w{0,3}"
        r"|[a-z]+m[ae]yece[kg]\w{0,3})\b"
    ),
    appointments=(
        r"\b(?:randevu|disci|toplanti|gorusme|mulakat|sinav|konser|konferans|parti|ucus|ucag|tren|otobus"
        r"|kahvalti|piknik|muayene|prova|sinema|tiyatro|ziyaret|uc(?:uyor|acag|acak)"
        r"|bulus(?:uyor|acag|acak)|gezi)\w*"
    ),
)
