"""What should make a reader of memories wary: words, and patterns that need one of them.

Every pattern is searched only where one of its anchors stands, and one of the words that go along with them; every
quantifier is bounded. The tables are small on purpose: they name what a memory has no reason to say, not everything
that could be said.
"""

from __future__ import annotations

from memdir_cli.shapes import dataclass

#: What turns a grant into its opposite, in the same sentence before it.
NEGATION = (
    r"(?:\b(?:not|never|cannot|only|nobody|no one|none|neither|forbidden)\b|n't\b"
    r"|不|禁止|未|只有|仅)[^.\n。，,;；]{0,40}$"
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """One way to say it.

    :ivar anchors: in lower case, one of which stands in every match: whole words of the letters a to z, or anything
        that is no ASCII.
    :ivar unless: a passage does not count where this is found right before it.
    :ivar beside: the same, of which one stands in every match as well; where there are none, none need stand there.
    """

    name: str
    anchors: tuple[str, ...]
    pattern: str
    unless: str = ""
    beside: tuple[str, ...] = ()


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


#: Up to so much of a sentence in between.
_GAP = r"[^.\n。]{0,%d}"

_INSTRUCTIONS = r"(?:instructions?|prompts?|directives?|guidelines|system message|rules|messages)"
_EARLIER = r"(?:previous|prior|above|earlier|preceding|former|foregoing|existing system)"
_HOLDINGS = (
    r"(?:requests?|prompts?|conversations?|messages?|responses?|credentials?|secrets?|tokens?|api keys?|passwords?"
    r"|source code|repository contents?|env(?:ironment)? (?:vars?|variables?)|\.env|transcripts?|user data"
    r"|chat history)"
)
_SENDING = _words("send post upload forward transmit exfiltrate leak relay mirror submit")
_SEND = rf"(?:{'|'.join(_SENDING)})"
_ADDRESS = (
    r"(?:https?://|www\.|[\w-]{1,40}\.(?:example|com|net|org|io|dev|xyz|site|top|ru|cn)\b|[\w.+-]{1,40}@[\w-]{1,40}\.)"
)

#: What somebody asks an agent, and what it answers.
_EXCHANGED = _words(
    "request requests response responses reply replies answer answers message messages conversation conversations "
    "session sessions prompt prompts turn turns"
)

#: Text that gives orders to whoever reads the memory.
INJECTION: tuple[Phrase, ...] = (
    Phrase("override", ("ignore", "disregard", "forget", "override", "bypass"),
           rf"\b(?:ignore|disregard|forget|override|bypass)\b{_GAP % 25}\b{_EARLIER}\b{_GAP % 25}\b{_INSTRUCTIONS}\b",
           beside=_words("instruction instructions prompt prompts directive directives guidelines message messages "
                         "rules")),
    Phrase("override", ("ignore", "disregard", "forget", "override"),
           r"\b(?:ignore|disregard|forget|override)\s+(?:all\s+)?(?:of\s+)?(?:your|the system|all)\s+"
           r"(?:(?:other|safety|system)\s+)?(?:instructions|prompts?|directives|guidelines|guardrails)\b",
           beside=_words("instructions prompt prompts directives guidelines guardrails")),
    Phrase("override", ("instructions",),
           r"\b(?:your|these are the|follow (?:these|the)) (?:new|real) instructions\b", beside=("new", "real")),
    Phrase("conceal", _words("tell telling inform informing notify notifying alert alerting mention mentioning "
                             "disclose disclosing"),
           r"\b(?:do not|don'?t|never|must not|without)\s+(?:ever\s+)?(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?"
           r"|alert(?:ing)?|mention(?:ing)?\s+(?:this|it|that)\s+to|disclos(?:e|ing)\s+(?:this|it|that)\s+to)\s+"
           r"(?:the\s+|your\s+)?(?:user|human|operator|developer|owner|person)\b",
           beside=_words("user human operator developer owner person")),
    Phrase("conceal", ("secretly", "silently", "quietly"),
           rf"\b(?:secretly|silently|quietly)\s+{_SEND}\b", beside=_SENDING),
    Phrase("exfiltrate", _SENDING,
           rf"\b{_SEND}\b\s+{_GAP % 30}?(?<![a-z]){_HOLDINGS}\b{_GAP % 40}?\b(?:to|via|through|at)\b\s+"
           rf"{_GAP % 20}?{_ADDRESS}",
           beside=(*_EXCHANGED, *_words("credential credentials secret secrets token tokens key keys password "
                                        "passwords source repository env environment transcript transcripts data "
                                        "history"))),
    Phrase("exfiltrate", ("http", "https"),
           r"!\[[^\]\n]{0,80}\]\(https?://[^)\s]{1,200}[?&/=][{<$%\[]{1,2}[^)\s]{0,80}"),
    Phrase("exfiltrate", ("http", "https"),
           r"(?<![a-z])https?://[^\s)]{1,200}=[{<$\[]{1,2}\s?(?:data|prompt|conversation|history|context|secrets?|user_?input"
           r"|messages?|chat|memory|memories|env|transcript|system_?prompt|output)\s?[}>\]]",
           beside=_words("data prompt conversation history context secret secrets user userinput message messages chat "
                         "memory memories env transcript system systemprompt output")),
    Phrase("every-time", ("every", "each", "all"),
           rf"\b(?:always|on|for|before|after|in|with|at the (?:start|end|beginning) of)\s+(?:every|each"
           rf"|all)\s+(?:of\s+your\s+)?"
           rf"(?:requests?|responses?|repl(?:y|ies)|answers?|messages?|conversations?|sessions?|prompts?|turns?)\b,?"
           rf"{_GAP % 30}\b(?:run|execute|curl|wget|fetch|visit|call|{_SEND})\b", beside=_EXCHANGED),
    Phrase("every-time", ("every", "each", "all"),
           rf"\b(?:run|execute|curl|wget|fetch|visit)\b{_GAP % 60}\b(?:on|for|before|after|in|with"
           rf"|at the (?:start|end|beginning) of)"
           r"\s+(?:every|each|all)\s+(?:requests?|responses?|repl(?:y|ies)|answers?|messages?|conversations?|prompts?"
           r"|turns?)\b", beside=_EXCHANGED),
    Phrase("append", ("always",),
           rf"\balways\s+(?:append|add|include|insert|put)\b{_GAP % 80}\b(?:to|in|at the end of|into)\s+"
           r"(?:your|every|each|all)\s+(?:responses?|repl(?:y|ies)|answers?|messages?|outputs?|commit messages?)\b",
           beside=_words("append add include insert put")),
    Phrase("role", ("now", "act", "pretend"),
           r"\b(?:you are now|act as|pretend to be)\s+(?:an?\s+|in\s+|the\s+)?(?:developer mode|dan|jailbroken"
           r"|unrestricted|unfiltered|root|the system|system administrator|admin(?:istrator)?)\b",
           beside=_words("developer dan jailbroken unrestricted unfiltered root system admin administrator")),
    Phrase("addressed", ("note", "notes", "message", "instructions", "attention"),
           r"\b(?:notes?|message|instructions|attention)(?:\s+(?:to|for))?\s+(?:all\s+|any\s+|the\s+)?(?:ai|llm)"
           r"[\s-]+(?:assistants?|agents?|models?|bots?)\s*[:,.!—-]", beside=("ai", "llm")),
    Phrase("markup", ("system", "inst", "im", "sys", "endoftext"),
           r"<\|(?:im_start|system|endoftext)\|>|\[/?INST\]|<<SYS>>|<\s*/?\s*system(?:[-_ ](?:prompt|reminder"
           r"|message))?\s*>"),
    Phrase("override-zh", ("忽略", "无视", "忘记", "忽視", "不要理会", "覆盖"),
           r"(?:忽略|无视|忘记|忽視|不要理会|覆盖)[^。\n]{0,8}(?:之前|以前|上面|以上|先前|前面|此前|一切|系统)[^。\n]{0,8}"
           r"(?:指令|指示|提示词?|规则|命令|要求|設定|设定)"),
    Phrase("conceal-zh", ("告诉", "告知", "通知", "提醒", "让用户", "让使用者", "让人类", "让主人", "让开发者"),
           r"(?:不要|别|切勿|请勿|不得|不能|无需)(?:告诉|告知|通知|提醒|让)(?:用户|使用者|人类|主人|开发者)"),
    Phrase("every-time-zh", ("每次", "每个", "所有", "每一次", "任何"),
           r"(?:每次|每个|所有|每一次|任何)[^。\n]{0,6}(?:请求|对话|回复|回答|消息|会话|响应)[^。\n]{0,12}"
           r"(?:访问|执行|运行|发送|转发|附加|追加|上传|附上|调用)"),
    Phrase("exfiltrate-zh", ("发送", "上传", "转发", "提交", "发到", "发给", "发至"),
           r"(?:把|将|请)[^。\n把将请]{0,30}(?:发送|上传|转发|提交|发)(?:到|至|给)[^。\n]{0,12}(?:https?://|www\."
           r"|[\w.-]{1,60}\.[a-z]{2,8}|@)"),
    Phrase("override-de", _words("anweisungen regeln befehle instruktionen"),
           r"\b(?:ignorier\w{0,4}|vergiss|vergessen sie)\b[^.\n]{0,20}\b(?:vorherig|bisherig|obig|früher"
           r"|vorangegangen)\w{0,3}\b"
           r"[^.\n]{0,20}\b(?:anweisungen|regeln|befehle|instruktionen)\b"),
    Phrase("override-fr", ("instructions", "consignes", "règles"),
           r"\b(?:ignore[zr]?|oublie[zr]?)\b[^.\n]{0,20}\b(?:instructions|consignes"
           r"|règles)\b[^.\n]{0,20}\b(?:précédente|antérieure)s?",
           beside=_words("ignore ignorez ignorer oublie oubliez oublier")),
    Phrase("override-es", ("instrucciones", "instruções", "reglas", "regras"),
           r"\b(?:ignor[aeá]\w{0,2}|olvid[ae]\w{0,2}|esque[çc]\w{1,3})\b[^.\n]{0,20}\b(?:instru(?:cciones"
           r"|ções)|reglas|regras)\b"
           r"[^.\n]{0,20}\banterior(?:es)?\b"),
    Phrase("override-ru", ("игнориру", "забудь"),
           r"(?:игнорируй\w{0,2}|забудь\w{0,2})[^.\n]{0,20}(?:предыдущ|прежни"
           r"|прошлы)\w{1,4}[^.\n]{0,20}(?:инструкци|указани|правил)"),
    Phrase("override-ja", ("無視", "忘れ"),
           r"(?:以前|これまで|上記|前)の[^。\n]{0,8}(?:指示|命令|プロンプト|ルール)[^。\n]{0,8}(?:無視|忘れ)"),
    Phrase("override-ko", ("무시", "잊"),
           r"(?:이전|위의|앞의|기존)[^.\n]{0,10}(?:지시|명령|프롬프트|규칙)[^.\n]{0,8}(?:무시|잊)"),
)  # fmt: skip

_DEEDS = (
    r"(?:delet(?:e|ing)|remov(?:e|ing)|drop(?:ping)?|wip(?:e|ing)|eras(?:e|ing)|force[- ]push(?:ing)?"
    r"|push(?:ing)?|deploy(?:ing)?"
    r"|publish(?:ing)?|merg(?:e|ing)|releas(?:e|ing)|overwrit(?:e|ing)|reset(?:ting)?|rm -rf|commit(?:ting)?"
    r"|install(?:ing)?"
    r"|execut(?:e|ing)|run(?:ning)?|purchas(?:e|ing)|pay|transfer|send(?:ing)?|us(?:e"
    r"|ing) (?:\w+ ){0,3}(?:credentials?|secrets?|tokens?|passwords?|keys?))"
)
_ASKING = (
    r"(?:asking|confirm\w*|approval|permission|consent|review(?:ing)?|prompt\w*|checking (?:with|first)|being asked)"
)

#: Text that grants something.
PERMISSION: tuple[Phrase, ...] = (
    Phrase("without-asking", ("without", "w"),
           rf"\b{_DEEDS}\b{_GAP % 50}\b(?:without|w/o)\s+(?:\w+\s+){{0,2}}{_ASKING}\b", NEGATION),
    Phrase("not-asking", ("ask",),
           rf"\b(?:don'?t|do not|never)\s+ask\b(?:\s+(?:me|the user|anyone|anybody|first))?"
           rf"(?:\s+before\s+|\s*[,;:]?\s*(?:just|simply)\s+)(?:\w+\s+){{0,2}}?{_DEEDS}\b"
           rf"|\bask\s+(?:nobody|no one)\b",
           beside=("before", "just", "simply", "nobody", "one")),
    Phrase("taken-as-approved", ("approved", "authorized", "authorised", "confirmed"),
           rf"\b(?:treat|consider|regard|count)\b{_GAP % 40}\bas\s+(?:already\s+)?(?:pre-)?"
           rf"(?:approved|authori[sz]ed|confirmed)\b", NEGATION, beside=("treat", "consider", "regard", "count")),
    Phrase("grant-yourself", ("grant", "give"),
           r"\b(?:grant|give)\s+yourself\b|\bgrant\s+(?:itself|the agent)\b", NEGATION,
           beside=("yourself", "itself", "agent")),
    Phrase("sandbox", ("sandbox", "guardrails"),
           r"\b(?:bypass|escape|break out of)\s+(?:the\s+|your\s+|all\s+)?(?:sandbox|guardrails)\b",
           NEGATION, beside=("bypass", "escape", "break")),
    Phrase("without-asking", ("without",),
           rf"\b(?:may|can|could|allowed to|free to|permitted to|authori[sz]ed to"
           rf"|ok(?:ay)? to)\b(?! not\b){_GAP % 60}\bwithout\s+"
           rf"(?:\w+\s+){{0,2}}{_ASKING}\b", NEGATION),
    Phrase("no-confirmation", _words("confirmation confirmations approval approvals permission permissions "
                                      "consent ask"),
           r"\bno\s+(?:\w+\s+){0,2}(?:confirmation|approval|permission|consent)\s+(?:is\s+)?(?:needed|required"
           r"|necessary)\b"
           r"|\b(?:don'?t|do not|no|never)\s+need\s+to\s+ask\b"
           r"|\b(?:skip|bypass|disable)\s+(?:the\s+|all\s+|any\s+)?(?:confirmation|approval|permission)s?\b"
           r"|\b(?:don'?t|do not|never)\s+(?:ask|wait)\s+(?:me\s+"
           r"|the user\s+)?for\s+(?:\w+\s+)?(?:confirmation|approval|permission|consent)\b(?! of\b)"),
    Phrase("allowed", ("allowed", "permitted", "authorized", "authorised", "permission", "free"),
           rf"(?<!feel )\b(?:allowed|permitted|authori[sz]ed|(?:has|have|had|given"
           rf"|granted)\s+(?:\w+\s+)?permission|free)"
           rf"\s+to\s+(?:\w+\s+){{0,2}}?{_DEEDS}\b", NEGATION),
    Phrase("allowed", ("permission",),
           r"\b(?:you|the agent|agents?|the assistant|claude|codex|gemini|copilot)\s+(?:now\s+|always\s+)?ha(?:ve|s)\s+"
           r"(?:\w+\s+){0,2}?permission\s+to\b", NEGATION, beside=("have", "has")),
    Phrase("pre-approved", _words("approved approve approves preapproved autoapprove autoapproved autoapproves blanket "
                                  "standing dangerously"),
           r"\b(?:pre-?approved|auto-?approve[ds]?|blanket (?:permission|approval)|standing approval)\b"
           r"|--dangerously-\w+"),
    Phrase("agent-may", ("may",),
           rf"\b(?:you|the agent|agents?|the assistant|claude|codex|gemini|copilot)\s+may\s+(?:always\s+"
           rf"|freely\s+|directly\s+)?{_DEEDS}\b", NEGATION),
    Phrase("no-confirmation-zh", ("无需", "無需", "不用", "不必", "无须", "無須", "毋需", "毋须", "不需要", "不经",
                                  "不經", "跳过", "跳過", "绕过", "繞過", "免"),
           r"(?:无需|無需|不用|不必|无须|無須|毋需|毋须|不需要|不经|不經|跳过|跳過|绕过|繞過)(?:再|先|经过?|經過?|向|任何|所有|一切|征求|徵求|征得"
           r"|徵得)?(?:用户|用戶|人工|我|他们|他們|任何人)?的?(?:再次|二次)?"
           r"(?:确认|確認|询问|詢問|批准|同意|许可|許可|审批|審批|授权|授權|请示|請示|问|問)", NEGATION),
    Phrase("not-asking-zh", ("请示", "請示", "征求", "徵求", "询问", "詢問"),
           r"(?:不要|别|別|不再)(?:再|先|向)?(?:用户|用戶|我|任何人)?(?:请示|請示|征求|徵求|(?:询问|詢問)(?:用户|用戶|我|任何人))"),
    Phrase("pre-approved-zh", ("批准", "同意", "授权", "授權", "核准"),
           r"(?:自动|自動|默认|默認|預設|一律)(?:批准|同意|授权|授權|核准)(?:所有|任何|一切|全部|每|执行|執行|删除|刪除|推送|部署)"
           r"|(?:用户|用戶|使用者|我)(?:已经|已經|已)(?:批准|同意|授权|授權|核准)[^。，\n]{0,4}(?:所有|任何|一切|全部|删除|刪除|推送|部署|执行|執行)",
           NEGATION),
    Phrase("allowed-zh", ("可以", "允许", "有权", "准许", "授权", "可"),
           r"(?:可以?|允许|有权|准许|授权)(?:你|Agent|agent|助手|模型)?(?:直接|随意|自行|任意|自动)(?:\w{0,6})"
           r"(?:删除|推送|部署|发布|合并|覆盖|提交|执行|使用)", NEGATION),
    Phrase("allowed-zh", ("允许", "有权", "准许", "授权"),
           r"(?:允许|有权|准许|已?授权)(?:你|Agent|agent|助手|模型)?[^。，\n]{0,6}(?:删除|推送|部署|发布|强推|执行(?:任何|所有|一切)"
           r"|使用[^。，\n]{0,6}(?:凭证|凭据|密钥|令牌|密码))", NEGATION),
)  # fmt: skip

#: Words that claim to hold everywhere or for ever.
UNIVERSAL: tuple[Phrase, ...] = (
    Phrase("universal", _words("always never every everywhere everything everyone everybody everytime all anywhere "
                               "anything anytime whenever forever"),
           r"\b(?:always|never|every(?:where|thing|one|body|time)?|all|any(?:where|thing|time)|whenever|forever)\b"),
    Phrase("universal-zh", ("始终", "所有", "永远", "总是", "一律", "全部", "任何", "从不", "绝不",
           "每次", "到处", "一切", "永久", "都要"),
           r"始终|所有|永远|总是|一律|全部|任何|从不|绝不|每次|到处|一切|永久|都要"),
    Phrase("universal-other", ("immer", "niemals", "toujours", "jamais", "siempre", "nunca", "всегда",
           "никогда", "常に", "必ず", "항상"),
           r"\b(?:immer|niemals|toujours|jamais|siempre|nunca|всегда|никогда)\b|常に|必ず|항상"),
)  # fmt: skip

#: Words that end soon.
TEMPORARY: tuple[Phrase, ...] = (
    Phrase("temporary", ("this",),
           r"\bthis (?:time|once|week|month|sprint|morning|afternoon|session|task|one time|demo)\b",
           beside=_words("time once week month sprint morning afternoon session task demo")),
    Phrase("temporary", _words("today tonight tomorrow now moment being temporary temporarily once off meanwhile "
                               "interim"),
           r"\b(?:today(?!'s date)|tonight|tomorrow|for now|for the (?:moment|time being)|at the moment|right now"
           r"|temporar(?:y|ily)(?! (?:file|director|folder|path|table))"
           r"|just (?:this )?once|one-off|meanwhile|in the interim)\b"),
    Phrase("until", ("until", "till"),
           r"(?<!wait )(?<!waits )(?<!retry )(?<!poll )(?<!loop )(?<!block )(?<!valid )(?<!not )\b(?:until|till)\s+"
           r"(?:further notice|next|tomorrow|tonight|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
           r"|january|february|march"
           r"|april|may\b|june|july|august|september|october|november|december|q[1-4]\b|the (?:end|release"
           r"|launch|demo|deadline|migration|merge"
           r"|fix|freeze|next)|we\b|then\b|v?\d)"),
    Phrase("temporary-zh", ("这次", "今天", "暂时", "临时", "本次", "这周", "本周", "这一次",
           "今晚", "明天", "目前先", "先用", "这回", "眼下", "暂且"),
           r"这次|今天|暂时|临时(?!文件|目录|表)|本次|这周|本周|这一次|今晚|明天|目前先|先用着|这回|眼下|暂且"),
    Phrase("temporary-other", ("heute", "diesmal", "vorerst", "vorläufig", "aujourd", "cette", "ahora", "vez", "hoy",
                               "сегодня", "в этот раз", "пока что", "今日", "今回", "とりあえず", "오늘", "이번"),
           r"\b(?:heute|diesmal|vorerst|vorläufig|aujourd'hui|cette fois|por ahora|esta vez|hoy|сегодня"
           r"|в этот раз|пока что)\b"
           r"|今日|今回(?:だけ|は)|とりあえず|오늘|이번에?만?"),
)  # fmt: skip
