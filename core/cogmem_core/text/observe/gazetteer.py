"""Known technologies, organisations and places.

Entries are written as `fold_letters` writes them (lower-case, Turkish letters as ASCII), one slug
each, followed by its other spellings: `kubernetes=k8s`; `_` stands for a blank. How a word must be
spelt in a text to count:

* `*_ANY`: in any case.
* `*_TALKED`: in any case, but only if the text speaks of such things (`git` is Turkish for go).
* `*_CAPITAL`: with a capital.
* `*_WATCHED`: with a capital; at the start of a sentence only if the text speaks of such things.
* `*_CONTEXT`: with a capital, and only if the text speaks of such things.
"""

from __future__ import annotations


def _slugs(table: str) -> dict[str, str]:
    """The slug of each spelling."""
    slugs: dict[str, str] = {}
    for entry in table.split():
        spellings = entry.split("=")
        slug = spellings[0].replace("_", "-")
        for spelling in spellings:
            slugs[spelling.replace("_", " ")] = slug
    return slugs


TECH_ANY = _slugs(
    """
    ansible=ansible_playbook angularjs aws=amazon_web_services azure=microsoft_azure
    bigquery=big_query chromadb chroma_db=chroma circleci clickhouse cloudflare cloudformation cmake
    cockroachdb couchbase couchdb cpp=c++ csharp=c# css css3 cuda databricks datadog dbt debian deno
    emacs neovim vim django docker=docker_desktop docker-compose=docker_compose dockerfile
    dotnet=.net=asp.net dynamodb ec2 ecs eks elasticsearch=elastic_search elixir erlang eslint etcd
    faiss fastapi fedora ffmpeg figma firebase firestore fluentd fortran fsharp=f#
    gcp=google_cloud=google_cloud_platform github=git_hub github-actions=github_actions gitlab
    golang=go_lang graphql grafana gradle grpc hadoop haproxy haskell helm_chart=helm_charts heroku
    html html5 huggingface=hugging_face ios istio java javascript=js jenkins jira jquery json
    jupyter=jupyter_notebook jwt keras keycloak kibana kotlin kubectl kubernetes=k8s
    lambda_function=aws_lambda lancedb langchain langgraph laravel llama.cpp llamaindex=llama_index
    linux llvm logstash macos mariadb matplotlib memcached milvus minio mlflow mongodb=mongo
    mongoose mysql=my_sql neo4j netlify nestjs nextjs=next.js nginx nodejs=node.js npm numpy
    nuxt=nuxt.js oauth=oauth2 ollama opencv openssl opentelemetry opensearch openshift perl php
    pinecone pnpm postgresql=postgres=psql=postgre powershell power_bi=powerbi prometheus pulumi
    pydantic pytest python=python3 pytorch qdrant rabbitmq raspberry_pi=raspberrypi redis redux
    rest_api=restful ruby_on_rails=rails s3 sagemaker scala scikit-learn=sklearn scipy scylladb
    snowflake_db socket.io spring_boot spark_sql=apache_spark=pyspark sql sqlalchemy sqlite=sqlite3
    sql_server=mssql streamlit supabase svelte sveltekit swiftui tailwind=tailwindcss=tailwind_css
    tensorflow terraform threejs=three.js tmux typescript ubuntu unity3d unreal_engine vercel
    vite=vitejs vscode=vs_code=visual_studio_code vuejs=vue.js weaviate webassembly=wasm webpack
    websocket=websockets wordpress xcode yaml yarn_workspaces zookeeper zsh chatgpt=chat_gpt
    gpt-4=gpt4 gpt-4o gpt-5=gpt5 gpt-3.5 llama3 react_native reactjs=react.js apache_kafka android
    windows_11=windows_10 whatsapp iphone ipad macbook
    """
)
TECH_TALKED = _slugs(
    """
    airflow=apache_airflow angular celery cassandra=apache_cassandra cypher flask git jest kafka
    latex maven pandas playwright ruby rust=rustlang=rust_lang selenium solidity storybook
    """
)
TECH_CAPITAL = _slugs(
    """
    bootstrap_5 gemini_pro copilot=github_copilot vue gunicorn homebrew excel powerpoint photoshop
    airtable gmail outlook bash
    """
)
TECH_WATCHED = _slugs(
    """
    react spark helm puppet windows unity electron notion slack zoom discord trello
    """
)
TECH_CONTEXT = _slugs(
    """
    golang=go swift express spring dart julia r c lua chef hive beam salt ember phoenix cursor
    gemini
    """
)
ORG_ANY = _slugs(
    """
    airbnb alibaba anthropic=anthropic_pbc aselsan asus bbc bloomberg bmw boeing booking.com
    bytedance canonical_ltd cisco coca-cola cnn deepmind=google_deepmind deloitte doordash=door_dash
    dropbox ebay epam facebook garanti_bbva goldman_sachs google hepsiburada huawei ibm ikea
    ing_bank instagram jetbrains jpmorgan=jp_morgan kpmg lenovo linkedin lufthansa mckinsey
    mercedes=mercedes-benz microsoft mit_media_lab mozilla nasa netflix nvidia openai=open_ai
    oracle_corporation paypal peak_games pepsi pfizer pwc qualcomm red_hat=redhat reddit samsung
    salesforce sap_se siemens skyscanner softbank sony spacex=space_x spotify starbucks
    turkish_airlines tiktok toyota trendyol tubitak turkcell twitter uefa unesco unicef vodafone
    volkswagen walmart wikipedia yahoo yemeksepeti youtube zalando bosch unilever hewlett-packard
    """
)
ORG_CAPITAL = _slugs(
    """
    adobe getir nestle intel stripe tesla uber dell atlassian shopify mistral_ai=mistral cohere
    databricks_inc honda nike adidas ford amd arcelik vestel migros
    """
)
ORG_WATCHED = _slugs(
    """
    apple amazon oracle visa nokia hp logitech palantir snowflake akbank isbank
    """
)
ORG_CONTEXT = _slugs(
    """
    meta target gap shell square block signal x box koc sabanci mozilla_foundation
    """
)
PLACES = _slugs(
    """
    africa america amsterdam argentina asia athens atlanta austin australia austria bangkok
    barcelona beijing belgium belgrade berlin boston brazil brussels budapest bulgaria cairo
    california cambridge canada chicago chile china colorado copenhagen croatia cyprus dallas delhi
    denmark denver dubai dublin edinburgh egypt england estonia europe finland florida france
    frankfurt geneva germany greece hamburg hawaii helsinki hong_kong hungary iceland india
    indonesia iran iraq ireland israel italy japan kenya korea kyoto lisbon=lizbon london=londra
    los_angeles madrid malaysia manchester melbourne mexico miami milan montreal morocco moscow
    mumbai munich=munih nairobi netherlands=hollanda new_york=new_york_city=nyc new_zealand nigeria
    norway osaka oslo oxford pakistan paris peru poland porto portugal prague=prag rome=roma romania
    russia san_francisco scotland seattle seoul serbia shanghai singapore south_africa south_korea
    spain stockholm sweden switzerland sydney taiwan texas thailand tokyo toronto turkey=turkiye
    uk=united_kingdom ukraine usa=united_states vancouver vienna=viyana vietnam wales warsaw
    washington zurich=zurih adana almanya ankara antalya avrupa besiktas bodrum bursa canakkale
    diyarbakir edirne erzurum eskisehir fransa gaziantep ingiltere ispanya istanbul italya izmir
    izmit japonya kadikoy kapadokya kayseri kibris konya mardin mersin mugla rusya samsun sanliurfa
    trabzon uskudar yunanistan
    """
)
