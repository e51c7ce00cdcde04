"""Known technologies, organisations and places, and words that look like names but are none.

Entries are written as `fold_letters` writes them (lower-case, Turkish letters as ASCII), one slug
each, followed by its other spellings: `kubernetes=k8s`; `_` stands for a blank. How a word must be
spelt in a text to count:

* `*_ANY`: in any case. `*_TALKED`: in any case, but only if the text speaks of such things (`git`
  is Turkish for go). `*_CAPITAL`: with a capital. `*_WATCHED`: with a capital, and at the start of
  a sentence only if the text speaks of such things. `*_CONTEXT`: with a capital, and only if the
  text speaks of such things.
"""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

__all__ = [
    "GIVEN_NAMES",
    "HONORIFICS",
    "NOT_NAMES",
    "ORG_ANY",
    "ORG_CAPITAL",
    "ORG_CONTEXT",
    "ORG_TALK",
    "ORG_WATCHED",
    "ORG_WORDS",
    "PLACES",
    "PLACE_FIRST",
    "PLACE_WORDS",
    "TECH_ANY",
    "TECH_CAPITAL",
    "TECH_CONTEXT",
    "TECH_TALK",
    "TECH_TALKED",
    "TECH_WATCHED",
]


def _slugs(table: str) -> dict[str, str]:
    """Spelling → slug."""
    found = {}
    for entry in table.split():
        spellings = entry.split("=")
        for spelling in spellings:
            found[spelling.replace("_", " ")] = spellings[0].replace("_", "-")
    return found


TECH_ANY = _slugs(
    """
    ansible=ansible_playbook angularjs aws=amazon_web_services azure=microsoft_azure bigquery=big_query chromadb
    chroma_db=chroma circleci clickhouse cloudflare cloudformation cmake cockroachdb couchbase couchdb cpp=c++
    csharp=c# css css3 cuda databricks datadog dbt debian deno emacs neovim vim django docker=docker_desktop
    docker-compose=docker_compose dockerfile dotnet=.net=asp.net dynamodb ec2 ecs eks elasticsearch=elastic_search
    elixir erlang eslint etcd faiss fastapi fedora ffmpeg figma firebase firestore fluentd fortran fsharp=f#
    gcp=google_cloud=google_cloud_platform github=git_hub github-actions=github_actions gitlab golang=go_lang graphql
    grafana gradle grpc hadoop haproxy haskell helm_chart=helm_charts heroku html html5 huggingface=hugging_face ios
    istio java javascript=js jenkins jira jquery json jupyter=jupyter_notebook jwt keras keycloak kibana kotlin
    kubectl kubernetes=k8s lambda_function=aws_lambda lancedb langchain langgraph laravel llama.cpp
    llamaindex=llama_index linux llvm logstash macos mariadb matplotlib memcached milvus minio mlflow mongodb=mongo
    mongoose mysql=my_sql neo4j netlify nestjs nextjs=next.js nginx nodejs=node.js npm numpy nuxt=nuxt.js
    oauth=oauth2 ollama opencv openssl opentelemetry opensearch openshift perl php pinecone pnpm
    postgresql=postgres=psql=postgre powershell power_bi=powerbi prometheus pulumi pydantic pytest python=python3
    pytorch qdrant rabbitmq raspberry_pi=raspberrypi redis redux rest_api=restful ruby_on_rails=rails s3 sagemaker
    scala scikit-learn=sklearn scipy scylladb snowflake_db socket.io spring_boot spark_sql=apache_spark=pyspark sql
    sqlalchemy sqlite=sqlite3 sql_server=mssql streamlit supabase svelte sveltekit swiftui
    tailwind=tailwindcss=tailwind_css tensorflow terraform threejs=three.js tmux typescript ubuntu unity3d
    unreal_engine vercel vite=vitejs vscode=vs_code=visual_studio_code vuejs=vue.js weaviate webassembly=wasm webpack
    websocket=websockets wordpress xcode yaml yarn_workspaces zookeeper zsh chatgpt=chat_gpt gpt-4=gpt4 gpt-4o
    gpt-5=gpt5 gpt-3.5 llama3 react_native reactjs=react.js apache_kafka android windows_11=windows_10 whatsapp
    iphone ipad macbook
    """
)
TECH_TALKED = _slugs(
    "airflow=apache_airflow angular celery cassandra=apache_cassandra cypher flask git jest kafka "
    "latex maven pandas"
    " playwright ruby rust=rustlang=rust_lang selenium solidity storybook"
)
TECH_CAPITAL = _slugs(
    "bootstrap_5 gemini_pro copilot=github_copilot vue gunicorn homebrew excel powerpoint photoshop"
    " airtable gmail outlook bash"
)
TECH_WATCHED = _slugs(
    "react spark helm puppet windows unity electron notion slack zoom discord trello"
)
TECH_CONTEXT = _slugs(
    "golang=go swift express spring dart julia r c lua chef hive beam salt ember phoenix cursor "
    "gemini"
)
ORG_ANY = _slugs(
    """
    airbnb alibaba anthropic=anthropic_pbc aselsan asus bbc bloomberg bmw boeing booking.com bytedance canonical_ltd
    cisco coca-cola cnn deepmind=google_deepmind deloitte doordash=door_dash dropbox ebay epam facebook garanti_bbva
    goldman_sachs google hepsiburada huawei ibm ikea ing_bank instagram jetbrains jpmorgan=jp_morgan kpmg lenovo
    linkedin lufthansa mckinsey mercedes=mercedes-benz microsoft mit_media_lab mozilla nasa netflix nvidia
    openai=open_ai oracle_corporation paypal peak_games pepsi pfizer pwc qualcomm red_hat=redhat reddit samsung
    salesforce sap_se siemens skyscanner softbank sony spacex=space_x spotify starbucks turkish_airlines tiktok
    toyota trendyol tubitak turkcell twitter uefa unesco unicef vodafone volkswagen walmart wikipedia yahoo
    yemeksepeti youtube zalando bosch unilever hewlett-packard
    """
)
ORG_CAPITAL = _slugs(
    "adobe getir nestle intel stripe tesla uber dell atlassian shopify mistral_ai=mistral cohere"
    " databricks_inc honda nike adidas ford amd arcelik vestel migros"
)
ORG_WATCHED = _slugs("apple amazon oracle visa nokia hp logitech palantir snowflake akbank isbank")
ORG_CONTEXT = _slugs(
    "meta target gap shell square block signal x box koc sabanci mozilla_foundation"
)
TECH_TALK = (
    r"(?:cod(?:e|ing)|programming|programmers?|developers?|frameworks?|librar(?:y|ies)|compilers?|backend"
    r"|frontend|apis?|apps?|servers?|(?:micro)?services?|functions?|modules?|packages?|repo(?:sitory|s)?|deploy\w{0,6}|sdk|scripts?|"
    r"debug\w{0,4}|refactor\w{0,4}|languages?|software|databases?|components?|versions?|upgrad\w{1,4}|rewr\w{2,6}|"
    r"cluster|channels?|messages?|meeting|install\w{0,6}|laptop|yazilim\w{0,6}|kod\w{0,6}|uygulama\w{0,6}"
    r"|sunucu\w{0,6}|kutuphane\w{0,6}|programlama|surum\w{0,6})"
)
ORG_TALK = (
    r"(?:compan(?:y|ies)|inc|corp|job|jobs|work(?:s|ed|ing)? (?:at|for|in)|hired|interview\w{0,4}|ceo|cto"
    r"|stocks?|shares|employees?|office|startup|acquired?|iphone|ipad|mac|macbook|store|ordered|products?|announced|releas\w{1,4}|"
    r"offer(?:ed)?|intern\w{0,4}|engineer|sirket\w{0,6}|calis\w{1,10}|mulakat\w{0,4}|magaza\w{0,4}|hisse\w{0,6})"
)

PLACES = _slugs(
    """
    africa america amsterdam argentina asia athens atlanta austin australia austria bangkok barcelona beijing belgium
    belgrade berlin boston brazil brussels budapest bulgaria cairo california cambridge canada chicago chile china
    colorado copenhagen croatia cyprus dallas delhi denmark denver dubai dublin edinburgh egypt england estonia europe
    finland florida france frankfurt geneva germany greece hamburg hawaii helsinki hong_kong hungary iceland india
    indonesia iran iraq ireland israel italy japan kenya korea kyoto lisbon=lizbon london=londra los_angeles madrid
    malaysia manchester melbourne mexico miami milan montreal morocco moscow mumbai munich=munih nairobi
    netherlands=hollanda new_york=new_york_city=nyc new_zealand nigeria norway osaka oslo oxford pakistan paris peru
    poland porto portugal prague=prag rome=roma romania russia san_francisco scotland seattle seoul serbia shanghai
    singapore south_africa south_korea spain stockholm sweden switzerland sydney taiwan texas thailand tokyo toronto
    turkey=turkiye uk=united_kingdom ukraine usa=united_states vancouver vienna=viyana vietnam wales warsaw washington
    zurich=zurih adana almanya ankara antalya avrupa besiktas bodrum bursa canakkale diyarbakir edirne erzurum
    eskisehir fransa gaziantep ingiltere ispanya istanbul italya izmir izmit japonya kadikoy kapadokya kayseri kibris
    konya mardin mersin mugla rusya samsun sanliurfa trabzon uskudar yunanistan
    """
)
PLACE_WORDS = frozenset(
    """
    airport avenue bay beach bridge canyon castle cathedral city forest garden gardens hall hill hills hotel house
    island islands lake library market mountain mountains museum ocean palace park peninsula plaza river road sea square
    stadium station street temple theater theatre tower town valley village adasi bulvari caddesi dagi golu havalimani
    hastanesi koyu mahallesi meydani muzesi nehri oteli parki plaji sarayi sokagi sokak
    """.split()
)
PLACE_FIRST = frozenset(
    "east fort lake las los mount mt new north port rio saint san santa south west".split()
)
ORG_WORDS = frozenset(
    """
    academy agency airlines association bank church clinic club college committee company corp corporation council
    foundation fund gmbh group holding hospital inc institute labs ltd llc ministry school society solutions studio
    studios systems team technologies union university as bankasi belediyesi dernegi fakultesi holding lisesi okulu
    sirketi universitesi vakfi
    """.split()
)
HONORIFICS = frozenset(
    """
    aunt auntie capt captain coach doctor dr grandma grandpa judge king lady lord miss mr mrs ms pastor president prince
    princess prof professor queen rev sir uncle abi abla amca bey hanim hoca hala teyze dayi sayin
    """.split()
)
GIVEN_NAMES = frozenset(
    """
    aaron adam alex alexander alice amanda amy andrew angela anna anne anthony audrey barbara ben benjamin beth bob
    brandon brian calvin carlos carol caroline catherine charles charlotte chris christina christopher claire dan
    daniel dave david deborah dennis diana donna ed edward elena elizabeth ella emily emma eric ethan evan eva fatima
    fiona frank gary george gina greg hannah harry heather helen henry ian isabella jack jacob jake james jane janet
    jason jennifer jenny jeremy jessica jim joanna joe john jon jonathan jordan jose joseph joshua juan judy julia
    julie karen kate katherine katie keith kelly ken kevin kyle laura lauren leo liam linda lisa lucas lucy luis luke
    maria marie martin mary matt matthew megan melanie michael michelle miguel mike mohamed mohammed muhammad nancy
    nate nathan nicholas nicole nina noah nora oliver olivia omar pamela patricia patrick paul peter phil philip priya
    rachel rebecca richard robert ryan sam samantha samuel sandra sara sarah scott sean sofia sophia sophie stephanie
    stephen steve steven susan tara thomas tim tina tom tony tyler victoria vincent walter wendy william yuki zoe
    ahmet ahmed ali arda asli ayse aysegul banu baris batuhan berk berkay beyza bulent burak burcu busra can cem cemal
    ceren ceyda damla deniz derya ebru ece ecem efe elif emel emine emir emre enes engin erdem eren esra fatih fatma
    ferhat feyza furkan gamze gizem gokhan gul gulay gulsen hakan halil hande hasan hatice huseyin ibrahim ilker irem
    irmak ismail kaan kadir kemal kerem kubra levent leyla mehmet melike melis melisa mert merve metin murat mustafa
    nazli nermin nihat nuray oguz okan omer onur orhan osman ozan ozge ozlem pelin pinar ramazan recep saban selim
    selin semra serdar serkan sevgi sevim sibel sinan suleyman tarik tolga tugba tuna turgut ufuk umut volkan yagmur
    yasemin yasin yavuz yusuf zehra zeki zeynep
    """.split()
)
NOT_NAMES = frozenset(
    """
    mon tue tues wed thu thur thurs fri sat sun friday life family about absolutely ah alas although always amazing
    amen anyway apparently arabic asian aw awesome aww basically beautiful best better bless both btw bye can catholic
    cheers chinese christian christmas congrats congratulations cool currently cute dad daddy damn danish dear
    definitely diwali dude dutch easter english european everybody everyone everything exactly excellent fantastic
    finally first fortunately french friday friends gee generally german glad god good goodbye gosh great greek
    grandma grandpa guess guys halloween hanukkah happy hello hey hi hindi honestly hope hopefully hows im indian
    indeed instead interesting internet isnt italian japanese jewish keep korean later latin let literally look lots
    love lovely luckily made mate maybe meanwhile met miss mom mommy monday mum muslim my new next nice nobody nope
    nothing obviously ok one other perfect perhaps personally phew please polish portuguese possibly probably prof
    ramadan recently remember russian sad sadly saturday second see seeing sent serious seriously shes somebody
    someone something sometimes somehow sorry sounds spanish speaking still sunday super sure surely swedish take tell
    thank thankfully thanks thanksgiving there think third thursday today tomorrow tonight totally true truly tuesday
    turkish two unfortunately usually valentine wednesday weekend welcome well went what whats where wish whoa whoo
    wonderful woohoo work wow xmas yay year yep yesterday yet yo your youre add ask build buy call check choose come
    compare create delete did does do explain find fix follow generate get give go have help here import install list
    make move note open put read reminder rewrite run save say send set show start stop summarize talk todo translate
    try turn update use visit wait watch write actually correction however also plus adim adi ismim ismi soyadim
    anneme annem babam baba anne kardesim abim ablam allah tanri turkce ingilizce almanca fransizca ispanyolca bugun
    dun yarin merhaba selam tesekkurler evet hayir tamam lutfen aslinda bence hocam canim sabah aksam gecen gelecek
    belki sonra once simdi kesinlikle harika guzel super pazartesi sali carsamba persembe cuma cumartesi pazar bayram
    kurban yeni eski iyi kotu iki uc dort bes onun onlar bizim sizin benim kizim oglum esim dostum arkadasim patron
    mudur
    """.split()
)
