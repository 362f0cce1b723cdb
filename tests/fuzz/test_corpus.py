"""What has been found at nbask's boundaries stays mended, and a bounded search finds nothing new.

The inputs under `corpus/` were found by `scripts/fuzz`, which searches for longer and measures where it has been.
`NBASK_FUZZ_EXAMPLES=20000 pytest tests/fuzz --hypothesis-seed=7` searches on from here, each time elsewhere.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from fuzzing import CORPUS, LONGEST, MOST
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from targets import TARGETS

EXAMPLES = int(os.environ.get("NBASK_FUZZ_EXAMPLES", "0"))
bounded = settings(
    max_examples=EXAMPLES or 300,
    derandomize=not EXAMPLES,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)


def files(name: str) -> list[Path]:
    return sorted((CORPUS / name).iterdir())


def changed(data: bytes, at: int, put: bytes, instead: int) -> bytes:
    """An input that was found, with other bytes in one place."""
    at %= len(data) + 1
    return (data[:at] + put + data[at + instead :])[:LONGEST]


@pytest.mark.parametrize("name", TARGETS)
def test_every_input_that_was_kept_is_read_or_refused_as_promised(name: str) -> None:
    for file in files(name):
        try:
            TARGETS[name](file.read_bytes())
        except Exception as fault:
            raise AssertionError(f"scripts/fuzz --target {name} --replay {file}") from fault


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.timeout(EXAMPLES + 120)
@given(data=st.data())
@bounded
def test_any_bytes_are_read_or_refused_as_promised(name: str, data: st.DataObject) -> None:
    kept = st.sampled_from([file.read_bytes() for file in files(name)])
    near = st.builds(changed, kept, st.integers(0, LONGEST), st.binary(max_size=4), st.integers(0, 4))
    TARGETS[name](data.draw(st.binary(max_size=LONGEST // 4) | near))


def test_the_corpus_stays_small() -> None:
    assert sorted(folder.name for folder in CORPUS.iterdir() if folder.is_dir()) == sorted(TARGETS)
    for name in TARGETS:
        assert 0 < len(files(name)) <= MOST
        assert all(file.stat().st_size <= LONGEST for file in files(name))
