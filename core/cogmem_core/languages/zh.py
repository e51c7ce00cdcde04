"""Chinese: questions, small talk, words as pairs of signs, dates. The rest is lacking."""

# ruff: noqa: RUF001 - another script

from cogmem_core.languages.base import SmallTalkRules, TriggerRules, WordRules
from cogmem_core.languages.plain import (
    QuestionForms,
    one_fact,
    pack,
    plain_query,
)
from cogmem_core.languages.plain_time import TimeForms, plain_times
from cogmem_core.languages.tables import phrases, words

_DIGITS = "一二三四五六"
_WEEKDAYS = {
    **{
        f"{week}{day}": number
        for week in ("周", "星期", "礼拜")
        for number, day in enumerate(_DIGITS)
    },
    **dict.fromkeys(("周日", "周天", "星期日", "星期天", "礼拜天"), 6),
}
_NUMBERS = {
    "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
}  # fmt: skip
_MONTHS = {
    **{f"{number}月": number for number in range(1, 13)},
    **{f"{word}月": number for word, number in _NUMBERS.items() if word != "两"},
    "十一月": 11,
    "十二月": 12,
}
_WEEKDAY = f"(?:{'|'.join(_WEEKDAYS)})"
_YEAR = r"(?:(?P<y>\d{4}) ?年 ?)?"

ZH = pack(
    "zh",
    words=WordRules(stop_words=frozenset(), stem=str, separate_facts=one_fact),
    time=plain_times(
        TimeForms(
            ago="<count> ?个? ?<unit>(?:以)?前",
            ahead="<count> ?个? ?<unit>(?:以|之)?后",
            past_stretch="(?:最近|过去) ?<count> ?个? ?<unit>",
            next_stretch="(?:接下来|未来) ?<count> ?个? ?<unit>",
            last_next=(
                rf"(?P<w>上|下|这)个?(?P<n>{_WEEKDAY}|周末|周|星期|礼拜|月)",
                r"(?P<w>去|今|明)(?P<n>年)",
            ),
            day_of_month=r"(?<!月)(?<!\d)(?P<x>(?P<d>\d{1,2}) ?[号])",
            year_before="在|从|自|于|是|到",
            word_end="",
        ),
        weekdays=_WEEKDAYS,
        months=_MONTHS,
        month_names=tuple(f"{number}月" for number in range(1, 13)),
        units={
            "天": "days", "日": "days", "周": "weeks", "星期": "weeks", "礼拜": "weeks",
            "月": "months", "年": "years",
        },
        numbers=_NUMBERS,
        relative_days={"今天": 0, "昨天": -1, "前天": -2, "明天": 1, "后天": 2},
        seasons={"春天": 3, "夏天": 6, "秋天": 9, "冬天": 12},
        season_names={3: "春天", 6: "夏天", 9: "秋天", 12: "冬天"},
        directions={"上": -1, "下": 1, "这": 0, "去": -1, "今": 0, "明": 1},
        weekend_names=words("周末"),
        further=(
            rf"{_YEAR}(?P<m>(?:1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月) ?(?P<d>\d{{1,2}}) ?[日号]",
            r"(?P<y>\d{4}) ?年 ?(?P<m>(?:1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月)(?! ?\d)",
            r"(?P<x>(?:19|20)\d\d) ?年(?! ?\d)",
        ),
    ),
    query=plain_query(
        QuestionForms(
            opens=".*(?:吗|呢|什么|哪里|哪儿|哪个|谁|几点|几岁|几个|多少|为什么|怎么|什么时候|是不是|有没有)",
            tells="(?:我是|我住在|我在[^哪什谁]+工作|我有[^什几多]|我叫(?!什么)|因为我|我对[^什]+过敏)",
            joints="[,;，；]",
        ),
        first_person="我|我们|咱",
        asks_when=("什么时候", "几点", "哪天", "哪年", "多久", "几号"),
    ),
    small_talk=SmallTalkRules(
        greetings=phrases(
            """
            你好, 您好, 嗨, 哈喽, 早, 早上好, 早安, 上午好, 下午好, 晚上好, 晚安, 再见, 拜拜, 明天见, 回头见
            你好吗, 最近怎么样, 周末愉快, 大家好, 很高兴认识你, 保重
            """
        ),
        confirmations=phrases(
            """
            好, 好的, 好吧, 行, 可以, 是, 是的, 对, 对的, 没错, 当然, 嗯, 嗯嗯, 不, 不是, 不用, 不用了, 不用谢谢
            明白, 明白了, 知道了, 我知道了, 我明白了, 没问题, 也许, 继续, 请继续, 同意
            """
        ),
        acknowledgements=phrases(
            """
            谢谢, 谢谢你, 谢谢您, 多谢, 非常感谢, 感谢, 太好了, 太棒了, 真棒, 很好, 不错, 厉害, 哈哈, 哈哈哈
            不客气, 没关系, 没事, 对不起, 抱歉, 不好意思, 恭喜, 恭喜你, 有意思, 辛苦了
            """
        ),
        fillers=words("了 啊 呀 吧 哦"),
    ),
    triggers=TriggerRules(
        openers=r"(?:当|如果|等到?|每次)",
        unreal=r"如果|要是|也许|可能|打算|准备|希望|应该|想|等",
        undone=r"没|不|未|别|无|尚|差点|忘了|明天",
    ),
)  # fmt: skip
