"""The blocking doors: each asks, waits, and returns the answer; re-exported by :mod:`nbask` itself."""

from __future__ import annotations

from nbask.asking import blocking
from nbask.builders import (
    request_choice,
    request_confirm,
    request_form,
    request_questions,
    request_text,
)
from nbask.plans import request_plan

approve_plan = blocking(request_plan, "approve_plan")
ask = blocking(request_choice, "ask")
ask_form = blocking(request_form, "ask_form")
ask_questions = blocking(request_questions, "ask_questions")
ask_text = blocking(request_text, "ask_text")
confirm = blocking(request_confirm, "confirm")
