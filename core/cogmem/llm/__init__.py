"""Language models behind `ports.LLM`: the OpenAI-compatible default, and a budget that is taken before each call."""

from cogmem.llm.answers import LLMOutputError, LLMUnavailable, Usage
from cogmem.llm.budget import Budget
from cogmem.llm.openai import OpenAILLM, resolve_llm

__all__ = ["Budget", "LLMOutputError", "LLMUnavailable", "OpenAILLM", "Usage", "resolve_llm"]
