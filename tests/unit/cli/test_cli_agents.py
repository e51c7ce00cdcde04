"""The commands about intentions, procedures, review and sharing: in words and as JSON."""


class TestIntentions:
    def test_from_intending_to_done(self, cog, ask):
        """Handed out once; a short id is enough."""
        cog("remember", "I live in Lisbon")
        kept = ask("intend", "give", "the", "keys", "back", "--when", "Anna calls")
        assert (kept["text"], kept["when"], kept["state"]) == (
            "give the keys back",
            "Anna calls",
            "open",
        )
        assert ask("due", "I like tea") == {"due": []}
        assert [i["id"] for i in ask("due", "Anna just called")["due"]] == [kept["id"]]
        assert "nothing is due" in cog("due", "Anna just called").stdout
        shown = cog("intentions", "--state", "fired").stdout
        assert "when: Anna calls" in shown
        assert "give the keys back" in shown
        assert ask("settle", kept["id"][-12:], "done")["state"] == "done"
        assert ask("intentions", "--state", "open") == {"intentions": []}

    def test_what_recurs_and_what_is_wrong(self, cog, ask):
        cog("remember", "I live in Lisbon")
        at = "2126-06-01T09:00:00+02:00"
        kept = ask(
            "intend", "stand up", "--at", at, "--every", "day", "--times", "3", "--zone", "UTC"
        )
        assert (kept["every"], kept["at"]) == ("FREQ=DAILY;COUNT=3", "2126-06-01T07:00:00+00:00")
        failed = cog("intend", "stand up", "--at", at, "--every", "day")
        assert (failed.exit_code, "no end" in failed.stderr) == (2, True)
        for extra in ((), ("--when", "Anna calls", "--next-session")):
            failed = cog("intend", "stand up", *extra)
            assert (failed.exit_code, "give one of --at" in failed.stderr) == (2, True)
        for words, told in (
            (("settle", "0" * 12, "done"), "`cogm intentions` and `cogm procedures` show the ids"),
            (("unseal", "money"), "`cogm seal` lists what is"),
            (("procedures", "--skill", "0" * 12), "an id that `cogm procedures` shows"),
        ):
            unknown = cog(*words)
            assert (unknown.exit_code, told in unknown.stderr) == (1, True), unknown.stderr
        assert cog("procedures").stdout == "no procedure yet\n"


class TestProcedures:
    def test_from_a_skill_to_the_list_and_back(self, cog, ask, tmp_path):
        cog("remember", "I live in Lisbon")
        file = tmp_path / "SKILL.md"
        file.write_text("---\nname: keys\ndescription: unlock the door\n---\n1. open\n2. turn\n")
        assert ask("import", "--format", "skill", str(file))["stored"] == 1
        (kept,) = ask("procedures")["procedures"]
        assert (kept["trigger"], kept["steps"]) == ("unlock the door", ["open", "turn"])
        assert "0 of 0" in cog("procedures").stdout
        assert cog("procedures", "--skill", kept["id"][-12:]).stdout.startswith("---\nname: keys\n")
        assert ask("settle", kept["id"], "rejected")["state"] == "retired"
        assert "no such procedure" in cog("procedures", "--state", "active").stdout


class TestReview:
    def test_from_waiting_to_decided(self, cog, ask, folder):
        """A short id is enough, of the review or of what waits; what is no open question fails."""
        (folder / "cogmem.toml").write_text('[guard]\nreview = ["untrusted"]\n')
        for number in (1, 2):
            cog("remember", f"Room {number} is painted green.", "--role", "assistant")
        first, second = ask("review", "list")["reviews"]
        assert (first["kind"], first["content"]) == ("untrusted", "Room 1 is painted green.")
        assert "Room 2 is painted green." in cog("review", "list").stdout
        assert ask("review", "approve", first["id"][-12:])["state"] == "approved"
        assert "rejected: Room 2" in cog("review", "reject", second["target_id"][-12:]).stdout
        assert "nothing waits" in cog("review", "list").stdout
        assert len(ask("review", "list", "--state", "rejected")["reviews"]) == 1
        decided = cog("review", "approve", first["id"])
        assert (decided.exit_code, "approved already" in decided.stderr) == (2, True)


class TestSharing:
    def test_from_a_principal_to_what_was_decided(self, cog, ask):
        """Granted, listed, revoked, all on record; what is wrong changes nothing."""
        assert "no principal yet" in cog("principals").stdout
        assert ask("principal", "ann")["kind"] == "person"
        assert cog("principal", "scout", "--kind", "agent", "--owner", "ann").stdout == (
            "scout: agent of ann\n"
        )
        given = ask("grant", "ann", "team/*", "write", "--reason", "her team")
        assert (given["right"], given["effect"], given["namespaces"]) == (
            "write",
            "allow",
            "team/*",
        )
        cog("grant", "scout", "team/pay", "read", "--deny")
        shown = cog("grants").stdout
        assert ("her team" in shown, "deny read" in shown) == (True, True)
        assert [g["principal"] for g in ask("grants", "scout")["grants"]] == ["scout"]
        assert ask("revoke", given["id"][-12:])["revoked_at"]
        assert [g["id"] for g in ask("grants", "ann")["grants"]] == []
        assert "revoked" in cog("grants", "--revoked").stdout
        assert [e["act"] for e in ask("access", "--of", "ann")["access"]] == [
            "principal",
            "grant",
            "revoke",
        ]
        assert "her team" in cog("access").stdout
        assert [p["name"] for p in ask("principals")["principals"]] == ["ann", "scout"]
        wrong = (
            (1, "no principal", ("grant", "ben", "team/*", "read")),
            (2, "circle", ("principal", "ann", "--kind", "agent", "--owner", "scout")),
            (2, "star", ("grant", "ann", "te*m", "read")),
            (2, "read, write, review", ("grant", "ann", "team", "own")),
        )
        for code, told, arguments in wrong:
            failed = cog(*arguments)
            assert (failed.exit_code, told in failed.stderr) == (code, True), failed.stderr
