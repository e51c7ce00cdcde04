"""What the clauses of one text do to each other: what is taken back, whom "he" means, what goes on."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise

from cogmem_core.reading.model import KEPT, TELLING, Clause, Kind, Span
from cogmem_core.reading.pack import Pack
from cogmem_core.reading.phrases import bare_span
from cogmem_core.reading.wishes import Wishes

_TOLD = ("statement", "fragment")
_TAKEN_BACK = (*_TOLD, "wish_to_keep", "question")
_PRESENT = ("i", "we", "you")
ABSENT = ("he", "she", "it", "they")
_MAY_POINT = ("wish_to_forget", "filler", "request", "question", "fragment", "statement")
_MARKS = " ,;:.!?"
_LEAD = re.compile(r"(\w[\w .'/]{0,30}?)(?:\s?:| [-\u2013])\s")
_WORD = re.compile(r"[^\W_]+(?:\.[a-z]{1,5}\b)?")
_FILE = re.compile(r"[^\W_]+\.[a-z]{1,5}")
_TO_FILL = re.compile(r"\n[ \t*#]*[^\W\d_]\w{0,20}(?:[ \t]\w{1,20}){0,2}[ \t]?:[\s*\"'`]*\Z")
"""A label at the end with nothing behind it, as of a form: "Answer:"."""
_PARTED = re.compile(
    r"\n[ \t]*(?:\n|[-=_*#]{3,}[ \t]*\n|(?=[^\W\d_]\w{0,20}(?:[ \t]\w{1,20}){0,2}[ \t]?:))"
)
_NEAR = 4  # words: "the following pieces of retrieved context"
_BEHIND_GAME = (
    2  # words, "Lass uns ein Rollenspiel machen" has one; "lyrics of Yesterday" name no game
)


def settled(wishes: Wishes, clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """The clauses of a text, each with what the others say of it."""
    folded = wishes.folded
    pack = wishes.pack
    found = list(clauses)
    for settle in (_take_back, _look_back, _cite, _receive, _join, _limit, _unsettle, _label):
        settle(folded, found, pack)
    _refer(found)
    _point(wishes, found)
    _carry(found)
    return tuple(found)


def _bare(folded: str, clause: Clause) -> Span:
    return bare_span(folded, clause.start, clause.end, "/")


def _behind_filler(folded: str, start: int, end: int, pack: Pack) -> Span:
    """Some words without the "haha" before them."""
    while True:
        stop = max(
            each.at(folded, start, end)
            for each in (pack.kinds["filler"], pack.openers["joke"], pack.openers["neutral"])
        )
        while stop < end and not folded[stop].isalnum():
            stop += 1
        if stop == start or stop >= end:
            return start, end
        start = stop


def taken_back(folded: str, start: int, end: int, pack: Pack) -> bool:
    """Whether "just kidding, ..." takes back what stands before it; "joke: ..." tells one."""
    stop = pack.openers["joke"].at(folded, start, end)
    said = pack.closers["retracted"].is_all(folded, start, stop)
    return said and folded.startswith(",", stop)


def _take_back(folded: str, found: list[Clause], pack: Pack) -> None:
    """A retraction behind a statement makes it a joke; an "I think" behind it is its doubt."""
    for index, clause in enumerate(found):
        if not index:
            continue
        span = _bare(folded, clause)
        rest = (max(clause.core[0], clause.start), clause.end)
        inner = _behind_filler(folded, *span, pack)
        alone = any(pack.closers["retracted"].is_all(folded, *each) for each in (span, rest, inner))
        if alone or taken_back(folded, *span, pack):
            before = next(
                (k for k in range(index - 1, -1, -1) if found[k].kind in _TAKEN_BACK), None
            )
            if before is not None:
                found[before] = replace(found[before], mood="joke")
        if alone:
            found[index] = Clause(clause.start, clause.end, "filler")
        elif pack.closers["unsure"].is_all(folded, *span) and found[index - 1].kind == "statement":
            found[index - 1] = _doubt(found[index - 1], folded[slice(*span)])
            found[index] = Clause(clause.start, clause.end, "filler")
        elif pack.closers["harmless"].is_all(folded, *span) and clause.kind in _TOLD:
            found[index] = Clause(clause.start, clause.end, "filler")


def _ended(folded: str, found: Sequence[Clause], index: int) -> bool:
    """Whether a sentence ends before a clause."""
    return not index or any(
        mark in ".!?\n" for mark in folded[found[index - 1].end : found[index].start]
    )


def _doubt(clause: Clause, said: str) -> Clause:
    return replace(clause, doubt=f"{clause.doubt} {said}".strip())


def _look_back(folded: str, found: list[Clause], pack: Pack) -> None:
    """What a clause says of the one before: ", said my hero" reports it, "That was years ago" dates it."""
    for index, clause in enumerate(found[1:], start=1):
        before = found[index - 1]
        if clause.kind not in _TOLD or before.kind not in (
            "statement",
            "wish_to_keep",
        ):
            continue
        said = folded[slice(*_bare(folded, clause))]
        between = folded[before.end : clause.start]
        forms = pack.forms[(said.split() or [""])[0]]
        tells = any(
            form.tense and form.person in ("", "he", "they") and pack.has("reporting", form.verb)
            for form in forms
        )
        if tells and not any(mark.isalnum() or mark in ".!?\n" for mark in between):
            found[index - 1] = replace(before, mood="reported")
        elif (
            clause.subject in ABSENT
            and (clause.tense, before.tense) in (("past", "present"), ("past", "future"))
            and clause.slot.startswith("be")
        ):
            found[index - 1] = _doubt(before, said)


def _cite(folded: str, found: list[Clause], pack: Pack) -> None:
    """What stands behind "he wrote:" is his, up to a question, a request or the end of the paragraph."""
    cited = False
    for index, clause in enumerate(found[1:], start=1):
        before = found[index - 1]
        between = folded[before.end - 1 : clause.start]
        told = clause.kind in TELLING
        begins = ":" in between and before.mood == "asserted" and reports(before, pack)
        cited = told and "\n\n" not in between and (cited or begins)
        if cited:
            found[index] = replace(clause, holder="other")


def _receive(folded: str, found: list[Clause], pack: Pack) -> None:
    """What stands behind a text that is announced is not the speaker's, up to the last line that asks.

    As in "I got this mail: ...". Behind a blank line he may speak again: "By the way, ...", "Our rule: ...".
    Of a form that points at a text and ends with a place for the answer only the part that asks is his.
    """
    form = _TO_FILL.search(folded)
    handed = form is not None and any(map(partial(_hands_over, pack), folded.split("\n")))
    told = [each for each in found if form and handed and each.end <= form.start()]
    asking = [each.start for each in told if each.kind in ("question", "request")]
    if asking:
        parts = [0, *(part.end() for part in _PARTED.finditer(folded)), len(folded)]
        start, end = next(each for each in pairwise(parts) if asking[-1] < each[1])
        for index, clause in enumerate(found):
            if clause.kind in KEPT and not start <= clause.start < end:
                found[index] = replace(clause, holder="other")
        return
    begin = next((k for k in range(1, len(found)) if _received(folded, found, k, pack)), len(found))
    lines = [folded[before.end : one.start] for before, one in pairwise(found[begin - 1 :])]
    # "Can you find me a good guide? I'm allergic to nuts": who asks for a text tells his own below.
    asks = begin < len(found) and folded[: found[begin].start].rstrip(" \n-*#").endswith("?")
    taken: Collection[Kind] = ("instruction",) if asks else KEPT
    ends = [
        k for k, line in enumerate(lines) if "\n" in line and found[begin + k].kind == "question"
    ]
    for index, line in enumerate(lines[: ends[-1] if ends else None], start=begin):
        clause = found[index]
        again = clause.subject.partition(" ")[0] in ("i", "we", "my") or (
            pack.openers["neutral"].at(folded, clause.start, clause.end) > clause.start
        )
        if clause.kind in taken and not (again and index > begin and "\n\n" in line):
            found[index] = replace(clause, holder="other")


def _received(folded: str, found: Sequence[Clause], index: int, pack: Pack) -> bool:
    """Whether a clause begins a text that the line before it announces; an order may do so in that line."""
    head = folded[: found[index].start].rstrip(" \n-*#")
    line = head.rpartition("\n")[2]
    lead = next(clause for clause in found if clause.end > len(head) - len(line))
    below = "\n" in folded[len(head) : found[index].start]
    new = below or (head[-1:] == ":" and found[index].kind == "instruction")
    return new and head[-1:] in (":", "?") and announces(line, pack, lead)


def _hands_over(pack: Pack, line: str) -> bool:
    """Whether a line that does not speak of the speaker hands over a text: "Context: ...", "Use the context below"."""
    label, colon, _ = line.partition(":")
    if colon and pack.has("texts", label.strip()):
        return True
    said = _WORD.findall(line)
    if any(
        pack.in_any(("own", "mine"), word) or pack.subjects.get(word) in ("i", "we")
        for word in said
    ):
        return False
    texts = [k for k, word in enumerate(said) if pack.has("texts", word)]
    return any(
        pack.has("pointing", word)
        and not pack.has("demonstratives", word)
        and word not in pack.subjects
        and any(abs(k - place) <= _NEAR for place in texts)
        for k, word in enumerate(said)
    )


def announces(line: str, pack: Pack, lead: Clause) -> bool:
    """Whether a lead tells of a text that was found or received: "I got this mail", "the docs page says"."""
    said = _WORD.findall(line)
    texts = (k for k, word in enumerate(said) if pack.has("texts", word) or _FILE.fullmatch(word))
    place = next(texts, None)
    if place is None or pack.has_any("own", said[max(0, place - 2) : place]):
        return False
    verb = lead.slot.partition(" ")[0]
    if lead.kind == "statement" and lead.subject not in _PRESENT and verb != "be":
        # "Commit message rules: ..." is a heading
        return lead.framed or pack.has("reporting", verb) or pack.has("determiners", said[0])
    forms = chain.from_iterable(pack.forms[word] for word in said)
    own = any(pack.subjects.get(word) in _PRESENT for word in said)
    received = any(pack.has("receiving", form.verb) for form in forms)
    return received or (not own and pack.has_any("source", said))


def reports(clause: Clause, pack: Pack) -> bool:
    """Whether a clause says what somebody else says: "My brother thinks"."""
    reporting = pack.has("reporting", clause.slot.partition(" ")[0])
    return reporting and clause.subject not in ("", *_PRESENT)


def _join(folded: str, found: list[Clause], pack: Pack) -> None:
    """What is supposed goes on behind "and": "Suppose I sold the van and moved to Porto".

    What is planned does without a subject of its own; what is wished, reported or denied may.
    """
    for index, clause in enumerate(found[1:], start=1):
        before = found[index - 1]
        joints = folded[before.end : clause.start].replace(",", " ").split()
        denial = found[index - 2] if index > 1 and before.kind == "request" else before
        if denial.negative and folded[denial.end : before.start].strip() == ",":
            # "play golf" of "I don't ski, play golf and swim" is a request by its words alone.
            before = _doubt(denial, folded[before.start : before.end])
        if clause.kind not in _TOLD or before.kind != "statement":
            continue
        if not joints or not all(pack.has("joints", word) for word in joints):
            continue
        same = clause.subject == before.subject
        first = folded[slice(*_bare(folded, clause))].partition(" ")[0]
        bare = same and first in pack.forms and first not in pack.subjects
        adds = pack.has("conjunctions", joints[0])
        supposed = adds and before.mood in ("hypothetical", "joke")
        told = adds and (before.mood in ("wished", "reported", "denied") or reports(before, pack))
        # "I'm going to quit and live in Porto"; where verbs show persons, "y vivo en Porto" is so.
        planned = adds and bare and before.mood == "planned"
        denied = bare and before.negative and not pack.has_any("contrast", joints)
        # "I don't eat nuts, drink milk and smoke", "I don't drink and smoke": "not" may be of both.
        listed = not pack.is_state(before.slot) and (before.doubt or not (adds and clause.value))
        shared = denied and listed and not pack.has_any("subordinating", joints)
        # "I used to live in Rome and work at Acme"
        over = adds and bare and before.ends and clause.tense == "present" and not clause.now
        if same and (supposed or (planned and not pack.drops_subject)):
            found[index] = replace(clause, mood=before.mood)
        elif supposed or told or denied or over:
            found[index] = _doubt(clause, folded[before.start : before.end])
            if shared and any(form.verb == first for form in pack.forms[first]):
                found[index] = replace(found[index], mood="hypothetical")


def _label(folded: str, found: list[Clause], pack: Pack) -> None:
    """A lead that nobody understands is the doubt of all that stands on its line: "priya: i quit. i moved to Bath"."""
    said, end = "", 0
    for index, clause in enumerate(found):
        lead = _LEAD.match(folded, clause.start)
        if clause.start < end:
            found[index] = _doubt(clause, said)
        elif lead and not pack.has_any("determiners", lead[1].split()):
            said = lead[1]
            told = pack.fold(f"{clause.doubt} {clause.scope} {clause.subject} ")
            valued = pack.fold(clause.value).startswith(said)
            if valued:
                found[index] = _doubt(clause, said)
            if valued or (f"{said} " in told and not pack.has("single", said)):
                end = f"{folded}\n".index("\n", clause.end)


def _limit(folded: str, found: list[Clause], pack: Pack) -> None:
    """A condition limits its neighbour; a fragment that nobody understands is the doubt of the one before."""
    for index, clause in enumerate(found):
        if clause.kind in _TOLD:
            start, _ = _bare(folded, clause)
            opens = pack.openers["condition"].at(folded, start, clause.end) > start
            if opens:
                for other in (index + 1, index - 1):
                    if other < index and _ended(folded, found, index):
                        break
                    if (
                        0 <= other < len(found)
                        and found[other].kind == "statement"
                        and found[other].mood in ("asserted", "planned")
                    ):
                        found[other] = replace(
                            found[other],
                            mood="hypothetical",
                            scope=f"{found[other].scope} {folded[clause.start : clause.end]}".strip(),
                        )
                        break
        if clause.holder == "fiction" or _pretends(folded, clause, pack):
            first = index + (clause.kind in ("question", "request"))
            for other in range(first, len(found)):
                if found[other].kind in _TOLD:
                    found[other] = replace(found[other], holder="fiction")


def _pretends(folded: str, clause: Clause, pack: Pack) -> bool:
    """Whether a request or a lead before a colon ends with a game or a story: "Let's do a role play"."""
    asked = clause.kind in ("question", "request")
    end = clause.end if asked else folded.find(":", clause.start, clause.end)
    found = pack.openers["fiction"].within(folded, clause.start, end) if end > 0 else None
    return found is not None and len(folded[found[1] : end].split()) < _BEHIND_GAME


def _unsettle(folded: str, found: list[Clause], pack: Pack) -> None:
    """What nobody understands beside a statement is its doubt (I4).

    A piece of a sentence, somebody else's text, a lead before a colon, "but ...", "That is ...".
    """
    foreign = any(clause.kind in ("quoted", "pasted") for clause in found)
    for index, clause in enumerate(found):
        if clause.kind not in ("statement", "wish_to_keep") or not clause.meant:
            continue
        said = "..." if foreign or _retracted_later(folded, found, index, pack) else ""
        before = found[index - 1] if index else None
        behind = found[index + 1] if index + 1 < len(found) else None
        if before is not None and before.kind != "filler":
            between = folded[before.end : clause.start]
            unsure = before.kind == "statement" and not before.plain
            goes_on = before.mood == "hypothetical" and before.subject == clause.subject
            joined = not any(mark.isalnum() or mark in ".!?;\n" for mark in between)
            other = before.kind in ("question", "request") and "\n" in between
            if (
                before.kind == "fragment"
                or ":" in between
                or (unsure and joined)
                or other
                or goes_on
            ):
                said = folded[before.start : before.end]
        if behind is not None and (
            behind.kind == "fragment"
            or (behind.kind == "statement" and behind.subject == "it")
            or pack.has_any("contrast", folded[clause.end : behind.start].split())
        ):
            said = folded[behind.start : behind.end]
        if said:
            found[index] = _doubt(clause, said)


def _retracted_later(folded: str, found: Sequence[Clause], index: int, pack: Pack) -> bool:
    """Whether something behind a clause takes it back: "Just kidding", "It's a joke", "These words are his"."""
    for clause in found[index + 1 :]:
        start, end = _bare(folded, clause)
        first = (folded[start:end].split() or [""])[0]
        if pack.has("demonstratives", first) and clause.kind in _TOLD:
            return True
        if pack.closers["retracted"].at(folded, start, end) > start:
            return True
        inner = pack.closers["retracted"].within(folded, start, end)
        if inner is not None and " " in folded[slice(*inner)]:
            return True
    return False


def _refer(found: list[Clause]) -> None:
    """A pronoun takes the only subject that was named before, with a doubt (I6)."""
    names: list[str] = []
    for index, clause in enumerate(found):
        if clause.subject in ABSENT:
            if len(set(names)) == 1:
                found[index] = _doubt(replace(clause, subject=names[0]), clause.subject)
        elif clause.subject and clause.subject not in _PRESENT:
            names.append(clause.subject)


def _carry(found: list[Clause]) -> None:
    """A correction that is announced goes on to the statements behind it."""
    correcting = False
    for index, clause in enumerate(found):
        if correcting and clause.kind in _TOLD and not clause.correcting:
            found[index] = replace(clause, correcting=True)
        correcting = correcting or clause.correcting


def _point(wishes: Wishes, found: list[Clause]) -> None:
    """A wish to forget "it" means what was told of before it, or what stands there if it names the memory."""
    folded = wishes.folded
    alone = [clause for clause in found if clause.kind != "filler"] or found
    if len(alone) == 1 and alone[0].kind in _MAY_POINT and wishes.points_back(*alone[0].claim):
        span = alone[0].claim
        found[found.index(alone[0])] = Clause(*span, "wish_to_forget", span)
        return
    confided = wishes.pack.kinds["confided"]
    stores = wishes.pack.kinds["stores"]
    for index, clause in enumerate(found if wishes.verbs else ()):
        points = wishes.points(*_bare(folded, clause)) if clause.kind in _MAY_POINT else None
        if points is None or clause.target not in wishes.text[slice(*points)]:
            continue
        for place in reversed(range(index + 1)):
            start, end = _bare(folded, found[place])
            end = min(end, points[0])
            told = confided.within(folded, start, end) if start < end else None
            if told is None and not (place + 1 == index and stores.within(folded, *points)):
                continue
            if told and wishes.pack.order == "verb-last":
                start, end = _before_verb(folded, start, told)
            elif told and folded[told[1] : end].strip(_MARKS):
                start = told[1]
            target = wishes.text[start:end].strip(_MARKS)
            found[index] = replace(clause, kind="wish_to_forget", target=target)
            break


def _before_verb(folded: str, start: int, told: Span) -> Span:
    """What is told where the verb comes last: before the words for it, or between them: "Sana ... söyledim"."""
    words = folded[slice(*told)]
    if told[0] > start or words.count(" ") < 2:
        return start, max(told[0], start)
    return told[0] + words.index(" "), told[0] + words.rindex(" ")
