"""Turkish, folded: courtesies that carry nothing."""

from cogmem_core.languages.base import SmallTalkRules
from cogmem_core.languages.tables import phrases, words

SMALL_TALK = SmallTalkRules(
    greetings=phrases(
        """
        merhaba, merhabalar, selam, selamlar, selamun aleykum, aleykum selam, selamunaleykum, sa
        as, slm, mrb, gunaydin, tunaydin, iyi gunler, iyi aksamlar, iyi geceler, iyi sabahlar
        hayirli sabahlar, hayirli gunler, naber, nbr, ne haber, nasilsin, nasilsiniz, nasil gidiyor
        ne var ne yok, hos geldin, hos geldiniz, hosgeldin, hosgeldiniz, hos bulduk, hosca kal
        hoscakal, hosca kalin, hoscakalin, gorusuruz, gorusmek uzere, kolay gelsin, bay bay
        kendine iyi bak, iyi calismalar, iyi hafta sonlari, iyi uykular, tatli ruyalar
        iyi yolculuklar, gecmis olsun, hayirli olsun, gozun aydin, gozunuz aydin, iyi ki dogdun
        nice yillara, mutlu yillar, iyi bayramlar, bayramin kutlu olsun, memnun oldum
        tanistigimiza memnun oldum, gunun nasil gecti
        """
    ),
    confirmations=phrases(
        """
        tamam, tamamdir, tmm, tm, olur, oldu, evet, hayir, yok, yoo, peki, pekala, elbette, tabii
        tabi, tabii ki, tabi ki, kesinlikle, aynen, aynen oyle, dogru, cok dogru, anladim
        anlasildi, olmaz, olabilir, belki, hakli, haklisin, haklisiniz, devam, devam et
        devam edelim, he, hi hi, uygun, uygundur, kabul, bence de, bana uyar, sorun yok
        sikinti yok, lutfen, bir dakika, bi dakika, dusuneyim
        """
    ),
    acknowledgements=phrases(
        """
        tesekkurler, tesekkur ederim, tesekkur ederiz, cok tesekkurler, cok tesekkur ederim, tsk
        tskler, tesekkur, sag ol, sagol, sag olun, sagolun, cok sag ol, eyvallah, eyv, rica ederim
        ne demek, bir sey degil, estagfurullah, vay, vay be, vay canina, guzel, cok guzel, super
        harika, mukemmel, iyi, cok iyi, sahane, muhtesem, enteresan, ilginc, bosver, bos ver
        pardon, kusura bakma, ozur dilerim, onemli degil, tebrikler, aferin, helal, eline saglik
        ellerine saglik, ya, ha, haa, hadi ya, oyle mi, gercekten mi
        """
    ),
    addressed=phrases(
        """
        tesekkurler, tesekkur ederim, cok tesekkurler, cok tesekkur ederim, sag ol, sagol, sag olun
        sagolun, cok sag ol, eyvallah, rica ederim, tebrikler, tebrik ederim, kusura bakma
        ozur dilerim, eline saglik
        """
    ),
    fillers=words(
        "bey hanim hocam ve abi abla arkadaslar canim cok dostum hocam kanka kardesim ya"
    ),
)
