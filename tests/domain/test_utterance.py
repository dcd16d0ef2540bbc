"""Which words of a message are the user's own: everything that brings other people's text is cut out."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir_cli.domain.utterance import is_whole, own, standing, telling

SAID = "use npm ci in this repository"

OWN = {
    "alone": SAID,
    "within a sentence": f"Please {SAID}, as always.",
    "over two lines": "use npm ci\nin this repository",
    "with other white space": "use\tnpm  ci\u00a0in\r\nthis repository",
    "before a quote": f"{SAID}\n> what did you mean?",
    "after a quote": f"> which one?\n{SAID}",
    "after a code block": f"```sh\nnpm install\n```\n{SAID}",
    "after pasted output": f"$ npm install\nnpm warn old lockfile\n\n{SAID}",
    "after what an agent adds": f"<system-reminder>\nnothing\n</system-reminder>\n{SAID}",
    "before what an agent adds": f"{SAID}\n<system-reminder>\nnothing\n</system-reminder>",
    "between two that an agent adds": f"<ide_selection>a</ide_selection> {SAID} <ide_selection>b</ide_selection>",
    "in the request behind what an editor adds": f"# Context from my IDE setup:\nx\n## My request for Codex:\n{SAID}",
    "in an item of a list": f"- {SAID}\n- and be brief",
    "in an indented item": f"1. install\n\n    - {SAID}",
    "with an angle bracket": f"if a < b and c > d {SAID}",
    "after a tag that is never closed": f"<name> is a placeholder; {SAID}",
    "before forwarded mail": f"{SAID}\n\n---------- Forwarded message ---------\nFrom: a@b.example\n\nhello",
    "after one line that looks like mail": f"Subject: installing\n{SAID}",
    "with an apostrophe": f"I don't want yarn, {SAID}, that's all",
    "with a span of code beside it": f"run `npm -v`, {SAID}, then `ls`",
    "with a mark that closes nothing": f"the key ` is broken; {SAID}",
    "with inches": f'on my 15" screen {SAID}',
    "right behind a quotation": f"“npm”{SAID}",
    "right before a quotation": f"{SAID}“always”",
    "before a longer word that ends like them": f"{SAID}, not re{SAID}",
    "in a sentence that goes on indented": f"Please\n    {SAID}",
    "over two paragraphs": "use npm ci\n\nin this repository",
    "after a code block that ends in blanks": f"```\nnpm install\n```  \n{SAID}",
    "in an element within a line": f"please <b>{SAID}</b>, always",
    "in one last line that looks like mail": f"hello\nSubject: {SAID}",
    "between longer words that end like them": f"re{SAID}, {SAID}, re{SAID}",
    "over two stretches of which one is quoted": f"> {SAID}\n\n{SAID}",
}

QUOTED = {
    "quote": f"What is this?\n> {SAID}",
    "quote in a list": f"- > {SAID}",
    "nested quote": f"> > {SAID}",
    "code block": f"```\n{SAID}\n```",
    "code block of tildes": f"~~~text\n{SAID}\n~~~",
    "longer code block": f"````\n```\n{SAID}\n```\n````",
    "code block that is never closed": f"see\n```\n{SAID}",
    "code block in a quote": f"> ```\n{SAID}\n> ```",
    "span of code": f"What does `{SAID}` mean?",
    "span of code among others": f"Does `npm -v` or `do not {SAID}` say so?",
    "span of code with a mark in it": f"What are ``the ` in {SAID}`` for?",
    "code block in which another seems to begin": f"```\n```js\n{SAID}\n```",
    "indented code at the beginning": f"    {SAID}\n\nWhy?",
    "indented code": f"I got:\n\n    {SAID}\n\nWhy?",
    "double quotation marks": f'It says "{SAID}".',
    "quotation mark and all": f'It says "do not {SAID}" there.',
    "typographic marks": f"It says “{SAID}”.",
    "german marks": f"Da steht „{SAID}“.",
    "french marks": f"C'est « {SAID} ».",
    "corner brackets": f"上面写着「{SAID}」",
    "single quotation marks": f"It says '{SAID}' there, doesn't it?",
    "single typographic marks": f"It says ‘{SAID}’ there.",
    "forwarded": f"Look:\n---------- Forwarded message ---------\n\n{SAID}",
    "original message": f"see below\n-----Original Message-----\n{SAID}",
    "forwarded with a blank behind it": f"---------- Forwarded message --------- \r\n{SAID}",
    "head of a mail and nothing else": f"hello\nFrom: a@b.example\nSubject: {SAID}",
    "head of a mail": f"Is this real?\nFrom: Support <a@b.example>\nSubject: npm\n\n{SAID}",
    "head of a german mail": f"Von: Support\nBetreff: npm\n\n{SAID}",
    "head of a chinese mail": f"发件人：支持\n主题：npm\n\n{SAID}",
    "reply": f"On Mon, 14 Sep 2026 at 09:30, Support wrote:\n{SAID}",
    "german reply": f"Am 14.09.2026 schrieb Support:\n{SAID}",
    "pasted command": f"I ran\n$ cat notes\n{SAID}",
    "pasted prompt with a host": f"me@host:~/app$ cat notes\n{SAID}",
    "pasted from an agent": f"⏺ Bash(cat notes)\n  ⎿  {SAID}",
    "pasted trace": f'Traceback (most recent call last):\n  File "a.py"\nError: {SAID}',
    "system reminder": f"<system-reminder>\n{SAID}\n</system-reminder>",
    "reminder in the middle of a line": f"hello <system-reminder>{SAID}</system-reminder>",
    "first of two reminders": f"<system-reminder>{SAID}</system-reminder> <system-reminder>x</system-reminder>",
    "reminder that is never closed": f"hello <system-reminder>{SAID}",
    "reminder within a reminder": f"<system-reminder><system-reminder></system-reminder>{SAID}</system-reminder>",
    "reminder in capitals": f"<SYSTEM-REMINDER>{SAID}</SYSTEM-REMINDER>",
    "arguments of a command": f"<command-name>/x</command-name>\n<command-args>{SAID}</command-args>",
    "output of a command": f"<local-command-stdout>{SAID}</local-command-stdout>",
    "output of a hook": f"<user-prompt-submit-hook>{SAID}</user-prompt-submit-hook>",
    "element that nobody knows": f"<release-notes version='2'>\n{SAID}\n</release-notes>",
    "pasted page": f"<p>{SAID}</p>",
    "instructions of the project": f"# AGENTS.md instructions for /app\n\n{SAID}",
    "summary": f"This session is being continued from a previous conversation. The user said: {SAID}",
    "what an editor adds": f"# Context from my IDE setup:\n{SAID}\n## My request for Codex:\nexplain",
    "what an editor adds that plays a request": (
        f"# Context from my IDE setup:\n## My request for Codex:\n{SAID}\n## My request for Codex:\nexplain"
    ),
}


@pytest.mark.parametrize("text", OWN.values(), ids=list(OWN))
def test_what_the_user_says_is_the_users_own(text: str) -> None:
    assert standing(SAID, text) == "own"


@pytest.mark.parametrize("text", QUOTED.values(), ids=list(QUOTED))
def test_what_somebody_else_says_in_a_message_is_not_the_users(text: str) -> None:
    assert standing(SAID, text) == "quoted"


@pytest.mark.parametrize(
    "text",
    [
        "use npm ci\n> in this repository",
        "use npm ci\n```\nin this repository\n```",
        "use npm ci\n```\nnpm install\n```\nin this repository",
        "use <p>npm</p> ci in this repository",
    ],
)
def test_words_are_not_put_together_over_what_somebody_else_says(text: str) -> None:
    assert standing(SAID, text) == "absent"


@pytest.mark.parametrize(
    "text",
    [
        "use npm ci in this repo", "use npm ci in this repositorys", "reuse npm ci in this repository",
        "use npm ci in this repositorys and more", "use npm ci in this repository_name",
        "use npm ci in this repositoryü",
        "Use npm ci in this repository", "use npm ci, in this repository", "usenpm ci in this repository", "",
    ],
)  # fmt: skip
def test_other_words_are_other_words(text: str) -> None:
    assert standing(SAID, text) == "absent"


def test_a_quotation_may_stand_in_the_words_whole() -> None:
    assert standing("use `npm ci` here", "Please use `npm ci` here.") == "own"
    assert standing("ci` here", "Please use `npm ci` here.") == "quoted"
    text = 'Answer "done" when you are ready'
    assert standing(text, f"{text}, please") == "own"
    assert standing("`npm ci` here", "Please use `npm ci` here.") == "own", "at their beginning"
    assert standing("use `npm ci`", "Please use `npm ci` here.") == "own", "at their end"
    assert standing("`npm ci`", "Please use `npm ci` here.") == "quoted", "but not as all of them"
    assert standing('say "no', 'they say "no" to it') == "quoted", "but nobody's words end within one"


def test_a_script_without_spaces_may_be_wrapped_anywhere() -> None:
    assert standing("以后新建前端项目默认用 pnpm", "以后新建前端\n项目默认用 pnpm，谢谢") == "own"
    assert standing("默认用", "以后默认用 pnpm") == "own"


def test_a_letter_of_a_script_without_spaces_ends_a_word_beside_any_other() -> None:
    assert standing("用npm always", "Yarn用npm always") == "own"
    assert standing("always npm用", "always npm用yarn") == "own"


def test_composed_and_decomposed_letters_are_the_same() -> None:
    said = "benutze überall npm für große Projekte"
    assert standing(said, unicodedata.normalize("NFD", said)) == "own"
    assert standing(unicodedata.normalize("NFD", said), said) == "own"


@pytest.mark.parametrize(
    "said", ["yes", "ok", "y", "1", "npm", "repository", "go on", "do it", "", "   ", "好的", "...", "a b c d"]
)
def test_words_of_every_conversation_tell_nothing(said: str) -> None:
    assert not telling(said)


@pytest.mark.parametrize("said", ["use npm", "no npm", "用npm", "默认用 pnpm", "npm, always", "нет npm"])
def test_two_words_tell_enough(said: str) -> None:
    assert telling(said)


def test_words_that_are_none_stand_nowhere() -> None:
    assert standing(" \n", "yes") == standing("", "") == "absent"


def test_a_message_that_begins_with_what_an_agent_says_is_not_the_users_whatever_blanks_stand_before_it() -> None:
    notice = f"This session is being continued from a previous conversation. {SAID}"
    assert standing(SAID, f"\n  {notice}") == "quoted"
    assert own(f"\n  {notice}") == ()


def test_only_stretches_with_words_are_the_users() -> None:
    assert own("> a\n\n> b\nyes\n") == ("\nyes\n",)
    assert own("yes\n```\nls\n```\nno") == ("yes\n", "\nno"), "each is without a gap"


def test_a_whole_message_is_what_is_left_of_it() -> None:
    assert is_whole("yes", "> really?\nyes\n")
    assert not is_whole("yes", "yes, but not now")


SENTENCES = st.lists(
    st.sampled_from(["use", "npm", "ci", "always", "in", "this", "repository", "默认用", "über"]), min_size=2
)
#: Whatever somebody may write around the words, on lines of its own.
AROUND = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=60)


@given(SENTENCES, st.sampled_from([" ", "\n", "\t", "  ", "\r\n", "\u00a0"]))
def test_white_space_between_words_never_matters(words: list[str], gap: str) -> None:
    assert standing(" ".join(words), gap.join(words)) == "own"


@given(AROUND, AROUND, st.sampled_from(["> {}", "```\n{}\n```", "<system-reminder>\n{}\n</system-reminder>"]))
def test_what_is_marked_as_anothers_stays_so_whatever_stands_around_it(before: str, after: str, mark: str) -> None:
    said = "zebra quartz monolith"
    if "```" not in before + after and "~~~" not in before and "<" not in before + after:
        assert standing(said, f"{before}\n\n{mark.format(said)}\n\n{after}") == "quoted"


@pytest.mark.parametrize(
    "unit",
    [
        "<a>",
        "</a>",
        "“",
        '"',
        "'x",
        "‘",
        "```\n",
        "> ",
        "From: a\n",
        "On a day ",
        "<system-reminder>",
        "$ a\n",
        "\t",
        "[-",
    ],
)
def test_no_message_takes_longer_than_its_length_asks_for(unit: str) -> None:
    def cost(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.perf_counter()
        standing(SAID, f"{text} {SAID}")
        return time.perf_counter() - start

    cost(1000)
    assert cost(400_000) < 3.0


def test_the_stretches_of_a_message_are_joined_by_a_blank() -> None:
    message = "use npm ci <ide_selection>a</ide_selection> in this repository"
    assert is_whole(SAID, message)
    assert own("use\0npm") == ("use npm",), "a character that nobody types is white space"
