"""Japanese: questions, small talk, words as pairs of signs, dates. The rest is lacking."""

from cogmem_core.languages.base import SmallTalkRules, TriggerRules, WordRules
from cogmem_core.languages.plain import (
    QuestionForms,
    one_fact,
    pack,
    plain_query,
)
from cogmem_core.languages.plain_time import TimeForms, plain_times
from cogmem_core.languages.tables import phrases, words

_WEEKDAYS = {f"{day}曜日": number for number, day in enumerate("月火水木金土日")}
_NUMBERS = {
    "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
}  # fmt: skip
_MONTHS = {
    **{f"{number}月": number for number in range(1, 13)},
    **{f"{word}月": number for word, number in _NUMBERS.items()},
    "十一月": 11,
    "十二月": 12,
}
_WEEKDAY = f"(?:{'|'.join(_WEEKDAYS)})"

JA = pack(
    "ja",
    words=WordRules(stop_words=frozenset(), stem=str, separate_facts=one_fact),
    time=plain_times(
        TimeForms(
            ago="<count> ?<unit>前",
            ahead="<count> ?<unit>後",
            past_stretch="(?:ここ|過去) ?<count> ?<unit>",
            next_stretch="今後 ?<count> ?<unit>",
            last_next=(
                rf"(?P<w>先週|来週|今週)の(?P<n>{_WEEKDAY})",
                r"(?P<w>先|来|今)(?P<n>週末|週|月(?!曜))",
                r"(?P<w>去|来|今)(?P<n>年)",
            ),
            day_of_month=r"(?<!月)(?<!\d)(?P<x>(?P<d>\d{1,2}) ?日)(?!間|前|後)",
            year_before="は",
            word_end="",
        ),
        weekdays=_WEEKDAYS,
        months=_MONTHS,
        month_names=tuple(f"{number}月" for number in range(1, 13)),
        units={
            "日": "days", "日間": "days", "週間": "weeks", "週": "weeks", "か月": "months",
            "ヶ月": "months", "カ月": "months", "月": "months", "年": "years",
        },
        numbers=_NUMBERS,
        relative_days={
            "今日": 0, "昨日": -1, "きのう": -1, "一昨日": -2, "おととい": -2, "明日": 1, "あした": 1,
            "明後日": 2, "あさって": 2,
        },
        seasons={"春": 3, "夏": 6, "秋": 9, "冬": 12},
        season_names={3: "春", 6: "夏", 9: "秋", 12: "冬"},
        directions={"先": -1, "来": 1, "今": 0, "去": -1, "先週": -1, "来週": 1, "今週": 0},
        weekend_names=words("週末"),
        further=(
            r"(?:(?P<y>\d{4}) ?年 ?)?(?P<m>(?:1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月) ?(?P<d>\d{1,2}) ?日",
            r"(?P<y>\d{4}) ?年 ?(?P<m>(?:1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月)(?! ?\d)",
            r"(?P<x>(?:19|20)\d\d) ?年(?! ?\d)",
        ),
    ),
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
    triggers=TriggerRules(
        # Endings deny and wish: no boundary stands before them.
        unreal=r"もし|たぶん|おそらく",
        undone=(
            r"ない|なかった|なく|ません|ずに|まだ|未|たい|つもり|予定|かもしれ|でしょう|だろう"
            r"|たら|れば"
        ),
    ),
)  # fmt: skip
