"""Chinese: questions, small talk, words as pairs of signs, dates. The rest is lacking."""

# ruff: noqa: RUF001 - another script

from cogmem_core.languages.base import SmallTalkRules
from cogmem_core.languages.loading import areas_of
from cogmem_core.languages.plain import (
    QuestionForms,
    pack,
    plain_query,
)
from cogmem_core.languages.tables import phrases, words

ZH = pack(
    "zh",
    **areas_of("zh"),
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
)  # fmt: skip
