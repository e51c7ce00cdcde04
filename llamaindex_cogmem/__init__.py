"""cogmem for LlamaIndex."""

try:
    import llama_index.core  # noqa: F401
except ImportError as error:
    raise ImportError("llamaindex_cogmem needs LlamaIndex: pip install 'cogmem[llamaindex]'") from error

__all__: list[str] = []
