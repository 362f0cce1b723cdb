"""Frameworks that need a few lines only, one file each: a short function to hand to it or to run it with.

Written from the released sources, and tested with stand-ins of the shapes they document; see `docs/adapters.md`. No
answer is never an approval here, and never an empty text: the framework gets its no, or the run ends with `NoAnswer`.
"""

from nbask.adapters.recipes.adk import adk_run
from nbask.adapters.recipes.ag2 import ag2_hook
from nbask.adapters.recipes.agent_framework import agent_framework_agent, agent_framework_workflow
from nbask.adapters.recipes.autogen import autogen_approval, autogen_input
from nbask.adapters.recipes.crewai import CrewaiProvider
from nbask.adapters.recipes.inspect_ai import inspect_approve
from nbask.adapters.recipes.llama_index import llama_index_run
from nbask.adapters.recipes.strands import strands_ask

__all__ = [
    "CrewaiProvider",
    "adk_run",
    "ag2_hook",
    "agent_framework_agent",
    "agent_framework_workflow",
    "autogen_approval",
    "autogen_input",
    "inspect_approve",
    "llama_index_run",
    "strands_ask",
]
