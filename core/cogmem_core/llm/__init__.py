"""Language models behind `ports.LLM`: the OpenAI-compatible default.

A budget before calls, a rest after failures.
"""

from cogmem_core.llm.answers import LLMOutputError, LLMUnavailable
from cogmem_core.llm.budget import Budget
from cogmem_core.llm.circuit_breaker import CircuitBreaker
from cogmem_core.llm.named import resolve_llm
from cogmem_core.llm.openai import OpenAILLM
from cogmem_core.ports import Usage

__all__ = [
    "Budget",
    "CircuitBreaker",
    "LLMOutputError",
    "LLMUnavailable",
    "OpenAILLM",
    "Usage",
    "resolve_llm",
]
