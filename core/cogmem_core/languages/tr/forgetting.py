"""Turkish: how a person asks to forget something, and how things are named that may be forgotten."""

from cogmem_core.languages.base import ForgettingRules

_POLITE = r"(?:(?:lutfen|artik|tamam|hadi|simdi|peki|bir de),? )*"
_VERB = (
    r"(?:unut(?:un|sana|ur musun|abilir misin|ur musunuz|ursan sevinirim)?"
    r"|(?:aklindan|hafizandan|kafandan) cikar(?:ir misin)?"
    r"|(?P<mild>sil(?:in|er misin|ebilir misin|sene)?|kaldir(?:ir misin)?))"
)
_ABOUT = (
    r"(?: (?P<memory>ile ilgili (?:her seyi|hersey[i]?|bildiklerini|ne varsa)"
    r"|hakkinda(?:ki)? (?:her seyi|herseyi|bildiklerini|soylediklerimi|soylediklerimi|ne varsa|bilgileri|bilgiyi)"
    r"|hakkindakileri|bilgisini))?"
)

FORGETTING = ForgettingRules(
    wish=(
        rf"{_POLITE}(?:(?P<stored>(?:hafizandan|bellekten|kayitlarindan|notlarindan),? ))?"
        rf"(?P<what>.+?){_ABOUT}(?P<late> (?:hafizandan|bellekten|kayitlarindan|notlarindan))?"
        rf" (?:lutfen |artik |tamamen |hemen )*{_VERB}(?: (?:lutfen|artik))*[\s.!?]*\Z"
    ),
    unless=(
        r"\b(?:simdilik|bugunluk|bir sure|biraz|bir dakika(?:ligina)?|bu seferlik|her zaman|hep|surekli"
        r"|bazen|asla|sakin|ama|yoksa|eger|evde|iste|okulda|arabada|ve)\b"
        r"|\b(?:sordugumu|dedigimi|soyledigimi|bahsettigimi)\b"
    ),
    because=r"\s(?=cunku\b)",
    reason=r".*\b(?:artik|onem\w*|gerek\w*|ozel|gizli|yanlis|dogru degil|eski|saka|gecti|bitti|ilgilendirmez)\b",
    request=r"\b(?:lutfen|misin|musun|musunuz|sevinirim)\b",
    beside=(
        r"(?!.*\b(?:hatirla|sakla|kaydet|yerine|yeni)\b).*"
        r"\b(?:bu|bunu|bunun|o|onu|onun|onlar|orada|burada)\b"
    ),
    topic=(
        r"(?P<what>.+?) (?:ile ilgili|hakkinda(?:ki)?)(?: (?:her ?sey[i]?|ne varsa|tum bilgiler"
        r"|bildiklerin[i]?|bilgi(?:ler)?[i]?))?"
        r"|(?P<thing>.+?) (?:kayd[i](?:ni)?|kayitlar[i](?:ni)?|dosyas[i](?:ni)?)"
    ),
    own=(
        r"(?:benim )?(?P<thing>(?:[\w'-]+ ){0,3}[\w'-]*(?:[iu]m|[ae]m)[iu]"
        r"|(?:[\w'-]+ ){0,2}[\w'-]+[dt][iu]g[iu]m [\w'-]+[iu]"
        r"|(?:[\w'-]+ ){0,2}[\w'-]+[iuae]m[iu]n (?:[\w'-]+ ){0,2}[\w'-]+[iu])"
    ),
    told=(
        r"(?:.*\b(?:nerede|nereli|kac|ne|kim|hangi|kimin)\b.*(?:[dt][iu]g[iu]m[iu]|oldugumu|oldugunu))"
        r"|.*(?:[dt][iu]g[iu]m[iu]z?[iu]?|oldugumu|oldugunu|sevdigimi|sevmedigimi)"
    ),
    openers=r"(?:benim)\s",
    subjects=frozenset(("ben", "biz")),
    owners=frozenset(("benim", "bizim")),
    objects=frozenset(("beni", "bana")),
    foreign=frozenset(("onun", "onlarin", "senin", "sizin")),
    cues={
        **dict.fromkeys(("isimi", "meslegimi"), r"\bolarak calis|\bcalisiyorum\b"),
        **dict.fromkeys(("arabami", "otomobilimi"), r"\bkullaniyorum\b|\barabam\b"),
        **dict.fromkeys(("kilomu", "kac kilo oldugumu"), r"\bkilo(?:yum|m)\b"),
        **dict.fromkeys(("boyumu", "boyumun kac oldugunu"), r"\bboyum\b|\d ?cm\b"),
        **dict.fromkeys(("okulumu", "universitemi"), r"\bokuyorum\b|\bokudum\b"),
        "dogum yerimi": r"\bdogdum\b",
    },
    own_word=r"(?P<form>\w{2,}?(?:[iu]m|[ae]m))(?:[iu]n|[iu]|[ae]|d[ae]n?)?\Z",
    own_verb=r"(?P<form>\w{2,}?)[dt][iu]g[iu]m[iu]?(?:z[iu])?\Z",
    own_verb_ending=r"\w*(?:m|k|[iu]z)\Z",
    object_ending=r"(?:n[iu]n|n[iu]|y?[iu])\Z",
    silent=frozenset(["oldugumu", "oldugunu", "olduklarini", "benim"]),
    common_beginning=4,
    slots={
        "adresimi": ("address", "residence"),
        "ev adresimi": ("address", "residence"),
        "nerede yasadigimi": ("residence", "address"),
        "nerede oturdugumu": ("residence", "address"),
        "yasadigim sehri": ("residence",),
        "isimi": ("employer", "occupation", "job"),
        "isyerimi": ("employer",),
        "is yerimi": ("employer",),
        "meslegimi": ("occupation", "job"),
        "nerede calistigimi": ("employer",),
        "yasimi": ("age",),
        "kac yasinda oldugumu": ("age",),
        "maasimi": ("salary",),
        "ne kadar kazandigimi": ("salary",),
        "adimi": ("name",),
        "ismimi": ("name",),
        "e-postami": ("email",),
        "e-posta adresimi": ("email",),
        "mailimi": ("email",),
        "telefonumu": ("number",),
        "telefon numarami": ("number",),
        "numarami": ("number",),
        "dogum gunumu": ("birthday",),
        "ne zaman dogdugumu": ("birthday",),
    },
)
