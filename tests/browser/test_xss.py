"""What an agent or a server writes is text: no script runs, nothing is fetched, no link leads but to the web or a mail."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from card import Card
from lab import Lab
from playwright.sync_api import expect

CORPUS = Path(__file__).parents[1] / "wire" / "xss.json"
VECTORS: list[str] = json.loads(CORPUS.read_text())
ALL = "\n\n".join(VECTORS)
OF_JUPYTER = ("/api/", "/static/", "/lab/api/", "/lab/extensions/", "/kernelspecs/", "/lsp/")
"""Where JupyterLab itself fetches from its server. `<img src=x>` would fetch from beside the page."""

# What only a browser that took text for markup, or trusted a link, would show.
LIVE = """() => {
    const roots = [...document.querySelectorAll('.nbask, .nbask-receipt')];
    const all = roots.flatMap(root => [root, ...root.querySelectorAll('*')]);
    const ours = new Set('A,B,BDI,BLOCKQUOTE,BR,BUTTON,CODE,DD,DETAILS,DIV,DL,DT,EM,FIELDSET,H1,H2,H3,H4,H5,H6,HR,I,IFRAME,'
        .concat('IMG,INPUT,KBD,LABEL,LEGEND,LI,OL,P,PRE,S,SECTION,SPAN,STRONG,SUMMARY,TABLE,TBODY,TD,TEXTAREA,TH,THEAD,')
        .concat('TR,UL').split(','));
    const fetching = ['src', 'srcset', 'poster', 'action', 'formaction', 'background', 'ping', 'data', 'xlink:href'];
    const found = [];
    for (const element of all) {
        if (!ours.has(element.tagName)) found.push(`element ${element.outerHTML}`);
        for (const {name, value} of element.attributes) {
            if (name.startsWith('on')) found.push(`handler ${element.outerHTML}`);
            if (name === 'href' && !/^(https?:|mailto:)/.test(value)) found.push(`link ${element.outerHTML}`);
            if (fetching.includes(name) && !value.startsWith('data:image/')) found.push(`source ${element.outerHTML}`);
            if (name === 'style' && /url|position/.test(value)) found.push(`style ${element.outerHTML}`);
            if (name === 'autofocus') found.push(`focus ${element.outerHTML}`);
        }
        if (element.tagName === 'IFRAME' && element.getAttribute('sandbox') !== '') found.push('a frame that may do things');
        if (element.id && !element.id.startsWith('nbask-')) found.push(`id ${element.id}`);
        if (element.getAttribute('name')?.startsWith('nbask-') === false) found.push(`name ${element.outerHTML}`);
    }
    return {roots: roots.length, elements: all.length, found};
}"""


def _harmless(lab: Lab) -> None:
    seen: dict[str, Any] = lab.page.evaluate(LIVE)
    assert seen["roots"], "there is no card and no receipt to look at"
    assert seen["found"] == []
    ours = {urlsplit(lab.page.url).path}
    paths = [urlsplit(url).path for url in lab.requested if url.startswith(lab.server.url)]
    strays = [path for path in paths if path not in ours and not path.startswith(OF_JUPYTER)]
    assert strays == []
    assert lab.outside == []
    assert lab.dialogs == []
    assert [line for line in lab.console if line.startswith("pageerror")] == []


def _given(bench: Lab) -> None:
    """Give the kernel the vectors, and forget what the page has done so far."""
    at = bench.put(f"V = {VECTORS!r}\nALL = {ALL!r}\nlen(V)")
    expect(bench.cell(at).locator(".jp-OutputArea-output")).to_have_text(str(len(VECTORS)))
    bench.requested.clear()


def test_the_corpus_is_large_enough() -> None:
    assert len(set(VECTORS)) >= 60
    assert any("alert(1)" in vector for vector in VECTORS)


def test_a25_c30_each_vector_everywhere_on_its_own_tab(bench: Lab) -> None:
    """A25, C30: in text, header, label, description, markdown preview, placeholder, Other, notes, and the receipt."""
    _given(bench)
    at = bench.put(
        "reply = put(Ask([Question(v, [Option(v, v, preview=v), 'B'], header=v, description=v, other_label=v,\n"
        "    placeholder=v, notes=True, warnings=(v,)) for v in V], message=ALL, asker=Asker(ALL, ALL), submit='Go'))\n"
        "print(reply.kind, [a.other for a in reply.answers.values()] == [v.replace('\\n', '').strip() for v in V])"
    )
    card = bench.card(at)
    tabs = card.root.get_by_role("tab")
    expect(tabs).to_have_count(len(VECTORS) + 1)
    shown = bench.page.evaluate(WALK, VECTORS)
    assert len(shown) == len(VECTORS)
    for vector, (question, label, other) in zip(VECTORS, shown, strict=True):
        assert [question, label, other] == [vector, vector, vector]  # as text, to the letter
    _harmless(bench)
    tabs.last.click()
    _harmless(bench)
    card.press("Go")
    bench.expect_printed(at, "answered True")
    expect(bench.receipt(at)).to_contain_text("evil.example")
    _harmless(bench)
    bench.saved()
    bench.reload()
    expect(bench.receipt(at)).to_contain_text("evil.example")
    _harmless(bench)


# Quicker than 88 times the same with the mouse: go to each tab, look at its preview, and type into Other and the note.
WALK = """async vectors => {
    const card = document.querySelector('.jp-Notebook .nbask');
    const shown = [];
    const type = (field, text) => {
        field.focus();
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, text);
        field.dispatchEvent(new InputEvent('input', {bubbles: true}));
    };
    for (const [index, vector] of vectors.entries()) {
        card.querySelectorAll('[role=tab]')[index].click();
        card.querySelector('input[type=radio]').focus();
        await new Promise(requestAnimationFrame);
        if (!card.querySelector('.nbask-pane .nbask-html')) throw new Error('no preview');
        shown.push([
            card.querySelector('legend span').textContent,
            card.querySelector('.nbask-opt .nbask-label > span').textContent,
            card.querySelector('.nbask-other label').textContent,
        ]);
        type(card.querySelector('.nbask-notes'), vector);
        type(card.querySelector('.nbask-other .nbask-in'), vector);
    }
    return shown;
}"""


def test_c30_schemas_and_typed_texts(bench: Lab) -> None:
    """C30: names, titles, descriptions, defaults and enum titles of a schema; all of them sent back as answers."""
    _given(bench)
    at = bench.put(
        "names = [v for v in V if chr(0) not in v]\n"
        "schema = {'properties': {v: {'type': 'string', 'title': v, 'description': v, 'default': v} for v in names}}\n"
        "schema['properties']['pick'] = {'type': 'string', 'title': ALL, 'enum': [str(n) for n in range(len(V))], "
        "'enumNames': V}\n"
        "schema['properties']['tick'] = {'type': 'array', 'items': {'anyOf': [{'const': v, 'title': v} for v in V]}}\n"
        "value = ask_form(ALL, schema, submit=ALL, asker=ALL)\n"
        "print(sum(value.get(v) is not None for v in names) > 60, value['tick'] == V)"
    )
    card = bench.card(at)
    _harmless(bench)
    bench.page.evaluate(
        "() => document.querySelectorAll('.jp-Notebook .nbask input[type=checkbox]').forEach(box => box.click())"
    )
    card.root.locator(".nbask-opt", has_text="<svg onload").first.click()
    card.root.locator(".nbask-primary").click()
    expect(bench.printed(at).or_(card.errors.first)).to_be_visible()
    assert card.errors.all_inner_texts() == []
    bench.expect_printed(at, "True True")
    _harmless(bench)


def test_c30_texts_discussions_and_objects(bench: Lab) -> None:
    """C30: a default and a message; words to discuss; an object's own HTML only in a frame that may do nothing."""
    _given(bench)
    at = bench.put(
        "reply = put(Ask(Question(ALL, default=ALL, placeholder=ALL, multiline=True, notes=True), message=ALL))\n"
        "print(reply.kind, reply.value == ALL)"
    )
    card = bench.card(at)
    expect(card.text_field).to_have_value(re.compile(re.escape("<script>alert(1)</script>")))
    card.note(ALL.replace("\n", " "))
    _harmless(bench)
    card.submit()
    bench.expect_printed(at, re.compile("answered"))
    _harmless(bench)

    at = bench.put(
        "class Html:\n    def _repr_html_(self): return ALL\n"
        "class Svg:\n    def _repr_svg_(self): return "
        '\'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>\'\n'
        "class Markdown:\n    def _repr_markdown_(self): return ALL\n"
        "kinds = [Html(), Svg(), Markdown(), diff(ALL, ALL + ALL)]\n"
        "reply = put(Ask(Question('Which?', [Option(f'K{n}', preview=one) for n, one in enumerate(kinds)])))\n"
        "print(reply.kind, len(reply.text) > 1000)"
    )
    card = bench.card(at)
    for number, inside in enumerate(("iframe", "img", ".nbask-html", ".nbask-html")):
        card.option(f"K{number}").focus()
        expect(card.pane.locator(inside).first).to_be_visible()
        _harmless(bench)
    card.discuss(ALL)
    bench.expect_printed(at, "discussed True")
    _harmless(bench)


def test_b21_addresses_that_are_none_cannot_be_opened(bench: Lab) -> None:
    """B21: whatever stands where an address should, it is text, and there is nothing to press but Decline."""
    _given(bench)
    at = bench.put(
        "urls = [v for v in V if ':' in v and not v.startswith('http')]\n"
        "reply = put(Ask([Question(v, kind='consent', url=v) for v in urls]))\nprint(len(urls) > 30, reply.kind)"
    )
    card = bench.card(at)
    _harmless(bench)
    names = card.root.get_by_role("button").all_inner_texts()
    assert set(names) <= {"×", "Decline", "? keys"}
    Card(card.root).press("Decline")
    bench.expect_printed(at, "True declined")
