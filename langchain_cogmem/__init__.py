"""cogmem for LangChain."""

try:
    import langchain_core  # noqa: F401
except ImportError as error:
    raise ImportError("langchain_cogmem needs LangChain: pip install 'cogmem[langchain]'") from error

__all__: list[str] = []
