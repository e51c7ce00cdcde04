"""Common English verbs, and the marks of a finite Turkish verb, as `fold_letters` writes them.

A verb that is missing only makes the splitter and the rewriter leave a sentence as it was said.
"""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

__all__ = ["ADVERBS", "AUXILIARIES", "BASE_VERBS", "HEDGES", "IRREGULAR_THIRD", "PAST_TOO", "TURKISH_FINITE"]

BASE_VERBS: frozenset[str] = frozenset(
    """
    accept admire adore agree aim answer appreciate argue arrive ask attend avoid bake be bear begin believe belong
    bike book borrow bring build buy call camp care carry catch celebrate change choose clean climb close code
    collect come commute complete consider contact cook cost count crave create cycle dance deal decide deploy
    deserve design detest develop disagree dislike do draw dream drink drive earn eat enjoy exercise expect explain
    fear feel fight find finish fish fix fly follow forget garden get give go grow guess handle hang happen hate
    have hear help hike hold hope hurt identify imagine import intend invest jog join keep know lead learn leave
    lend let like listen live loathe look lose love make manage marry mean meet mentor miss move need open order
    organize organise own paint park pay photograph plan play post practice practise prefer prepare promise publish
    put rank read realize realise recall recommend refuse regret relate rely remember rent repair reply report
    respect rest review ride run save say see seem sell send serve share ship shop sing sit ski skip sleep smell
    smoke snore speak spend sponsor stand start stay stop store struggle study suffer suggest support surf suspect
    swim switch take talk taste teach tell tend test thank think train translate travel treat trust try turn type
    understand upgrade use value visit volunteer wait wake walk want wash watch wear weigh wish wonder work worry
    worship write
    """.split()
)
IRREGULAR_THIRD: dict[str, str] = {"have": "has", "do": "does", "go": "goes", "be": "is", "am": "is", "are": "is"}
PAST_TOO: frozenset[str] = frozenset("bet burst cost cut fit hit hurt let put quit read set shut split spread".split())
"""Base forms that are also past forms; they stay as they are."""
AUXILIARIES: frozenset[str] = frozenset(
    """
    am is are was were be been has have had do does did will would shall should can could may might must
    isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't shouldn't
    can't couldn't cannot
    """.split()
)
ADVERBS: frozenset[str] = frozenset(
    """
    absolutely actually already also always barely currently definitely even eventually finally frequently generally
    genuinely hardly honestly just kinda mainly mostly never normally now occasionally often only previously primarily
    probably rarely really recently regularly secretly seldom simply sometimes still strongly strictly suddenly then
    totally truly typically usually
    """.split()
)
HEDGES: frozenset[str] = frozenset(
    """
    think thinks thought believe believes believed hope hopes hoped say says said told tell tells know knows knew hear
    heard wish wishes if because when whenever whether that unless until although though since while after before who
    which where why how suppose guess doubt whose diye dedi demis eger cunku ki
    """.split()
)
"""Words that govern what follows: a clause cut off after them would claim more than was said."""
TURKISH_FINITE = (
    r"(?:[iu]yor|[dt][iu]|m[iu]s|acak|ecek|acag|eceg|[aeiu]r|m[ae]z|(?<=[a-z])m[ae])"
    r"(?:um|im|m|sun|sin|uz|iz|k|sunuz|siniz|niz|nuz|lar|ler|du|di|tu|ti|dum|dim|tum|tim)?|var|yok|degil|degilim"
)
"""A regular expression for the end of a finite verb."""
