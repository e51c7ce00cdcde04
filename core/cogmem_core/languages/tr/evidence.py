"""Turkish: how an answer shows what it made of a memory."""

# ruff: noqa: SIM905 - a table is read as a table

from cogmem_core.languages.base import EvidenceRules
from cogmem_core.languages.tables import groups, words

_ORDINALS = (
    "birinci ikinci ucuncu dorduncu besinci altinci yedinci sekizinci dokuzuncu onuncu"
).split()
_DAYS = (
    "birinde ikisinde ucunde dordunde besinde altisinda yedisinde sekizinde dokuzunda onunda"
).split()
_CARDINALS = "bir iki uc dort bes alti yedi sekiz dokuz".split()
_SYNONYMS = """
    abla kardes
    agabey kardes
    anne annesi valide
    baba babasi
    koca es esi kocasi
    kari es esi karisi
    ev konut daire
    is meslek
    doktor hekim
    ucak havayolu ucus
    araba otomobil arac
    ameliyat operasyon
    agri aci sizi
    korku korkuyor urkuyor kaygi
    bebek minik
    tren demiryolu
    kirik kirildi kirilmis kirdim
    sade sekersiz
    yuksek yukseklik yukseklikten
    okul sinif
"""
_RELATED = """
    vejetaryen vegan et etsiz kiyma tavuk sucuk mercimek mantar kofte kebap sebze bitkisel
    et kiyma tavuk sucuk mercimek mantar kofte kebap biftek etsiz
    vegan yumurta sut peynir tereyagi bal bitkisel
    laktoz sut krema peynir yogurt sutlu sutsuz laktozsuz bitkisel
    gluten colyak bugday ekmek un makarna glutensiz
    domuz sucuk sucuklu jambon salam pastirma
    balik levrek somon hamsi cipura ton deniz
    karides midye kalamar kabuklu deniz
    fistik findik ceviz badem kuruyemis
    alerji alerjik dokunur tepki kasinti
    polen bahar saman hapsirik
    astim nefes inhaler duman
    yukseklik teleferik kule ucurum asansor
    ucak havayolu ucus havaalani ucmak
    tren ray istasyon gar demiryolu
    uyku uykusuz uykusuzluk uyumak uyumuyor gece yorgun
    kahve kafein espresso kafeinsiz
    sigara tutun icilmeyen duman
    alkol bira sarap raki kokteyl alkolsuz icki
    itfaiye itfaiyeci yangin
    deniz yuzme havuz kulac mayo
    kosu kosuyor maraton antrenman tempo
    bisiklet pedal sele
    para butce ucuz pahali fiyat hesapli tasarruf biriktirmek
    kisa dakika uzun ozet madde
    bilek el parmak
    diz bacak ayak merdiven
    bel sirt agir kaldirmak
    bas migren agri
    ameliyat dikis yara iyilesme
    seker diyabet insulin tatli
    tansiyon tuz tuzsuz
    ogretmen okul sinif ogrenci
    doktor hastane muayene hekim
    avukat mahkeme dava
    kopek kopegi tasma gezdirmek
    kedi kedisi tuy mama
    bebek minik dogum besik hamile
    evlilik dugun nikah evlendi yildonumu
    vefat oldu kaybetti yas
    sagir isitme altyazi
    tekerlekli rampa engelli asansor
    renk koru kirmizi yesil
    bahce fide tohum saksi
    aci acili baharat biber
    ramazan oruc iftar namaz
    yaz temmuz agustos haziran
    kis ocak subat aralik kar soguk
    kitap roman yazar okumak
    muzik sarki enstruman calmak
    film sinema izlemek
    solak sol
"""


EVIDENCE = EvidenceRules(
    unknown=(
        r"\b(?:bilmiyorum|bilmiyoruz|bilgim yok|bilgi yok|bilgiye sahip degilim|emin degilim"
        r"|hatirlamiyorum|soylemediniz|soylemedin|bahsetmediniz|bahsetmedin|kayitli degil"
        r"|bulamadim|goremiyorum)\b"
    ),
    declined=(
        r"\b(?:kullanmiyorum|kullanmayacagim|kullanmam|paylasmayacagim|paylasamam|paylasmiyorum"
        r"|yazmayacagim|yazmam|soylemeyecegim|uymuyorum|uymayacagim|deginmeyecegim|anmayacagim"
        r"|bir kenara birak\w+)\b"
    ),
    told=r"\b(?:soylemistiniz|soylediniz|bahsetmistiniz|anlattiginiz|soylediginiz)\b",
    pointing=r"\b(?:onu|bunu|buna|ona)\b",
    whether=r"\b(?:mi|mu)(?:yim|yiz|yum|yuz|dir|dur|ydi|ydu|ymis)?\b",
    turns=r"\b(?:ama|fakat|ancak|lakin|yalniz)\b",
    ordinals={
        **{word: str(number) for number, word in enumerate(_ORDINALS, start=1)},
        **{word: str(number) for number, word in enumerate(_DAYS, start=1)},
        **{f"on {word}": str(10 + number) for number, word in enumerate(_CARDINALS, start=1)},
    },
    synonyms=groups(_SYNONYMS),
    related=groups(_RELATED),
    empty=words(
        "kullanici seviyor istiyor var yok oldugu oldugunu olan olarak icin gore adi adinin iyi "
        "guzel cok daha once sonra simdi bugun yarin hafta gun ay yil zaman lazim gerek gerekir "
        "size sizin bana benim"
    ),
)
