"""Questionary's prompts, dressed for nbask: digits, Esc, rows that lead elsewhere, and a pane below.

Each runs where it is awaited, in whatever thread has the loop, and is gone from the
screen when it ends, or when the awaiting task is cancelled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import questionary
from prompt_toolkit import print_formatted_text
from prompt_toolkit.application import Application
from prompt_toolkit.filters import Always, Condition, is_done
from prompt_toolkit.key_binding import KeyBindings, merge_key_bindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import ConditionalContainer, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.dimension import Dimension
from questionary.prompts.common import InquirerControl

from nbask.fronts.frames import Escaped, Frame, InterruptedHere, NoRow, Row
from nbask.text import printable

MARK = "?"
_PAGE = 8
_STYLE = questionary.Style(
    [
        *((name, "bold") for name in ("pointer", "highlighted", "selected")),
        *((name, "fg:ansibrightblack") for name in ("instruction", "left", "placeholder")),
        ("fault", "fg:ansired"),
    ]
)


def _look(frame: Frame) -> dict[str, Any]:
    """What every list of questionary's is given."""
    return {
        "qmark": MARK,
        "style": _STYLE,
        "instruction": f"\n  ({frame.help})",
        "use_jk_keys": False,
        "use_search_filter": True,
        "show_description": False,
    }


async def pick(frame: Frame, rows: Sequence[Row], pointed: str | None = None) -> str:
    """Have one row picked; its name.

    Raises:
        Escaped: The person pressed Esc.
        InterruptedHere: The person pressed Ctrl+C.
        NoRow: The person typed what no row has.
    """
    prompt = questionary.select(
        frame.text,
        _choices(rows),
        default=pointed,
        **_look(frame),
    )
    control, keys = _control(prompt), KeyBindings()

    def take(name: str) -> None:
        prompt.application.exit(result=name)

    _bind_digits(keys, control, rows, take)
    _bind_shared(keys, control)
    return await _run(prompt, frame, keys, control)


async def tick(frame: Frame, rows: Sequence[Row], fault: Callable[[list[str]], str | None]) -> list[str]:
    """Have rows ticked; their names, or the one that leads away.

    Args:
        frame: What is around it.
        rows: The rows.
        fault: Why these names may not be sent, or None where they may.

    Raises:
        Escaped: The person pressed Esc.
        InterruptedHere: The person pressed Ctrl+C.
        NoRow: The person typed what no row has.
    """
    prompt = questionary.checkbox(
        frame.text,
        _choices(rows),
        **_look(frame),
    )
    control, keys = _control(prompt), KeyBindings()
    away = {row.name for row in rows if row.leads_away}
    ticked = [row.name for row in rows if row.ticked]

    said = ""

    def toggle(name: str) -> None:
        nonlocal said
        if name in away:
            prompt.application.exit(result=[name])
            return
        chosen, said = control.selected_options, ""
        chosen.remove(name) if name in chosen else chosen.append(name)
        frame.changed(list(chosen))

    @keys.add(" ", eager=True)
    def _(_event: Any) -> None:
        toggle(_pointed(control))

    @keys.add(Keys.ControlM, eager=True)
    def _(event: Any) -> None:
        nonlocal said
        if _pointed(control) in away:
            toggle(_pointed(control))
        elif not (said := fault(control.selected_options) or ""):
            event.app.exit(result=list(control.selected_options))

    @keys.add(Keys.ControlA, eager=True)
    @keys.add(Keys.ControlI, eager=True)
    def _(_event: Any) -> None:
        """Questionary ticks all rows by these, those that lead away too."""

    _bind_digits(keys, control, rows, toggle)
    _bind_shared(keys, control, lambda: sorted(control.selected_options) != sorted(ticked))
    return await _run(prompt, frame, keys, control, lambda: said)


async def type_in(
    frame: Frame,
    fault: Callable[[str], str | None],
    text: str = "",
    *,
    multiline: bool = False,
    secret: bool = False,
    placeholder: str = "",
) -> str:
    """Have a text typed.

    Args:
        frame: What is around it.
        fault: Why this text may not be sent, or None where it may.
        text: What is there from the start.
        multiline: Whether Enter begins a line, and Alt+Enter sends.
        secret: Whether dots are shown instead.
        placeholder: Shown in its place while it is empty.

    Raises:
        Escaped: The person pressed Esc, or ended the input.
        InterruptedHere: The person pressed Ctrl+C.
    """
    options: dict[str, Any] = {"placeholder": [("class:placeholder", placeholder)]} if placeholder else {}
    if not secret:
        options["multiline"] = multiline
    prompt = (questionary.password if secret else questionary.text)(
        frame.text,
        text,
        validate=lambda line: fault(line) or True,
        qmark=MARK,
        style=_STYLE,
        instruction=f"\n  ({frame.help})\n>",
        validate_while_typing=False,
        **options,
    )
    buffer, keys = prompt.application.current_buffer, KeyBindings()
    buffer.on_text_changed += lambda _: frame.changed(buffer.text)

    @keys.add(Keys.Escape)
    def _(event: Any) -> None:
        event.app.exit(exception=Escaped(buffer.text != text))

    try:
        return await _run(prompt, frame, keys)
    except EOFError:
        raise Escaped from None


def tell(text: str) -> None:
    """Print a text, where no prompt is shown; control characters are shown and not sent."""
    print_formatted_text(printable(text))


def _choices(rows: Iterable[Row]) -> list[questionary.Choice]:
    return [questionary.Choice(row.title, row.name, checked=row.ticked) for row in rows]


def _control(prompt: questionary.Question) -> InquirerControl:
    controls = prompt.application.layout.find_all_controls()
    return next(control for control in controls if isinstance(control, InquirerControl))


def _pointed(control: InquirerControl) -> str:
    return str(control.get_pointed_at().value)


def _bind_digits(keys: KeyBindings, control: InquirerControl, rows: Iterable[Row], take: Callable[[str], None]) -> None:
    """A digit is its row, unless it goes on with what is typed to filter."""
    nothing_typed = Condition(lambda: not control.search_filter)
    for row in rows:
        if row.digit:

            @keys.add(row.digit, eager=True, filter=nothing_typed)
            def _(_event: Any, name: str = row.name) -> None:
                take(name)


def _bind_shared(keys: KeyBindings, control: InquirerControl, changed: Callable[[], bool] = lambda: False) -> None:
    """Esc empties the filter, then leaves; letters of every script filter; a filter that fits nothing picks nothing."""

    def typed() -> str:
        return control.search_filter or ""

    @Condition
    def fits_nothing() -> bool:
        return not any(typed().lower() in str(choice.title).lower() for choice in control.choices)

    @keys.add(Keys.Escape, eager=True)
    @keys.add(Keys.ControlD, eager=True)
    def _(event: Any) -> None:
        if typed():
            control.search_filter, control.pointed_at = None, 0
        else:
            event.app.exit(exception=Escaped(changed()))

    @keys.add(Keys.Any)
    def _(event: Any) -> None:
        if event.data.isprintable():
            control.add_search_character(event.data)

    @keys.add(Keys.ControlM, eager=True, filter=fits_nothing)
    def _(event: Any) -> None:
        event.app.exit(exception=NoRow(typed()))


async def _run(
    prompt: questionary.Question,
    frame: Frame,
    keys: KeyBindings,
    control: InquirerControl | None = None,
    fault: Callable[[], str] = str,
) -> Any:
    app: Application[Any] = prompt.application
    app.key_bindings = merge_key_bindings([bindings for bindings in (app.key_bindings, keys) if bindings is not None])
    app.erase_when_done = True
    app.refresh_interval = 1.0
    app.ttimeoutlen = 0.05
    app.timeoutlen = 0.3
    _lay_out(app, frame, control, fault)
    try:
        # Not prompt.unsafe_ask(): that calls asyncio.run(), which a loop that runs already refuses.
        return await app.run_async(handle_sigint=False, set_exception_handler=False)
    except KeyboardInterrupt:
        raise InterruptedHere from None


def _lay_out(app: Application[Any], frame: Frame, control: InquirerControl | None, fault: Callable[[], str]) -> None:
    """Long texts wrap; what is below takes the room that it needs, and leaves the list most of it."""
    for window in app.layout.find_all_windows():
        window.wrap_lines = Always()
        if control is not None and window.content is control:
            window.dont_extend_height = Always()
            window.height = Dimension(min=3, weight=3)

    panes = [_pane("class:fault", fault), _pane("class:left", frame.left)]
    if control is not None:
        panes.insert(0, _pane("", _turned(app, frame, control), Dimension(weight=2)))
    app.layout = Layout(HSplit([app.layout.container, *panes]), focused_element=app.layout.current_window)


def _turned(app: Application[Any], frame: Frame, control: InquirerControl) -> Callable[[], str]:
    """The preview of the row pointed at, from the line on to which the person has turned it."""
    turned, of, keys = 0, "", KeyBindings()

    def preview() -> str:
        nonlocal turned, of
        if of != _pointed(control):
            turned, of = 0, _pointed(control)
        lines = frame.preview(of).splitlines()
        turned = max(0, min(turned, len(lines) - 1))
        return "\n".join(lines[turned:])

    def turn(lines: int) -> None:
        nonlocal turned
        turned += lines

    keys.add(Keys.PageDown, eager=True)(lambda _: turn(_PAGE))
    keys.add(Keys.PageUp, eager=True)(lambda _: turn(-_PAGE))
    app.key_bindings = merge_key_bindings([bindings for bindings in (app.key_bindings, keys) if bindings is not None])
    return preview


def _pane(style: str, text: Callable[[], str], height: Dimension | None = None) -> ConditionalContainer:
    window = Window(FormattedTextControl(text), height, style=style, wrap_lines=True, dont_extend_height=True)
    return ConditionalContainer(window, Condition(lambda: bool(text())) & ~is_done)
