"""Attacks on the web server: other sites, other names, guesses, replays, floods, giant bodies, slow readers, wrong links."""

from __future__ import annotations

import asyncio
import hmac
import json
import re
import shutil
import socket
import stat
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")

from starlette.applications import Starlette

from runner.errors import UsageError
from runner.record.reader import read_log
from runner.record.verify import verify
from runner.serve import http_server, web_app, web_service
from runner.serve.http_server import HOST, AddressRate, serve_http
from runner.serve.served_folder import FOREIGN
from runner.serve.web_app import Guard
from runner.serve.web_service import ServerAddress
from tests.patience import PATIENCE
from tests.serve.webs import Web, first_asked, web


async def raw(server: Web, request: bytes, most: int = 1 << 20) -> bytes:
    """What the server answers to bytes; it closes the connection."""
    reader, writer = await asyncio.open_connection(HOST, server.port)
    writer.write(request)
    try:
        async with asyncio.timeout(PATIENCE):
            return await reader.read(most)
    finally:
        writer.close()


async def test_other_sites_cannot_act(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "human", "human")
        answer, tables = f"/t/{begun['seats']['0']}/answer", f"{server.lobby}/tables"
        for path in (answer, tables):
            assert (await server.post(path, {}, Origin="http://evil.example"))[0] == 403
            assert (await server.post(path, {}, Origin="null"))[0] == 403
            assert (await server.post(path, {}, **{"Sec-Fetch-Site": "cross-site"}))[0] == 403
            async with server.http.post(f"{server.base}{path}", data="{}", headers={"Content-Type": "text/plain"}) as reply:
                assert reply.status == 415
            async with server.http.post(f"{server.base}{path}", data={"number": "0"}) as form:
                assert form.status == 415
            async with server.http.options(f"{server.base}{path}", headers={"Origin": "http://evil.example"}) as asked:
                assert asked.status in (403, 405)
                assert not any(name.lower().startswith("access-control") for name in asked.headers)
            async with server.http.put(f"{server.base}{path}", data="{}") as put:
                assert (put.status, put.headers["Allow"]) == (405, "POST")
                assert "PUT is not possible here: POST is." in await put.text()
        assert (await server.post(answer, {}, Origin=server.base))[0] == 400


async def test_another_name_is_not_served(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        for name in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", "127.0.0.1:1", "192.168.1.9", ""):
            status, said = await server.get(server.lobby, Host=name)
            assert status in (400, 421), name
            assert server.host.own_link not in said
        assert (await server.get(server.lobby, Host=f"localhost:{server.port}"))[0] == 200


async def test_links_cannot_be_guessed_and_lead_to_their_own_seat_alone(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun, other = await server.begin("coup", "human", "human"), await server.begin("coup", "human", "human")
        links = [server.host.own_link, begun["watch"], other["watch"], *begun["seats"].values(), *other["seats"].values()]
        assert len({*links}) == 7
        assert all(re.fullmatch(r"[\w-]{32}", link) for link in links)  # 192 bits
        for guess in ("", "0", "P-0", "x" * 32, "x" * 5000, "%00", begun["log"], begun["seats"]["0"][:-1]):
            for path in (f"/t/{guess}", f"/t/{guess}/events", f"/t/{guess}/page", f"/h/{guess}", f"/h/{guess}/state"):
                assert (await server.get(path))[0] in (404, 414, 400), path
        seat, watcher = begun["seats"]["0"], begun["watch"]
        for path in (f"/h/{seat}", f"/h/{seat}/state", f"/h/{watcher}/site/index.html", f"/t/{server.host.own_link}"):
            assert (await server.get(path))[0] == 404
        for act in ("tables", "go-on", "pause", "estimate"):
            assert (await server.post(f"/h/{seat}/{act}", {"log": begun["log"]}))[0] == 404
        for act in ("answer", "back", "again", "go-on"):
            status, said = await server.post(f"/t/{watcher}/{act}", {"number": 0, "choice": 0})
            assert (status, said["error"][:28]) == (400, "This link is for spectators:")
        for path in ("/static/../web_app.py", "/static/%2e%2e%2fweb_app.py", f"{server.lobby}/site/%2e%2e%2f{begun['log']}"):
            assert (await server.get(path))[0] == 404


async def test_a_page_may_load_nothing_from_elsewhere_and_be_framed_by_nobody(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "human", "human")
        for path in (server.lobby, f"/t/{begun['watch']}", "/", "/t/none", "/static/table.js"):
            async with server.http.get(f"{server.base}{path}", headers={"Accept": "text/html"}) as answer:
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy
                assert "frame-ancestors 'none'" in policy
                assert answer.headers["Referrer-Policy"] == "no-referrer"
                assert answer.headers["Cache-Control"] == "no-store"
                assert "http://" not in (await answer.text()).replace("http://www.w3.org", "").replace(server.base, "")


async def test_an_answer_that_is_sent_again_counts_once(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "human", "human")
        person, picture = await first_asked(*(server.viewer(link) for link in begun["seats"].values()))
        income = next(n for n, steps in enumerate(picture["turn"]["choices"]) if steps[0][1] == "Income")
        verdicts = await asyncio.gather(*(person.answer(picture, choice=income) for _ in range(20)))
        assert [one["status"] for one in verdicts].count("ok") == 1
        assert {one["status"] for one in verdicts} == {"ok", "stale"}
    log = read_log(tmp_path / begun["log"])
    verify(log)
    assert [record["kind"] for _, record in log.records].count("attempt") == 1


async def test_floods_are_refused_and_others_are_served_after_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 5.0
    monkeypatch.setattr(http_server, "monotonic", lambda: now)
    monkeypatch.setattr(web_app, "AT_ONCE", 30.0)
    async with web(tmp_path) as server:
        found = [await server.get("/") for _ in range(40)]
        assert [status for status, _ in found] == [200] * 30 + [429] * 10
        assert json.loads(found[-1][1]) == {"error": "Too many requests: wait a little."}
        async with server.http.get(f"{server.base}/", headers={"X-Forwarded-For": "10.0.0.1"}) as refused:
            assert (refused.status, refused.headers["Retry-After"]) == (429, "1"), "a header is no other address"
        now += 1.0
        assert (await server.get("/"))[0] == 200


async def test_odd_requests_get_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "human", "human")
        for path in (server.lobby, f"/t/{begun['watch']}", f"/t/{begun['watch']}/events", "/static/table.js"):
            async with server.http.head(f"{server.base}{path}") as answer:
                assert answer.status == 200, path
        for name in ("%00", "a" * 5000 + ".html", "%2e%2e/x", "..%2fx", "matches/%00.html"):
            status, said = await server.get(f"{server.lobby}/site/{name}")
            assert status == 404, name
            assert json.loads(said)["error"]
        assert (await server.get(f"/t/{'%00' * 50}"))[0] == 404
    assert "Traceback" not in capsys.readouterr().err


async def test_a_link_is_open_in_so_many_places_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_app, "MOST_LISTENING", 3)
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "human", "human")
        path = f"/t/{begun['watch']}/events"
        request = f"GET {path} HTTP/1.1\r\nHost: {HOST}:{server.port}\r\n\r\n".encode()

        async def opened() -> tuple[bytes, asyncio.StreamWriter]:
            reader, writer = await asyncio.open_connection(HOST, server.port)
            writer.write(request)
            return await reader.readline(), writer

        async with asyncio.timeout(PATIENCE):
            places = [await opened() for _ in range(3)]
            assert [status for status, _ in places] == [b"HTTP/1.1 200 OK\r\n"] * 3
            assert (await server.get(path))[0] == 429
            for _, writer in places:
                writer.close()
            while b" 200 " not in (last := await opened())[0]:  # until the server has seen them leave
                last[1].close()
            last[1].close()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"x" * 200_000, "more than"),
        (b"[" * 60_000, "cannot be read"),
        (b'{"number": ' + b"9" * 5000 + b"}", "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
        (b"", "cannot be read"),
        (b"[1]", "object"),
        (b'{"number": NaN}', "cannot be read"),
        (b'{"number": true, "choice": 0}', "An answer has a number"),
        (b'{"number": 0, "choice": "0"}', "An answer has a number"),
        (b'{"number": 0, "answer": ["x"]}', "An answer has a number"),
    ],
)
async def test_a_body_that_is_no_answer_is_refused_in_a_sentence(body: bytes, words: str, tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "human", "human")
        path = f"{server.base}/t/{begun['seats']['0']}/answer"
        async with server.http.post(path, data=body, headers={"Content-Type": "application/json"}) as answer:
            assert answer.status == 400
            assert words in (await answer.json())["error"]
        assert not [one for _, one in read_log(tmp_path / begun["log"]).records if one["kind"] == "attempt"]


async def test_a_reader_that_does_not_read_holds_up_nobody(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "human", "human", "bot:steady")
        slow = [await asyncio.open_connection(HOST, server.port) for _ in range(10)]
        for _, writer in slow:
            head = f"GET /t/{begun['watch']}/events HTTP/1.1\r\nHost: {HOST}:{server.port}\r\n\r\n"
            writer.write(head.encode())
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(server.viewer(link).play() for link in begun["seats"].values()))
        for _, writer in slow:
            writer.close()
    verify(read_log(tmp_path / begun["log"]))


async def test_bytes_that_are_no_request_are_refused_without_a_line_for_each(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with web(tmp_path) as server:
        host = f"Host: {HOST}:{server.port}\r\n".encode()
        assert b" 400 " in await raw(server, b"\x16\x03\x01\x02\x00\r\n\r\n")
        smuggled = (
            b"POST / HTTP/1.1\r\n"
            + host
            + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n"
        )
        assert b" 200 " not in (await raw(server, smuggled)).partition(b"\r\n")[0]
        assert b" 4" in (await raw(server, b"GET / HTTP/1.1\r\n" + host + b"X: " + b"y" * 100_000))[:20]
        assert (await server.get("/"))[0] == 200
    assert not [one for one in caplog.records if one.name.startswith("uvicorn")]


async def test_a_second_server_of_a_folder_is_refused(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        await server.begin("coup", "human", "human")
        with pytest.raises(UsageError, match="Another `tabletop serve` has the folder"):
            async with web(tmp_path):
                pass
        assert (await server.get(server.lobby))[0] == 200


async def test_a_state_in_a_folder_of_somebody_else_is_named_and_not_believed(tmp_path: Path) -> None:
    state = {"key": "A" * 32, "tables": {"theirs.jsonl": {}}}
    (tmp_path / FOREIGN).write_text(json.dumps(state))
    async with web(tmp_path) as server:
        assert server.host.own_link != urlsafe_b64encode(hmac.digest(b"A" * 32, b"host", "sha256")[:24]).decode()
        assert not [*server.host.tables]
        lobby = json.loads((await server.get(f"{server.lobby}/state"))[1])
        assert FOREIGN in lobby["troubles"][0]
        assert "--adopt" in lobby["troubles"][0]
    assert json.loads((tmp_path / FOREIGN).read_text()) == state
    assert not [*tmp_path.glob("*serve*/*"), *tmp_path.parent.glob(".*-site")]


async def test_the_host_adopts_the_state_of_an_earlier_version(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "ann=human", "human")
        key, place = server.host.served.state.key, server.host.served.place
    shutil.rmtree(place)
    (tmp_path / FOREIGN).write_text(json.dumps({"key": key, "tables": {begun["log"]: {"away": "bot:steady"}}}))
    (tmp_path / FOREIGN).chmod(0o600)
    async with web(tmp_path) as server:
        assert (await server.get(f"/t/{begun['watch']}"))[0] == 404
    async with web(tmp_path, adopts=True) as server:
        assert (await server.get(f"/t/{begun['watch']}"))[0] == 200
        assert not (tmp_path / FOREIGN).exists()
        assert not json.loads((await server.get(f"{server.lobby}/state"))[1])["troubles"]
    with pytest.raises(UsageError, match="no other state"):
        async with web(tmp_path, adopts=True):
            pass


async def test_a_folder_that_was_moved_keeps_its_links_when_the_host_says_so(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    async with web(old) as server:
        begun = await server.begin("coup", "ann=human", "human")
    old.rename(new)
    async with web(new) as server:
        assert (await server.get(f"/t/{begun['watch']}"))[0] == 404
        assert str(old) in server.host.served.foreign
    async with web(new, adopts=True) as server:
        assert (await server.get(f"/t/{begun['watch']}"))[0] == 200
    shutil.copytree(new, tmp_path / "clone")
    async with web(tmp_path / "clone") as server:
        assert not server.host.served.foreign, "a copy is somebody else's"
        assert (await server.get(f"/t/{begun['watch']}"))[0] == 404


@pytest.mark.parametrize(
    "content", ["[]", "{", '{"key": "short"}', '{"key": "' + "A" * 32 + '", "tables": {"x": {"seconds": 1}}}']
)
async def test_a_file_that_is_no_state_is_left_alone(content: str, tmp_path: Path) -> None:
    (tmp_path / FOREIGN).write_text(content)
    (tmp_path / FOREIGN).chmod(0o600)
    with pytest.raises(UsageError, match="is no file of `tabletop serve`"):
        async with web(tmp_path, adopts=True):
            pass
    assert (tmp_path / FOREIGN).read_text() == content
    (tmp_path / FOREIGN).chmod(0o666)
    with pytest.raises(UsageError, match="can be changed by other users"):
        async with web(tmp_path, adopts=True):
            pass


async def test_pages_of_logs_have_no_origin_and_only_what_the_server_wrote_is_served(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    planted = tmp_path / ".logs-site"
    planted.mkdir()
    (planted / "index.html").write_text("<script>1</script>")
    async with web(logs) as server:
        begun = await server.begin("coup", "bot:steady", "bot:steady")
        await server.viewer(begun["watch"]).until(lambda seen: seen["over"])
        async with server.http.get(f"{server.base}{server.lobby}/site/index.html") as answer:
            policy = answer.headers["Content-Security-Policy"]
            assert "sandbox allow-scripts" in policy
            assert "allow-same-origin" not in policy
            assert "<script>1" not in await answer.text()
        async with server.http.get(f"{server.base}/t/{begun['watch']}/page") as answer:
            assert "sandbox allow-scripts" in answer.headers["Content-Security-Policy"]
        site = server.host.served.site
        assert stat.S_IMODE(site.parent.stat().st_mode) == 0o700
        page = next(site.glob("matches/*.html"))
        name = f"matches/{page.name}"
        assert (await server.get(f"{server.lobby}/site/{name}"))[0] == 200
        page.write_text(page.read_text() + "<script>2</script>")
        (site / "matches" / "zz.html").write_text("<script>3</script>")
        for changed in (name, "matches/zz.html", ".tabletop-gallery.json"):
            assert (await server.get(f"{server.lobby}/site/{changed}"))[0] == 404, changed


@pytest.mark.parametrize(
    ("url", "shown", "name"),
    [
        (None, "http://127.0.0.1:8420", "127.0.0.1:8420"),
        ("https://tabletop.example.org", "https://tabletop.example.org", "tabletop.example.org"),
        ("https://tabletop.example.org:8443/", "https://tabletop.example.org:8443", "tabletop.example.org:8443"),
    ],
)
def test_a_server_behind_a_proxy_is_called_by_its_url(url: str | None, shown: str, name: str) -> None:
    address = ServerAddress.of(HOST, 8420, url, False)
    assert address.shown(8420) == [shown]
    assert name in address.names(8420)[0]


@pytest.mark.parametrize(
    ("host", "found", "shown"), [("0.0.0.0", "10.0.0.7", "10.0.0.7"), ("::", "fd00::2", "[fd00::2]"), ("::", "", None)]
)
def test_a_server_of_a_network_names_its_address_for_phones(
    host: str, found: str, shown: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_service, "network_address", lambda is_six: found)
    address = ServerAddress.of(host, 8420, None, False)
    name, *more = address.shown(8420)
    assert name == f"http://{socket.gethostname()}:8420"
    assert more == ([] if shown is None else [f"http://{shown}:8420"])


def test_the_address_in_the_network_is_one_of_this_machine() -> None:
    if found := web_service.network_address(is_six=False):
        with socket.socket(socket.AF_INET) as own:
            own.bind((found, 0))


@pytest.mark.parametrize("url", ["tabletop.example.org", "ftp://x", "https://x/tables", "https://x/?a=1", "https://"])
def test_a_url_is_that_of_a_whole_server(url: str) -> None:
    with pytest.raises(UsageError, match="give the address of the server alone"):
        ServerAddress.of(HOST, 8420, url, False)


@pytest.mark.parametrize("is_proxied", [False, True])
async def test_a_proxy_is_believed_only_when_the_host_says_so(is_proxied: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    app, stop, port = (
        Guard(Starlette(), frozenset({"here"}), False),
        asyncio.Event(),
        asyncio.get_running_loop().create_future(),
    )
    seen, found = list[str](), AddressRate.has_room
    monkeypatch.setattr(AddressRate, "has_room", lambda rate, address: seen.append(address) or found(rate, address))
    serving = asyncio.create_task(serve_http(lambda port: app, HOST, 0, stop.wait, port.set_result, is_proxied=is_proxied))
    reader, writer = await asyncio.open_connection(HOST, await port)
    writer.write(b"GET / HTTP/1.1\r\nHost: here\r\nX-Forwarded-For: 198.51.100.1, 203.0.113.5\r\n\r\n")
    async with asyncio.timeout(PATIENCE):
        assert b" 404 " in await reader.readline()
    writer.close()
    stop.set()
    await serving
    assert seen[-1] == ("203.0.113.5" if is_proxied else HOST)
