"""Turkish: words round names, and words that look like names and are none; folded."""

from cogmem_core.languages.base import NameRules
from cogmem_core.languages.tables import words

NAMES = NameRules(
    tech_talk=(
        r"(?:yazilim\w{0,6}|kod\w{0,6}|uygulama\w{0,6}|sunucu\w{0,6}|kutuphane\w{0,6}"
        r"|programlama|surum\w{0,6})"
    ),
    org_talk=(r"(?:sirket\w{0,6}|calis\w{1,10}|mulakat\w{0,4}|magaza\w{0,4}|hisse\w{0,6})"),
    place_words=words(
        """
        adasi bulvari caddesi dagi golu havalimani hastanesi koyu mahallesi meydani muzesi nehri
        oteli parki plaji sarayi sokagi sokak
        """
    ),
    org_words=words(
        """
        as bankasi belediyesi dernegi fakultesi lisesi okulu sirketi universitesi vakfi
        """
    ),
    honorifics=words("abi abla amca bey hanim hoca hala teyze dayi sayin"),
    given_names=words(
        """
        ahmet ahmed ali arda asli ayse aysegul banu baris batuhan berk berkay beyza bulent burak
        burcu busra can cem cemal ceren ceyda damla deniz derya ebru ece ecem efe elif emel emine
        emir emre enes engin erdem eren esra fatih fatma ferhat feyza furkan gamze gizem gokhan gul
        gulay gulsen hakan halil hande hasan hatice huseyin ibrahim ilker irem irmak ismail kaan
        kadir kemal kerem kubra levent leyla mehmet melike melis melisa mert merve metin murat
        mustafa nazli nermin nihat nuray oguz okan omer onur orhan osman ozan ozge ozlem pelin pinar
        ramazan recep saban selim selin semra serdar serkan sevgi sevim sibel sinan suleyman tarik
        tolga tugba tuna turgut ufuk umut volkan yagmur yasemin yasin yavuz yusuf zehra zeki zeynep
        """
    ),
    not_names=words(
        """
        adim adi ismim ismi soyadim anneme annem babam baba anne kardesim abim ablam allah tanri
        turkce ingilizce almanca fransizca ispanyolca bugun dun yarin merhaba selam tesekkurler evet
        hayir tamam lutfen aslinda bence hocam canim sabah aksam gecen gelecek belki sonra once
        simdi kesinlikle harika guzel super pazartesi sali carsamba persembe cuma cumartesi pazar
        bayram kurban yeni eski iyi kotu iki uc dort bes onun onlar bizim sizin benim kizim oglum
        esim dostum arkadasim patron mudur
        """
    ),
    suffixes=words(
        """
        a e i u ya ye yi yu na ne ni nu da de ta te nda nde dan den tan ten ndan nden in un nin nun
        la le yla yle lar ler daki deki taki teki li lu lik luk dir dur tir tur
        """
    ),
    place_suffixes=words("da de ta te daki deki taki teki li lu"),
    direction_suffixes=words("ya ye a e dan den tan ten"),
    travel_behind=r"\b(?:tasin|gid|git|uctu|uca|gel|don|gez|yerles|seyahat|yolculuk)",
)
