"""Language models behind `ports.LLM`: the OpenAI-compatible default; a budget before calls, a rest after failures."""

from cogmem.llm.answers import LLMOutputError, LLMUnavailable
from cogmem.llm.budget import Budget
from cogmem.llm.cooldown import Cooldown
from cogmem.llm.openai import OpenAILLM, resolve_llm
from cogmem.ports import Usage

__all__ = ["Budget", "Cooldown", "LLMOutputError", "LLMUnavailable", "OpenAILLM", "Usage", "resolve_llm"]
