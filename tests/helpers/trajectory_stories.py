"""Trajectories of agents that are scripts, with what may be asked about them; everything follows from a seed. Pure.

Each story is a list of observations in three kinds of worlds: things are moved, switches change,
something is found, something happens for a reason. A question asks for one of four: what was seen
(recall), why something happened (cause), where a thing is by now (state), or how many switches
stand one way (abstraction). A reader that is a script answers from the texts it is given.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = ["KINDS", "PLACES", "Kind", "Place", "Question", "Story", "answered", "told"]

Kind = Literal["recall", "cause", "state", "abstraction"]
KINDS: tuple[Kind, ...] = ("recall", "cause", "state", "abstraction")
_STEPS = 60
_IDLE = 0.3  # of the steps


@dataclass(frozen=True)
class Place:
    """A kind of world, as templates.

    Attributes:
        name: of the world.
        things: what is moved.
        spots: where things may be.
        moved: an observation, with places for thing and spot.
        where: the question for the spot of a thing.
        switches: what is in one of two states.
        on: an observation, with a place for the switch.
        off: the opposite.
        count: the question for how many are on.
        finds: pairs of a hiding place and what is seen there, each once.
        found: the observation.
        what: the question.
        causes: pairs of what happened and why, each once.
        because: the observation.
        why: the question.
        idle: an observation that nobody asks for, with a place for the spot.
    """

    name: str
    things: tuple[str, ...]
    spots: tuple[str, ...]
    moved: str
    where: str
    switches: tuple[str, ...]
    on: str
    off: str
    count: str
    finds: tuple[tuple[str, str], ...]
    found: str
    what: str
    causes: tuple[tuple[str, str], ...]
    because: str
    why: str
    idle: str


@dataclass(frozen=True)
class Question:
    """A question with its one answer.

    Attributes:
        kind: what it asks for.
        text: in words.
        about: the thing, hiding place or event; empty if it is about all switches.
        answer: what is right.
    """

    kind: Kind
    text: str
    about: str
    answer: str


@dataclass(frozen=True)
class Story:
    """What was observed, oldest first, and what is asked."""

    place: Place
    observations: tuple[str, ...]
    questions: tuple[Question, ...]


PLACES = (
    Place(
        name="household",
        things=("brass key", "red lamp", "ladder", "blue vase", "toolbox", "map"),
        spots=("kitchen", "cellar", "attic", "study", "hall", "shed"),
        moved="I put the {thing} into the {spot}.",
        where="Where is the {thing} now?",
        switches=("cellar door", "front door", "pantry door", "garage door", "garden door"),
        on="I opened the {switch}.",
        off="I closed the {switch}.",
        count="How many doors are open now?",
        finds=(
            ("green carpet", "a torn ticket"),
            ("stone bench", "a silver coin"),
            ("old piano", "two marbles"),
            ("laundry basket", "a letter from Ida"),
        ),
        found="Under the {about} I found {answer}.",
        what="What did I find under the {about}?",
        causes=(
            ("the alarm rang", "I forced the window of the study"),
            ("the lights went out", "I plugged in the heater"),
            ("the cat ran away", "I left the gate unlocked"),
            ("the soup burnt", "I went up to fix the antenna"),
        ),
        because="Because {answer}, {about}.",
        why="Why is it that {about}?",
        idle="I looked around the {spot} and saw nothing new.",
    ),
    Place(
        name="files",
        things=("budget.csv", "minutes.txt", "logo.svg", "roster.xlsx", "draft.md", "notes.txt"),
        spots=("inbox", "archive", "shared", "backup", "drafts", "exports"),
        moved="Moved the file {thing} to the folder {spot}.",
        where="In which folder is the file {thing} now?",
        switches=("nightly job", "sync job", "mail job", "report job", "cleanup job"),
        on="Enabled the {switch}.",
        off="Disabled the {switch}.",
        count="How many jobs are enabled now?",
        finds=(
            ("invoice-17", "the total of 412 euros"),
            ("invoice-23", "the total of 96 euros"),
            ("contract-b", "a term of three years"),
            ("readme-old", "the author Tomas"),
        ),
        found="In {about} I read {answer}.",
        what="What did I read in {about}?",
        causes=(
            ("the upload of the sales figures failed", "the disk of the server was full"),
            ("the print of the poster stopped", "the cyan cartridge was empty"),
            ("the login of the guest account was refused", "its password had expired"),
            ("the build of the website broke", "somebody renamed the stylesheet"),
        ),
        because="Because {answer}, {about}.",
        why="Why is it that {about}?",
        idle="Listed the folder {spot}, no changes.",
    ),
    Place(
        name="tickets",
        things=("ticket 14", "ticket 27", "ticket 31", "ticket 48", "ticket 52", "ticket 66"),
        spots=("Ames", "Bell", "Cole", "Dunn", "Ekes", "Fynn"),
        moved="Assigned {thing} to {spot}.",
        where="Who is {thing} assigned to now?",
        switches=("billing queue", "returns queue", "sales queue", "press queue", "spare queue"),
        on="Opened the {switch}.",
        off="Shut the {switch}.",
        count="How many queues are open now?",
        finds=(
            ("customer Gale", "a wish for a blue cover"),
            ("customer Hart", "an order of nine chairs"),
            ("customer Ives", "a move to Trieste"),
            ("customer Jobs", "an allergy to wool"),
        ),
        found="The file of {about} mentions {answer}.",
        what="What does the file of {about} mention?",
        causes=(
            ("the refund of the bicycle was denied", "the receipt was from another shop"),
            ("the parcel with the lamp came back", "the house number was missing"),
            ("the discount for the school was cancelled", "nobody sent the form"),
            ("the delivery of the piano was late", "the lift in the building was broken"),
        ),
        because="Because {answer}, {about}.",
        why="Why is it that {about}?",
        idle="Checked in with {spot}, nothing to report.",
    ),
)


def told(place: Place, seed: int) -> Story:
    """One trajectory of an agent, and the questions about it."""
    chance = random.Random(f"{place.name}-{seed}")
    observations = [
        place.found.format(about=about, answer=answer) for about, answer in place.finds
    ] + [place.because.format(about=about, answer=answer) for about, answer in place.causes]
    where: dict[str, str] = {}
    is_on: dict[str, bool] = {}
    steps: list[str] = []
    for number in range(_STEPS):
        if chance.random() < _IDLE:
            steps.append(place.idle.format(spot=chance.choice(place.spots)))
        elif number % 2:
            thing = chance.choice(place.things)
            where[thing] = chance.choice([spot for spot in place.spots if spot != where.get(thing)])
            steps.append(place.moved.format(thing=thing, spot=where[thing]))
        else:
            switch = chance.choice(place.switches)
            is_on[switch] = not is_on.get(switch, False)
            template = place.on if is_on[switch] else place.off
            steps.append(template.format(switch=switch))
    for observation in observations:
        steps.insert(chance.randrange(len(steps)), observation)
    questions = [
        *(Question("recall", place.what.format(about=a), a, b) for a, b in place.finds),
        *(Question("cause", place.why.format(about=a), a, b) for a, b in place.causes),
        *(Question("state", place.where.format(thing=a), a, b) for a, b in sorted(where.items())),
        Question("abstraction", place.count, "", str(sum(is_on.values()))),
    ]
    return Story(place, tuple(steps), tuple(questions))


def answered(story: Story, question: Question, texts: Sequence[str]) -> str:
    """What a reader says who believes the first text that speaks of it; empty if none does.

    Args:
        story: what it is about.
        question: what is asked.
        texts: what the reader is given; what counts most stands first.
    """
    place = story.place
    if question.kind == "abstraction":
        states = dict(reversed([state for text in texts for state in _states(place, text)]))
        return str(sum(states.values())) if texts else ""
    template = {"recall": place.found, "cause": place.because, "state": place.moved}[question.kind]
    pattern = _pattern(template, question.about)
    matches = (pattern.search(text) for text in texts)
    return next((match["answer"] for match in matches if match), "")


def _states(place: Place, text: str) -> Iterator[tuple[str, bool]]:
    for switch in place.switches:
        if place.on.format(switch=switch) in text:
            yield switch, True
        elif place.off.format(switch=switch) in text:
            yield switch, False


def _pattern(template: str, about: str) -> re.Pattern[str]:
    """Reads the answer out of an observation about something."""
    escaped = re.escape(template)
    for name in ("about", "thing"):
        escaped = escaped.replace(rf"\{{{name}\}}", re.escape(about))
    for name in ("answer", "spot"):
        escaped = escaped.replace(rf"\{{{name}\}}", "(?P<answer>.{1,80}?)")
    return re.compile(escaped)
