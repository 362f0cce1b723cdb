"""The settings, and where they come from."""

from __future__ import annotations

from typing import Any

import pytest
from traitlets import TraitError
from traitlets.config import Config

from nbask.settings import NbAsk


def test_the_policy_is_to_raise_unless_told_otherwise() -> None:
    assert NbAsk().when_unanswered == "raise"


@pytest.mark.parametrize("policy", ["raise", "default"])
def test_the_environment_sets_the_policy(monkeypatch: pytest.MonkeyPatch, policy: str) -> None:
    monkeypatch.setenv("NBASK_WHEN_UNANSWERED", policy)
    assert NbAsk().when_unanswered == policy


def test_a_configuration_overrules_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBASK_WHEN_UNANSWERED", "default")
    assert NbAsk(config=Config({"NbAsk": {"when_unanswered": "raise"}})).when_unanswered == "raise"


def test_a_bad_environment_is_refused_by_its_name_value_and_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBASK_WHEN_UNANSWERED", "guess")
    with pytest.raises(ValueError, match="NBASK_WHEN_UNANSWERED is 'guess'; set it to 'raise' or 'default'"):
        _ = NbAsk().when_unanswered


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("when_unanswered", "guess"),
        ("headless", "perhaps"),
        ("route", "tunnel"),
        ("grace", -1.0),
        ("long_grace", -1.0),
        ("timeout", "soon"),
        ("timeout", 0.0),
        ("timeout", -5.0),
    ],
)
def test_a_bad_setting_is_refused(name: str, value: Any) -> None:
    with pytest.raises(TraitError):
        setattr(NbAsk(), name, value)


def test_c22_there_is_no_timeout_by_default() -> None:
    assert NbAsk().timeout is None


@pytest.mark.parametrize("name", NbAsk.class_trait_names(config=True))
def test_every_setting_says_what_it_does(name: str) -> None:
    assert NbAsk.class_traits()[name].help.strip()


def test_desktop_notifications_are_off_unless_turned_on() -> None:
    assert NbAsk().notify is False
    assert NbAsk(config=Config({"NbAsk": {"notify": True}})).notify is True


def test_any_seconds_above_zero_are_a_timeout_and_for_ever_is_none() -> None:
    assert NbAsk(timeout=0.5).timeout == 0.5
    for endless in (float("inf"), float("nan"), 0.0):
        with pytest.raises(TraitError, match="give seconds above 0, or None"):
            NbAsk(timeout=endless)
