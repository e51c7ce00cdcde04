"""English and Turkish words that say nothing about a topic.

Apostrophes are left out (`dont`, `isnt`), the way the tokeniser writes them. Some function words are missing on
purpose, because they are also names or dates in a person's memories: English `may`, `us`, `mine`; Turkish `ben`, `kim`,
`can`, `sana`, `son`, `ilk`.
"""

# ruff: noqa: RUF001, SIM905 - Turkish is spelt in Turkish, and a table is read as a table

from __future__ import annotations

__all__ = ["ENGLISH", "STOPWORDS", "TURKISH"]

ENGLISH: frozenset[str] = frozenset(
    """
    a about above after again against ain aint all also am an and any are aren arent as at
    be because been before being below between both but by
    cannot cant could couldnt
    did didnt do does doesnt doing don done dont down during
    each either else ever every
    few for from further
    get gets getting give go goes going gonna got gotta
    had hadnt has hasnt have havent having he her here hers herself him himself his how however
    i if im in into is isnt it its itself ive
    just
    let lets like lot
    many me more most much must mustnt my myself
    neednt neither no nor not now
    of off oh ok okay on once only onto or other ought our ours ourselves out over own
    please
    quite
    rather really
    said same say says shall shan shant she should shouldnt since so some still such
    than that thats the their theirs them themselves then there theres these they theyre theyve this those though
    through thus to too
    under until unto up upon
    very via
    was wasnt we were werent weve what whatever whats when whenever where wherever whether which while who whom whose
    whos why will with within without wont would wouldnt
    yall yeah yes yet you youre your yours yourself yourselves youve
    """.split()
)

TURKISH: frozenset[str] = frozenset(
    """
    acaba ama amma ancak artık aslında aynen aynı az
    bana bari başka bazen bazı bazıları belki beni benim beri bile bilhassa bir biraz birçoğu birçok biri birisi birkaç
    birşey biz bize bizden bize bizi bizim böyle böylece böylesi bu buna bunda bundan bunlar bunları bunların bunu bunun
    burada bütün
    çok çoğu çoğunu çünkü
    da daha dahi dair de değil değilim değilse defa demek diğer diğeri diye dolayı
    edecek eden eder ederek edilen edilir ediyor eğer elbette en etme etmek etmesi etti ettiği ettiğini evet
    falan fakat filan
    gene gerçi gibi göre
    hala hangi hangisi hani hatta hem henüz hep hepsi her herhangi herkes herkesin hiç hiçbir hiçbiri
    için içinde ile ise işte itibaren
    kaç kadar karşın keşke kendi kendine kendini kendisi kere kez ki kimden kime kimi kimin kimse
    lakin lütfen
    madem meğer mi mı mu mü mıdır midir mudur müdür
    nasıl ne neden nedenle nedir nerede nereden nereye nesi neyse niçin niye
    o olan olarak oldu olduğu olduğunu oldukça olduklarını olmadı olmadığı olmak olması olmayan olmaz olsa olsun olup
    olur olursa oluyor ona ondan onlar onlara onlardan onları onların onu onun orada oysa öyle öylece öylesine
    pek peki
    rağmen
    sadece sanki sen senden seni senin sence siz size sizden sizi sizin sonra
    şayet şey şeyden şeyi şeyler şimdi şöyle şu şuna şunda şundan şunlar şunu şunun
    tabii tamam tüm tümü
    üzere
    var vardı ve veya veyahut
    ya yani yapacak yapılan yapılması yapıyor yapmak yaptı yaptığı yaptığını yaptıkları yerine yine yok yoksa
    zaten zira
    """.split()
)

STOPWORDS: frozenset[str] = ENGLISH | TURKISH
