"""What tells nothing becomes no memory: orders in disguise, questions, small talk, requests, opt-outs.

Beside each kind stand look-alikes, which are kept.
"""

from collections.abc import Sequence

import cogmem_core
from cogmem_core import MemoryBank
from helpers.tables import rows_of

ORDERS = rows_of("no_statements/orders", "en tr")

QUESTIONS = rows_of("no_statements/questions", "ar en es ja tr zh")

SMALL_TALK = rows_of("no_statements/small_talk", "en tr")

REQUESTS = rows_of("no_statements/requests", "en tr")

OPT_OUTS = rows_of("no_statements/opt_outs", "ar de en es fr hi it ja ko nl pl pt ru tr zh")

TOLD = rows_of("no_statements/told", "de en es fr it ja ko nl pt ru tr zh")


def kept(bank: MemoryBank, messages: Sequence[str]) -> list[str]:
    """The messages of which a memory remains."""
    report = bank.remember([cogmem_core.Turn(content=message) for message in messages])
    receipts = zip(messages, report.receipts, strict=True)
    return [message for message, receipt in receipts if receipt.memory_ids]


def test_orders_in_disguise_become_no_memory(bank: MemoryBank) -> None:
    """Tags that pretend to write to the memory, comments to machines, false authority, base64."""
    assert kept(bank, ORDERS) == []


def test_questions_become_no_memory(bank: MemoryBank) -> None:
    """In every script, wrapped, about names, and with the question word at the end."""
    assert kept(bank, QUESTIONS) == []


def test_small_talk_becomes_no_memory(bank: MemoryBank) -> None:
    """Greetings, thanks and good wishes, also by a name."""
    assert kept(bank, SMALL_TALK) == []


def test_requests_become_no_memory(bank: MemoryBank) -> None:
    """What the assistant is asked to do says nothing about anybody."""
    assert kept(bank, REQUESTS) == []


def test_what_is_not_to_be_kept_is_not(bank: MemoryBank) -> None:
    """Asked before or behind it."""
    assert kept(bank, OPT_OUTS) == []
    receipt = bank.remember("My salary is 3000, but please don't store that.").receipts[0]
    assert (receipt.status, receipt.reason) == ("skipped", "asked_not_to")


def test_what_only_looks_like_it_is_kept(bank: MemoryBank) -> None:
    """Statements with the words of all these."""
    assert kept(bank, TOLD) == list(TOLD)
