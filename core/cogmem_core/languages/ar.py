"""Arabic: questions, small talk, words, dates. The rest is lacking."""

from cogmem_core.languages.base import SmallTalkRules
from cogmem_core.languages.loading import areas_of
from cogmem_core.languages.plain import (
    QuestionForms,
    pack,
    plain_query,
)
from cogmem_core.languages.tables import phrases, words

AR = pack(
    "ar",
    **areas_of("ar"),
    query=plain_query(
        QuestionForms(
            opens="(?:هل|أين|اين|متى|من|ماذا|ما|لماذا|كيف|كم|أي|اي|مع من|منذ متى) ",
            tells="(?:أنا|انا|لدي|عندي|أعيش|اعيش|أعمل|اعمل|اسمي|أسكن) ",
            joints=r"[,;،؛]\s*",
        ),
        first_person="(?:أنا|انا|لي|عندي|لدي|نحن)",
        asks_when=("متى", "منذ متى", "في أي يوم", "في أي ساعة"),
    ),
    small_talk=SmallTalkRules(
        greetings=phrases(
            """
            مرحبا, مرحباً, أهلا, اهلا, أهلا وسهلا, السلام عليكم, وعليكم السلام, صباح الخير, مساء
            الخير
            تصبح على خير, كيف حالك, كيف الحال, مع السلامة, إلى اللقاء, الى اللقاء, أراك غدا,
            سلام, هلا
            """
        ),
        confirmations=phrases(
            """
            نعم, أجل, اجل, حسنا, حسناً, تمام, طيب, بالتأكيد, طبعا, صحيح, لا, لا شكرا, فهمت,
            موافق, ربما
            من فضلك, بالضبط, ان شاء الله, إن شاء الله
            """
        ),
        acknowledgements=phrases(
            """
            شكرا, شكراً, شكرا جزيلا, شكرا لك, ألف شكر, ممتاز, رائع, جميل, عظيم, عفوا, عفواً,
            آسف, أسف
            مبروك, لا مشكلة, لا بأس, على الرحب والسعة
            """
        ),
        fillers=words("لك يا صديقي جدا و كثيرا"),
    ),
)
