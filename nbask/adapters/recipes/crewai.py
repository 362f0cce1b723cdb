"""CrewAI: feedback and input in its flows."""

from __future__ import annotations

from typing import Any

from nbask.adapters.recipes import common
from nbask.adapters.toolkit.extras import given
from nbask.asking import put
from nbask.questions import Ask, Question
from nbask.text import printable


class CrewaiProvider:
    """CrewAI's flows: `@human_feedback` and `self.ask(…)`, for `flow_config.hitl_provider` and `.input_provider`.

    Example:
        >>> from types import SimpleNamespace
        >>> from nbask.testing import scripted
        >>> context = SimpleNamespace(message="Publish?", method_output="A draft", emit=["publish", "revise"])
        >>> with scripted({"Publish?": "revise"}):
        ...     CrewaiProvider().request_feedback(context, flow=None)
        'revise'
    """

    def request_feedback(self, context: Any, flow: Any) -> str:  # noqa: ARG002
        """Ask for feedback on a method's output; called in a worker thread.

        Args:
            context: CrewAI's context: the message, the output, and the outcomes to choose from.
            flow: The flow; not used.

        Returns:
            One of the outcomes, or the person's words.

        Raises:
            Incompatible: The context is not as this version of nbask knows it.
            NoAnswer: There is no answer; CrewAI would take an empty text for approval.
        """
        labels = given(context, "emit", "crewai") or None
        question = Question(given(context, "message", "crewai"), labels, notes=False, multiline=labels is None)
        output = printable(str(given(context, "method_output", "crewai")))
        ask = Ask(question, message=output, asker="CrewAI", when_unanswered="raise")
        return common.answered(ask, put(ask)).value

    def request_input(self, message: str, flow: Any, metadata: Any = None) -> str:  # noqa: ARG002
        """Ask for a line of input; called in a worker thread.

        Args:
            message: What to ask.
            flow: The flow; not used.
            metadata: Not used.

        Returns:
            The person's words.

        Raises:
            NoAnswer: There is no answer.
        """
        ask = Ask(Question(message, notes=False), asker="CrewAI", when_unanswered="raise")
        return common.answered(ask, put(ask)).value
