"""The command `cogm`: what became of each fact, observing instead of remembering, and looking at a conversation."""

import pytest

from helpers.loopback_llm import LoopbackServer, Reply
from helpers.model_answers import formed
from helpers.tables import each_case_of, each_row_of


@pytest.fixture
def model():
    """A language model on the loopback; yields the server and the environment that names it."""
    with LoopbackServer() as server:
        yield server, {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": server.address}


FORMED = formed("User moved to Porto", quote="I moved to Porto", entities=["Porto"])


class TestExplain:
    SAID = ("remember", "--explain", "Good morning", "I live in Berlin.", "I live in Lisbon now.")

    def test_table(self, cog):
        """Status, fact, id, reason, who decided, similarity, importance; also of what was skipped."""
        done = cog(*self.SAID, env={"COLUMNS": "160"})
        assert (done.exit_code, done.stderr) == (0, "")
        heading, *lines = [
            line.split() for line in done.stdout.splitlines() if line.strip() and "─" not in line
        ]
        assert heading == ["status", "fact", "memory", "why", "by", "similarity", "importance"]
        assert lines[0] == ["skipped", "Good", "morning", "trivial_greeting", "rules"]
        assert lines[1][:5] == ["stored", "I", "live", "in", "Berlin."]
        assert lines[1][6:8] == ["new", "rules"]
        assert lines[2][0] == "superseded"
        assert "Berlin, now Lisbon" in done.stdout
        assert done.stdout.endswith(
            "3 turns: 1 skipped, 2 stored (1 in place of an older memory)\n"
        )

    def test_long_facts_are_shortened(self, cog, ask):
        """In the table, not in the document."""
        text = "a garden with roses and " + "more roses and " * 40 + "tulips"
        assert "tulips" not in cog("remember", "--explain", "--mode", "raw", text).stdout
        (receipt,) = ask("remember", "--explain", "--mode", "raw", text)["receipts"]
        assert receipt["facts"][0]["text"] == text

    def test_json(self, ask):
        """The facts are in it, explained or not, and what a model cost."""
        for more in ((), ("--explain",)):
            answer = ask("remember", "I live in Berlin.", "-n", f"n{len(more)}", *more)
            assert sorted(answer) == [
                "completion_tokens",
                "counts",
                "degraded",
                "llm_calls",
                "prompt_tokens",
                "receipts",
            ]
            assert (answer["llm_calls"], answer["degraded"]) == (0, [])
            (fact,) = answer["receipts"][0]["facts"]
            assert (fact["status"], fact["text"], fact["by"]) == (
                "stored",
                "I live in Berlin.",
                "rules",
            )

    @each_case_of("cli_conversations/modes")
    def test_modes(self, ask, mode, kept):
        """What `--mode` says goes before the setting."""
        ask("remember", "I live in Berlin.", "--mode", mode)
        assert sorted(memory["content"] for memory in ask("list")["memories"]) == list(kept)


class TestLanguageModel:
    def test_option(self, ask, model):
        """`--llm` forms the facts; calls and tokens are told."""
        server, away = model
        server.enqueue(Reply.json(FORMED))
        answer = ask("remember", "I moved to Porto", "--llm", "openai:m", env=away)
        assert (answer["llm_calls"], answer["prompt_tokens"], answer["completion_tokens"]) == (
            1,
            11,
            7,
        )
        assert answer["receipts"][0]["facts"][0]["text"] == "User moved to Porto"
        assert server.requests[0]["model"] == "m"

    def test_environment(self, cog, model):
        """COGMEM_LLM names it for every call; an empty --llm switches it off."""
        server, away = model
        server.enqueue(Reply.json(FORMED))
        away = {**away, "COGMEM_LLM": "openai:m"}
        assert (
            "language model: 1 call, 11 tokens in, 7 out"
            in cog("remember", "--explain", "I moved to Porto", env=away).stdout
        )
        assert cog("remember", "My cat is called Mochi", "--llm", "", env=away).exit_code == 0
        assert len(server.requests) == 1

    def test_failure_is_told(self, cog, ask, model):
        """The rules decide, exit 0, and the reason is on stderr or in the document."""
        server, away = model
        server.enqueue(
            Reply.text("no JSON"),
            Reply.text("no JSON"),
            Reply.text("no JSON"),
            Reply.text("no JSON"),
        )
        done = cog("remember", "I moved to Porto", "--llm", "openai:m", env=away)
        assert (done.exit_code, done.stdout.startswith("stored  ")) == (0, True)
        assert done.stderr.startswith("degraded: form: ")
        answer = ask("remember", "My cat is called Mochi", "--llm", "openai:m", env=away)
        assert [trouble.split(":")[0] for trouble in answer["degraded"]] == ["form"]


def test_observed_names_are_cleaned(cog):
    """A stored escape sequence cannot steer the terminal."""
    cog("remember", "evil \x1b]0;title\x07 text is in Porto", "--session", "s1", "--explain")
    done = cog("list", "--session", "s1")
    assert ("evil" in done.stdout, "\x1b" in done.stdout) == (True, False)


class TestLearnt:
    def test_a_line_means_what_was_printed(self, cog, ask):
        """Whatever arrives meanwhile: its mark names the memory, and a number alone names none."""
        cog("remember", "My dog is called Rex.", "I play the oboe.")
        labels = [line.split("\t")[0] for line in cog("learnt").stdout.splitlines()[1:]]
        cog("remember", "I live in Lisbon.", "I live in Porto now.")
        assert "Porto" in cog("learnt").stdout.splitlines()[1]
        assert cog("learnt", "keep", labels[0]).stdout.startswith("kept")
        assert cog("learnt", "fix", labels[0], "My dog is called Max.").exit_code == 0
        assert cog("learnt", "forget", labels[1]).exit_code == 0
        found = {line["words"]: line["kept"] for line in ask("learnt")["lines"]}
        assert found == {"I live in Porto now": False, "My dog is called Max": True, "": False}

    @each_row_of("cli_conversations/what_is_no_act_is_refused")
    def test_what_is_no_act_is_refused(self, arguments, told, cog, failure):
        """Wrong usage changes nothing."""
        code, error = failure(cog("learnt", *arguments, "--json"))
        assert (code, told in error["message"]) == (2, True)
