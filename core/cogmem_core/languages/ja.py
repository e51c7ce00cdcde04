"""Japanese: questions, small talk, words as pairs of signs, dates. The rest is lacking."""

from cogmem_core.languages.base import SmallTalkRules
from cogmem_core.languages.loading import areas_of
from cogmem_core.languages.plain import (
    QuestionForms,
    pack,
    plain_query,
)
from cogmem_core.languages.tables import phrases, words

JA = pack(
    "ja",
    **areas_of("ja"),
    query=plain_query(
        QuestionForms(
            opens=".*(?:ですか|ますか|でしたか|ましたか|かな|だっけ|でしたっけ|ですかね|何|どこ|いつ|誰|なぜ|どうして)",
            tells="(?:私は[^、]+(?:です|ます)|僕は[^、]+(?:です|ます)|.*(?:ですが|ますが|なので|だから))$",
            joints="[、,;。]",
        ),
        first_person="私|僕|俺|わたし|自分",
        asks_when=("いつ", "何時", "何曜日", "何年", "何月", "何日"),
    ),
    small_talk=SmallTalkRules(
        greetings=phrases(
            """
            こんにちは, こんばんは, おはよう, おはようございます, おやすみ, おやすみなさい, さようなら, またね
            また明日, じゃあね, バイバイ, やあ, もしもし, 元気ですか, お元気ですか, はじめまして, 初めまして
            お疲れ様です, お疲れ様, お疲れさま, ただいま, よろしくお願いします, よろしく, いってきます
            """
        ),
        confirmations=phrases(
            """
            はい, うん, ええ, そうです, そうですね, もちろん, いいえ, いや, 大丈夫です, 大丈夫, わかりました
            分かりました, わかった, 了解, 了解です, 了解しました, 承知しました, オーケー, たぶん, お願いします
            いいですね, 続けて, 続けてください, その通り, その通りです, 結構です
            """
        ),
        acknowledgements=phrases(
            """
            ありがとう, ありがとうございます, どうもありがとう, どうもありがとうございます, ありがとうございました
            どうも, すごい, すごいですね, すばらしい, 素晴らしい, よかった, 良かった, なるほど, へえ, ごめん
            ごめんなさい, すみません, 申し訳ありません, どういたしまして, おめでとう, おめでとうございます
            面白い, 面白いですね, 残念, 残念です, 助かりました
            """
        ),
        fillers=words("ね よ"),
    ),
)  # fmt: skip
