"""`namespace="{user_id}"`: filled from the tags of the run, in every class, or refused."""

from collections.abc import Callable
from typing import Any

import pytest
from llama_index.core.instrumentation.dispatcher import instrument_tags
from llama_index.core.llms import ChatMessage
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.core.vector_stores.types import VectorStoreQuery

from cogmem_core import Engine, InvalidInput
from llamaindex_cogmem import (
    CogMemMemory,
    CogMemMemoryBlock,
    CogMemPostprocessor,
    CogMemRetriever,
    CogMemToolSpec,
    CogMemVectorStore,
)

ANN, BOB = "Ann likes hiking on Mount Rainier", "Bob likes hiking in the Alps"
TEMPLATE = "user-{user_id}"


@pytest.fixture
def people(engine: Engine) -> Engine:
    """Ann's bank, and Bob's."""
    engine.bank("user-ann").add(ANN)
    engine.bank("user-bob").add(BOB)
    return engine


def by_tags(tags: Any) -> str:
    return f"user-{tags['user_id']}"


async def retrieved(engine: Engine, namespace: Any) -> str:
    return str(CogMemRetriever(engine=engine, namespace=namespace).retrieve("hiking?"))


async def with_memory(engine: Engine, namespace: Any) -> str:
    memory = CogMemMemory.from_defaults(engine=engine, namespace=namespace)
    memory.put(ChatMessage("hiking?"))
    return str(memory.get("hiking?"))


async def with_block(engine: Engine, namespace: Any) -> str:
    block = CogMemMemoryBlock(engine=engine, namespace=namespace, name="m")
    return str(await block.aget([ChatMessage("hiking?")]))


async def with_tools(engine: Engine, namespace: Any) -> str:
    recall_tool = CogMemToolSpec(engine=engine, namespace=namespace).to_tool_list()[0]
    return str((await recall_tool.acall(query="hiking?")).raw_output)


async def with_postprocessor(engine: Engine, namespace: Any) -> str:
    ordering = CogMemPostprocessor(engine=engine, namespace=namespace)
    memory = engine.bank("user-bob").list()
    nodes = [
        NodeWithScore(node=TextNode(text=one.content, id_=one.id), score=0.5) for one in memory
    ]
    return str(await ordering.apostprocess_nodes(nodes, QueryBundle("hiking?")))


async def with_vector_store(engine: Engine, namespace: Any) -> str:
    store = CogMemVectorStore(engine=engine, namespace=namespace)
    store.add([TextNode(text="hiking trip")])
    assert (await store.aquery(VectorStoreQuery(query_str="trip"))).ids
    assert len(store.embed_model.get_query_embedding("trip")) > 1
    return str(store.client.recall("hiking?").context())


CLASSES = [retrieved, with_memory, with_block, with_tools, with_postprocessor, with_vector_store]


@pytest.mark.parametrize("namespace", [TEMPLATE, by_tags], ids=["template", "function"])
@pytest.mark.parametrize("made", CLASSES)
async def test_every_class_knows_the_user_of_the_run(
    people: Engine, made: Callable[..., Any], namespace: Any
) -> None:
    """The tags tell it; nobody else's memories are seen."""
    with instrument_tags({"user_id": "bob"}):
        told = await made(people, namespace)
    people.flush()

    assert (BOB in told, ANN in told) == (True, False)
    assert set(people.namespaces()) <= {"user-ann", "user-bob"}


@pytest.mark.parametrize("made", CLASSES)
async def test_every_class_refuses_a_run_that_tells_no_user(
    people: Engine, made: Callable[..., Any]
) -> None:
    """A typed error that names the argument, what is missing, and where to tell it."""
    with (
        pytest.raises(
            InvalidInput, match=r"namespace is the template .*'user_id'.*instrument_tags"
        ),
        instrument_tags({"org": "acme"}),
    ):
        await made(people, TEMPLATE)
    assert set(people.namespaces()) <= {"user-ann", "user-bob"}
