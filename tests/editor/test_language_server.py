"""The language server, asked by a client over its protocol: diagnostics, hovers, definitions, completion, fixes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.citations.artifact_samples import SLUG, artifact
from tests.citations.registry_server import Work, registry_server
from tests.editor.connected import connected
from veritas.citations.artifacts import write_artifact
from veritas.citations.writing import known_bibliographies
from veritas.editor.language_server import Options, changed
from veritas.editor.open_document import LONGEST, Lines, with_plain_ends

ENTRY = (
    "@article{%s,\n  title = {%s},\n  author = {Author, Ann and Bibliographer, Ben},\n  year = {%s},\n"
    "  journal = {J}\n}\n"
)
TITLE = "A careful study of many rare things in nature"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("veritas.editor.language_server.AFTER_TYPING", 0.01)
    monkeypatch.setattr("veritas.editor.language_server.WHEN_IDLE", 0.02)
    write_artifact(artifact(), tmp_path / "docs/citations", SLUG)
    (tmp_path / "refs.bib").write_text(ENTRY % ("author2020careful", TITLE, "2020"))
    return tmp_path


async def test_diagnostics_follow_what_is_typed_each_with_its_version(root: Path) -> None:
    async with connected() as editor:
        uri = editor.open(root / "page.md", "🎉🎉 nach [@nobody2020].\r\n\r\nMore [@baruch2019little].\r\n")
        (told,) = await editor.diagnostics(uri)
        assert (told.code, told.severity, told.source) == ("unknown-key", types.DiagnosticSeverity.Error, "veritas")
        assert (told.range.start, told.range.end) == (types.Position(0, 11), types.Position(0, 22))  # in UTF-16
        assert told.code_description is not None
        assert told.code_description.href.endswith("docs/editor.md#unknown-key")
        for version in (2, 3):
            editor.change(uri, "x" * version + " [@baruch2019little].\n", version)
        assert await editor.diagnostics(uri, 3) == []
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
        await asyncio.sleep(0)


async def test_two_thousand_quick_edits_end_in_the_diagnostics_of_the_last(root: Path) -> None:
    async with connected() as editor:
        uri = editor.open(root / "page.md", "Begun [@nobody2020]\n")
        await editor.diagnostics(uri)
        for version in range(2, 2002):
            editor.change(uri, "x" * (version % 7) + " [@nobody2020]\n", version)
            if version % 400 == 0:
                await asyncio.sleep(0.01)
        assert [each.code for each in await editor.diagnostics(uri, 2001)] == ["unknown-key"]


async def test_a_text_of_many_megabytes_is_not_checked_and_says_so(root: Path) -> None:
    async with connected() as editor:
        uri = editor.open(root / "page.md", "word " * (LONGEST // 5 + 1) + "[@nobody2020]")
        (told,) = await editor.diagnostics(uri)
        assert (told.code, told.severity) == ("not-checked", types.DiagnosticSeverity.Information)
        editor.change(uri, "[@nobody2020]", 2)
        assert [each.code for each in await editor.diagnostics(uri, 2)] == ["unknown-key"]


async def test_a_defect_costs_one_answer_and_not_all_that_come_after(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connected() as editor:
        uri = editor.open(root / "page.md", "Begun [@nobody2020]\n")
        await editor.diagnostics(uri)
        with monkeypatch.context() as broken:
            broken.setattr("veritas.editor.open_document.diagnose_text", None)
            editor.change(uri, "More [@nobody2020]\n", 2)
            said = await editor.logged("was not looked through")
            assert said.type == types.MessageType.Error
        editor.change(uri, "And more [@nobody2020]\n", 3)
        assert len(await editor.diagnostics(uri, 3)) == 1


def _bibliography(keys: int) -> str:
    return "".join(f"@article{{author{at}, title = {{Title {at}}}, author = {{Author, Ann}}}}\n" for at in range(keys))


async def test_an_editor_is_answered_while_a_bibliography_is_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "large.bib").write_text(_bibliography(3), encoding="utf-8")
    (root / "small.bib").write_text(_bibliography(2), encoding="utf-8")
    reading, go_on, text_of = Event(), Event(), known_bibliographies._text

    def slowly(path: str) -> str | None:
        if path.endswith("large.bib"):
            reading.set()
            assert go_on.wait(60)
        return text_of(path)

    monkeypatch.setattr(known_bibliographies, "_text", slowly)
    async with connected() as editor:
        try:
            large = editor.open(root / "large.md", "---\nbibliography: large.bib\n---\n\nShown [@author2].\n")
            small = editor.open(root / "small.md", "---\nbibliography: small.bib\n---\n\nShown [@author1].\n")
            assert await asyncio.to_thread(reading.wait, 60)
            ask = editor.client.text_document_completion_async
            begun = await ask(types.CompletionParams(**editor.at(large, 4, 9)))
            assert isinstance(begun, types.CompletionList)
            assert begun.is_incomplete
            shown = await editor.client.text_document_hover_async(types.HoverParams(**editor.at(small, 4, 9)))
            assert shown is not None
            offered = await ask(types.CompletionParams(**editor.at(small, 4, 9)))
            assert isinstance(offered, types.CompletionList)
            assert {"author0", "author1"} <= {each.label for each in offered.items}
            assert large not in editor.told
        finally:
            go_on.set()
        await editor.diagnostics(large)
        assert await editor.client.text_document_hover_async(types.HoverParams(**editor.at(large, 4, 9))) is not None


async def test_lines_are_counted_as_editors_count_them(root: Path) -> None:
    async with connected() as editor:
        uri = editor.open(root / "page.md", "one\u2028two\x0cthree [@nobody2020]\nfour\n")
        (told,) = await editor.diagnostics(uri)
        assert told.range.start == types.Position(0, 15)
        editor.change(uri, "one\u2028two\x0cthree\nfour [@nobody2020]\n", 2)
        (told,) = await editor.diagnostics(uri, 2)
        assert told.range.start == types.Position(1, 6)


async def test_a_strangers_title_is_shown_and_not_rendered(root: Path) -> None:
    title = "A [link](https://evil.example) <img src=x> of \u202emany things"
    (root / "refs.bib").write_text(ENTRY % ("author2020careful", title, "2020"))
    async with connected() as editor:
        uri = editor.open(root / "page.tex", "\\cite{author2020careful}\n")
        await editor.diagnostics(uri)
        shown = await editor.client.text_document_hover_async(types.HoverParams(**editor.at(uri, 0, 9)))
        assert shown is not None
        assert isinstance(shown.contents, types.MarkupContent)
        assert "\\[link\\](" in shown.contents.value
        assert "\u202e" not in shown.contents.value
        assert "<img" not in shown.contents.value
        assert "https://" not in shown.contents.value


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.md", "🎉 See [@bar"), ("a.md", "See @"), ("a.tex", "See \\citep[p.~3]{x, bar"), ("a.rst", "See :cite:p:`x,b"),
     ("a.tex", "\\cite{")],
)  # fmt: skip
async def test_keys_are_completed_while_a_citation_is_half_typed(root: Path, name: str, text: str) -> None:
    async with connected() as editor:
        uri = editor.open(root / name, text)
        await editor.diagnostics(uri)
        end = len(text.encode("utf-16-le")) // 2
        found = await editor.client.text_document_completion_async(types.CompletionParams(**editor.at(uri, 0, end)))
        assert isinstance(found, types.CompletionList)
        keys = {each.label: each for each in found.items}
        assert keys.keys() == {"author2020careful", "baruch2019little"}
        edit = keys["baruch2019little"].text_edit
        assert isinstance(edit, types.TextEdit)
        typed = text[Lines(text).offset(0, edit.range.start.character) :]
        assert "baruch2019little".startswith(typed)


async def mended(root: Path, name: str, text: str, at: int) -> dict[str, str]:
    """Return what each quick fix at a place makes of a text."""
    async with connected() as editor:
        uri = editor.open(root / name, text)
        await editor.diagnostics(uri)
        lines = Lines(text)
        place = types.Position(*lines.position(at))
        found = await editor.client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(uri), types.Range(place, place), types.CodeActionContext([])
            )
        )
        made = {}
        for action in found or []:
            assert isinstance(action, types.CodeAction)
            changed = text
            edits = (action.edit.changes or {})[uri] if action.edit else []
            for edit in reversed(edits):
                start = lines.offset(edit.range.start.line, edit.range.start.character)
                end = lines.offset(edit.range.end.line, edit.range.end.character)
                changed = changed[:start] + edit.new_text + changed[end:]
            made[action.title] = changed
        return made


@pytest.mark.parametrize(
    ("name", "text", "title", "becomes"),
    [
        ("a.md", "By [@baruch2019litle].\n", "Cite @baruch2019little", "By [@baruch2019little].\n"),
        ("a.tex", "By \\cite{baruch2019litle}.\n", "Cite @baruch2019little", "By \\cite{baruch2019little}.\n"),
        ("a.md", "By [@nobody2020, p. 3].\n", "Mark @nobody2020 as needing a citation",
         "By [Citation needed: nobody2020].\n"),
        ("a.tex", "By \\cite{nobody2020}.\n", "Mark @nobody2020 as needing a citation",
         "By [Citation needed: nobody2020].\n"),
        ("a.md", "By [@nobody2020; @baruch2019little].\n", "Mark @nobody2020 as needing a citation",
         "By [@nobody2020; @baruch2019little] [Citation needed: nobody2020].\n"),
        ("a.md", 'By "A perturbation of 9.5 standard deviations suffices" [@baruch2019little].\n',
         "Mark the quotation as needing a citation",
         'By "A perturbation of 9.5 standard deviations suffices" [Citation needed] [@baruch2019little].\n'),
        ("a.md", "It is so.[^one]\n\n[^two]: T.\n", "Define [^one] at the end",
         "It is so.[^one]\n\n[^two]: T.\n[^one]: [Citation needed]\n"),
        ("a.md", "It is so.[^one]\n", "Define [^one] at the end",
         "It is so.[^one]\n\n[^one]: [Citation needed]\n"),
    ],
)  # fmt: skip
async def test_a_quick_fix_mends_what_it_says(root: Path, name: str, text: str, title: str, becomes: str) -> None:
    assert (await mended(root, name, text, 10))[title] == becomes


async def test_an_entry_is_mended_by_its_record_and_registries_are_asked_only_when_told_to(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = ENTRY % ("wrong", TITLE, "2011")
    with registry_server(Work(TITLE, venue="J")) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        async with connected() as editor:
            uri = editor.open(root / "refs.bib", text)
            await editor.diagnostics(uri)
            await editor.server.work_out()
            assert server.asked == []
            assert await editor.diagnostics(uri) == []
        async with connected(settings={"online": True}) as editor:
            uri = editor.open(root / "refs.bib", text)
            (told,) = await editor.diagnostics(uri, code="misattributed")
            assert told.range.start == types.Position(0, 9)
            asked = len(server.asked)
            assert asked > 0
            page = editor.open(root / "page.tex", "\\cite{wrong}\n")
            cited = await editor.diagnostics(page, code="misattributed")
            there = next(each for each in cited if each.code == "misattributed").related_information
            assert there is not None
            assert there[0].location.uri == uri
    made = await mended(root, "refs.bib", text, 12)  # from the cache, with nobody to ask
    assert made == {} or made == {"Correct @wrong by its record": text.replace("2011", "2020")}


async def test_an_outage_accuses_nobody(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with registry_server() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
    async with connected(settings={"online": True}) as editor:  # the server is gone
        waits = "veritas.registries.http_registry.tenacity.wait_random_exponential"
        monkeypatch.setattr(waits, lambda **how: lambda state: 0)
        uri = editor.open(root / "refs.bib", ENTRY % ("who", TITLE, "2011"))
        await editor.diagnostics(uri)
        await editor.server.work_out()
        assert await editor.diagnostics(uri) == []


async def test_a_bibliography_under_edit_counts_before_the_file(root: Path) -> None:
    async with connected() as editor:
        page = editor.open(root / "page.tex", "\\cite{new2021}\n")
        assert [each.code for each in await editor.diagnostics(page)] == ["unknown-key"]
        bib = editor.open(root / "refs.bib", ENTRY % ("author2020careful", TITLE, "2020"))
        editor.change(bib, ENTRY % ("new2021", TITLE, "2020"), 2)
        assert [each.code for each in await editor.diagnostics(page, code="no-artifact")] == ["no-artifact"]
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(bib)))
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([]))
        assert [each.code for each in await editor.diagnostics(page, code="unknown-key")] == ["unknown-key"]


async def test_a_paper_is_looked_for_only_by_an_editor_that_said_online_and_never_over_a_port(root: Path) -> None:
    async def titles(options: Options) -> list[str]:
        async with connected(options) as editor:
            uri = editor.open(root / "page.md", "A sentence that needs a source.\n")
            await editor.diagnostics(uri)
            place = types.Range(types.Position(0, 3), types.Position(0, 3))
            asked = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, types.CodeActionContext([]))
            found = await editor.client.text_document_code_action_async(asked)
            told = [each.title for each in found or []]
            if not told:  # nor may it be asked for by name
                command = types.ExecuteCommandParams("veritas.cite", [uri, 0, 3])
                await editor.client.workspace_execute_command_async(command)
            return told

    assert await titles(Options(online=False)) == []
    assert await titles(Options(online=True, writes=False)) == []
    assert await titles(Options(online=True)) == ["Find a paper for this sentence and cite it with its artifact"]


async def test_the_text_of_an_older_version_does_not_come_after_a_newer_one(root: Path) -> None:
    async with connected() as editor:
        uri = editor.open(root / "page.md", "Nothing is cited.\n")
        editor.change(uri, "As shown [@nobody2020].\n", 9)
        editor.change(uri, "Nothing.\n", 3)
        assert [each.code for each in await editor.diagnostics(uri, 9)] == ["unknown-key"]
        editor.change(uri, "Nothing.\n", 10)
        assert await editor.diagnostics(uri, 10) == []


async def test_a_malformed_request_and_one_before_initialize_are_answered_by_an_error(root: Path) -> None:
    async with connected() as editor:
        uri = editor.open(root / "page.md", "[@nobody2020]\n")
        await editor.diagnostics(uri)
        place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}}
        asked = {"textDocument": {"uri": uri}, "range": place, "context": {"diagnostics": [{"range": 5}]}}
        wire, answer = editor.client.protocol, asyncio.get_running_loop().create_future()
        wire._request_futures["malformed"] = answer
        wire._send_data({"jsonrpc": "2.0", "id": "malformed", "method": "textDocument/codeAction", "params": asked})
        with pytest.raises(JsonRpcException):
            await asyncio.wait_for(answer, 60)
        editor.server.protocol._begun = False
        with pytest.raises(JsonRpcException) as refused:
            await editor.client.text_document_hover_async(types.HoverParams(**editor.at(uri, 0, 3)))
        assert refused.value.code == types.ErrorCodes.ServerNotInitialized
        editor.server.protocol._begun = True


@given(
    st.text(alphabet="ab \n\r\u2028😀", max_size=30),
    st.lists(st.tuples(*[st.integers(0, 40)] * 2, st.text(alphabet="cd\n\u2028😀", max_size=6)), max_size=5),
)
def test_parts_that_an_editor_changes_end_in_the_text_that_it_has(text: str, edits: list[tuple[int, int, str]]) -> None:
    mine = text = with_plain_ends(text)
    for start, length, new in edits:
        start = min(start, len(mine))
        end = min(start + length, len(mine))
        lines = Lines(mine)
        place = types.Range(*(types.Position(*lines.position(at)) for at in (start, end)))
        text = changed(text, [types.TextDocumentContentChangePartial(place, new)], "utf-16")
        mine = mine[:start] + new + mine[end:]
    assert text == mine


async def test_an_editor_may_send_the_parts_that_change(root: Path) -> None:
    async with connected() as editor:
        uri = editor.open(root / "page.md", "One.\r\nTwo\u2028still two [@nobody2020].\r\n")
        (told,) = await editor.diagnostics(uri)
        place = types.Range(types.Position(1, 16), types.Position(1, 26))
        changes = [types.TextDocumentContentChangePartial(place, "nobody2031")]
        editor.client.text_document_did_change(
            types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(version=2, uri=uri), changes)
        )
        (told,) = await editor.diagnostics(uri, 2)
        assert "nobody2031" in told.message
