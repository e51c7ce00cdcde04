"""What a model sees of the tools of an MCP server."""

import json
import sys

import pytest

from cogmem_core import ConfigError, InvalidInput
from cogmem_core.retrieval.budget import count_tokens
from cogmem_serve.mcp.sdk import Sdk
from cogmem_serve.mcp.tools import add_tools


def refuse(_request, /, *, writes):
    raise InvalidInput("no tool is called here")


@pytest.fixture
def definitions():
    """Makes the definitions of the tools, as they go to a model."""

    async def listed(**options):
        sdk = Sdk()
        server = sdk.server("cogmem", "")
        add_tools(server, sdk, refuse, **options)
        tools = await server.list_tools()
        return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]

    return listed


async def test_definitions_are_short_and_name_no_namespace(definitions):
    """What a model is told of all six costs it less than 900 tokens, and no argument says whose memory it is."""
    tools = await definitions()
    told = [{name: tool[name] for name in ("name", "description", "inputSchema")} for tool in tools]
    assert count_tokens(json.dumps(told, ensure_ascii=False)) <= 900
    assert all(list(tool["outputSchema"]["properties"]) == ["result"] for tool in tools)
    arguments = {tool["name"]: set(tool["inputSchema"].get("properties", {})) for tool in tools}
    assert arguments == {
        "recall": {"query"},
        "profile": {"whom"},
        "why": {"what"},
        "remember": {"content"},
        "forget": {"what", "code"},
        "due": {"said"},
    }


async def test_each_tool_says_whether_it_only_reads(definitions):
    """An agent may run those without asking; the others are not there where only reading is allowed."""
    hints = {tool["name"]: tool["annotations"] for tool in await definitions()}
    assert {name for name, hint in hints.items() if hint["readOnlyHint"]} == {
        "recall",
        "profile",
        "why",
    }
    assert {name for name, hint in hints.items() if hint["destructiveHint"]} == {"forget"}
    repeatable = {name for name, hint in hints.items() if hint["idempotentHint"]}
    assert repeatable == {"recall", "profile", "why", "forget"}
    assert hints["why"]["title"] == "Where a memory comes from"
    assert [tool["name"] for tool in await definitions(writes=False)] == [
        "recall",
        "profile",
        "why",
    ]


def test_without_the_sdk_the_command_says_what_to_install(cog, monkeypatch):
    """A typed error with the name of the extra; nothing hangs."""
    for name in [name for name in sys.modules if name.startswith("mcp.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(ConfigError, match="cogmem-core\\[mcp\\]"):
        Sdk()
    assert cog("mcp").exit_code == 2
