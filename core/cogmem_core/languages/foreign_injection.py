"""Orders to the model and claims in languages that have no folder of their own.

Written as the English table is.
"""

# ruff: noqa: RUF001 - other scripts

from __future__ import annotations

from cogmem_core.languages.base import PatternTable

# Rules of the one who is spoken to, or those before; not those of a game.
UNDO_DE = (
    r"(?:ignorier\w{0,4}|vergiss|missacht\w{0,4})(?: \w{1,12}){0,3}? "
    r"(?:alle\w?|jede\w?|deine\w?|bisherig\w+|vorherig\w+|obig\w+|fruher\w+|system\w*)"
    r"(?: \w{1,12}){0,3}? (?:\w{1,12})?(?:anweisung|regel|vorgabe|befehl|anordnung|instruktion)\w{0,3}"
    r"(?! (?:fur|von|des|der|beim|im|am|zum|zur|meine[rs]?)\b)"
)
UNDO_FR = (
    r"(?<!j')(?:ignore[zr]?|oublie[zr]?)(?: \w{1,12}){0,3}? (?:(?:toutes|tous|tes|vos) "
    r"(?:\w{1,12} ){0,2}?(?:instruction|consigne|regle|directive|ordre)s?"
    r"|(?:instruction|consigne|regle|directive|ordre)s? (?:precedent|anterieur|ci-dessus|du systeme))"
    r"(?! (?:du|de|des|pour)\b)"
)
UNDO_ES = (
    r"(?:ignor[ae]|olvid[ae])(?:d|n|me)?(?: \w{1,12}){0,3}? (?:(?:todas|todos|tus|sus) "
    r"(?:\w{1,12} ){0,2}?(?:instruccion|regla|orden|indicacion|directri[zc])(?:es|s)?"
    r"|(?:instruccion|regla|orden|indicacion|directri[zc])(?:es|s)? (?:anterior|previa|de arriba"
    r"|del sistema))(?! (?:de|del|para)\b)"
)

INSTRUCTIONS: PatternTable = (
    (
        ("ignorier", "vergiss", "missacht", "ab jetzt", "ab sofort", "von nun an"),
        rf"{UNDO_DE}|(?:ab jetzt|ab sofort|von nun an),? "
        r"(?!(?:[\w']{1,14} ){0,2}(?:ich|wir|esse|trinke|gehe)\b)"
        r"(?:[\w']{1,14} ){0,3}(?:immer|nie|niemals|nur|musst|sollst)",
    ),
    (
        ("ignore", "oublie", "desormais", "a partir de maintenant", "dorenavant"),
        rf"{UNDO_FR}|(?:desormais|dorenavant|a partir de maintenant),? "
        r"(?!je |j'|nous )(?:[\w']{1,14} ){0,3}(?:toujours"
        r"|jamais|uniquement"
        r"|seulement|dois|devez)",
    ),
    (
        ("ignora", "olvida", "a partir de ahora", "de ahora en adelante"),
        rf"{UNDO_ES}|(?:a partir de ahora|de ahora en adelante),? (?:[\w']{{1,14}} ){{0,3}}"
        r"(?:debes|(?:siempre|nunca|solo|solamente) (?!\w+o\b))",
    ),
    (
        ("ignore", "esqueca", "a partir de agora", "de agora em diante"),
        r"(?:ignor[ae]\w{0,3}|esquec[ae]\w{0,3})(?: \w{1,12}){0,5} (?:instruc(?:ao|oes)|regra|orden|comando"
        r"|diretriz)"
        r"|(?:a partir de agora|de agora em diante),? (?:[\w']{1,14} ){0,3}(?:sempre|nunca|apenas"
        r"|somente|deve)",
    ),
    (
        ("ignora", "dimentica", "d'ora in poi", "da ora in poi", "da adesso"),
        r"(?:ignor[ai]\w{0,3}|dimentic[ah]\w{0,3})(?: \w{1,12}){0,5} (?:istruzion|regol|comand"
        r"|direttiv"
        r"|ordin)|(?:d'ora in poi|da ora in poi|da adesso(?: in poi)?),? (?:[\w']{1,14} "
        r"){0,3}(?:sempre|mai|solo"
        r"|soltanto|devi)",
    ),
    (
        ("negeer", "vergeet", "vanaf nu"),
        r"(?:negeer|vergeet)(?: \w{1,12}){0,5} (?:instructie|regel|opdracht)"
        r"|vanaf nu,? (?:[\w']{1,14} ){0,3}(?:altijd|nooit|alleen|moet)",
    ),
    (
        ("zignoruj", "ignoruj", "zapomnij", "od teraz"),
        r"(?:z?ignoruj|zapomnij)(?: \w{1,12}){0,5} (?:instrukcj|polece|zasad|regul)"
        r"|od teraz,? (?:[\w']{1,14} ){0,3}(?:zawsze|nigdy|tylko|musisz)",
    ),
    (
        ("игнорир", "забудь", "отныне", "с этого момента", "теперь"),
        r"(?:игнориру\w{1,3}|забудь\w{0,2})(?: \w{1,14}){0,5} (?:инструкци|правил|указани|команд)"
        r"|(?:отныне"
        r"|с этого момента|теперь),? (?:[\w']{1,14} ){0,3}(?:всегда|никогда|только|должен)",
    ),
    (
        ("تجاهل", "انس", "من الان", "من الآن"),
        r"(?:تجاهل|انس)(?: \w{1,14}){0,5} (?:التعليمات|الاوامر|الأوامر|القواعد)|من (?:الان"
        r"|الآن) ?(?:فصاعدا)?\w{0,2},? (?:[\w']{1,14} ){0,3}(?:دائما|ابدا|فقط)",
    ),
    (
        ("निर्देश", "अब से"),
        r"निर्देशों?(?: \S{1,14}){0,4} (?:अनदेखा|भूल|नज़रअंदाज)|अब से(?: \S{1,14}){0,3} (?:हमेशा"
        r"|कभी)",
    ),
    (
        ("忽略", "无视", "無視", "忘记", "忘掉", "从现在", "從現在", "今后", "以后"),
        r"(?:忽略|无视|無視|忘记|忘掉|不要理会)\S{0,12}(?:指令|指示|规则|規則|提示|命令|要求)|(?:从现在|從現在|今后|以后)\S{0,6}(?:总是|總是"
        r"|始终|永远|必须"
        r"|必須|只能|都要|不要)",
    ),
    (
        ("無視", "忘れ", "今後", "これから", "今から"),
        r"(?:指示|命令|ルール|規則|プロンプト)\S{0,8}(?:無視|忘れ)|(?:今後|これから|今から)\S{0,8}(?:必ず|常に|いつも|絶対|だけ)",
    ),
    (
        ("무시", "잊어", "지금부터", "앞으로"),
        r"(?:지시|명령|규칙|지침|프롬프트)\S{0,4} ?(?:\S{1,6} ){0,2}(?:무시|잊어)"
        r"|(?:지금부터|앞으로),? (?:\S{1,10} ){0,3}(?:항상|절대|반드시|오직)",
    ),
)
CLAIMS: PatternTable = (
    (
        ("nutzer", "benutzer", "kunde"),
        r"(?:be)?nutzer\w{0,3} (?:\w{1,12} ){0,3}(?:bevorzugt|will|mochte|mag|immer|nie)",
    ),
    (
        ("l'utilisateur", "utilisateur"),
        r"utilisateur (?:\w{1,12} ){0,3}(?:prefere|veut|souhaite|aime|toujours|jamais)",
    ),
    (
        ("usuario", "utente"),
        r"(?:usuario|utente) (?:\w{1,12} ){0,3}(?:prefier|quier|desea|siempre|nunca|prefer|vuole"
        r"|sempre|mai)\w{0,3}",
    ),
    (
        ("пользователь",),
        r"пользователь (?:[\w']{1,14} ){0,3}(?:предпочита|хочет|любит|всегда|никогда)\w{0,4}",
    ),
    (
        ("用户", "用戶"),
        r"(?:用户|用戶)\S{0,6}(?:喜欢|喜歡|偏好|总是|總是|希望|想要|同意|授权|授權)",
    ),
    (("ユーザー",), r"ユーザー\S{0,8}(?:好む|好み|好き|希望|常に|いつも)"),
)
