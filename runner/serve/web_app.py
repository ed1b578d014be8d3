"""Web application: the addresses of tables and of the lobby, and what keeps everybody else out."""

import asyncio
import html
import ipaddress
import json
import tomllib
import traceback
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import suppress
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from games.core import GameFault, OptionError, quoted
from runner.errors import TabletopError, UsageError, told_fault
from runner.export.match_pictures import preview_ending, preview_file
from runner.export.page.match_page import match_page
from runner.export.pages import ICON, rules_page
from runner.film.perspective import Perspective
from runner.llm.strict_json import without_surrogates
from runner.record.decisions import decisions
from runner.record.line import decode
from runner.record.reader import read_log, read_sound_part
from runner.serve.http_server import AT_ONCE, PER_SECOND, AddressRate, one_client
from runner.serve.sitting_down import Sitter
from runner.serve.web_host import AGAIN, GO_ON, PLAY, Grant, NewTable, Place, WebHost
from runner.serve.web_lobby import estimate_of, lobby_of, site_file
from runner.serve.web_match import WebFacts, WebMatch
from runner.validation import first_problem

_Act = Callable[[Request, WebFacts], Awaitable[Any]]

LONGEST_BODY = 64 * 1024
"""Bytes of a request's body."""

MOST_LISTENING = 24
"""Connections of one link that listen at once, and links of one connection."""

_HEARTBEAT = 3.0
"""Seconds after which a connection without news gets an empty line: a browser that hears nothing for 10 s tries it again."""

_TOGETHER = 0.05
"""Seconds in which changes are sent as one."""

_ANSWERS = tomllib.loads(files("runner.serve.web").joinpath("answers.toml").read_text(encoding="utf-8"))
_PREVIEW = files("runner.serve.web").joinpath("preview.png").read_bytes()
_SANDBOX, _PARTS = _ANSWERS["sandbox"], _ANSWERS["parts"]


class Guard:
    """Lets requests through that name this server, come from none but its own pages, and are neither long nor many."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str], allows_addresses: bool) -> None:
        self._app, self._hosts, self._allows_addresses = app, hosts, allows_addresses
        self._rate = AddressRate(PER_SECOND, AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                known = {name.lower() for name, _ in message["headers"]}
                more = [(name.lower().encode(), value.encode()) for name, value in _ANSWERS["headers"].items()]
                message = {**message, "headers": [*message["headers"], *(one for one in more if one[0] not in known)]}
            await send(message)

        await (self._refusal(Request(scope)) or self._app)(scope, receive, send_with_headers)

    def _refusal(self, request: Request) -> Response | None:
        host = request.headers.get("host", "")
        if not self._is_own(host):
            return _said("This server is not called that: open it by the address that it printed.", 421)
        if request.method not in ("GET", "HEAD"):
            origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site", "same-origin")
            if origin not in (None, f"http://{host}", f"https://{host}") or site not in ("same-origin", "none"):
                return _said("Another site cannot act here.", 403)
            kind = request.headers.get("content-type", "").partition(";")[0]
            if request.method == "POST" and kind != "application/json":
                return _said("Only JSON is read.", 415)
        if not self._rate.has_room(one_client(request.client.host if request.client else "")):
            return _said("Too many requests: wait a little.", 429)
        return None

    def _is_own(self, host: str) -> bool:
        if host in self._hosts:
            return True
        name = host.rpartition(":")[0].strip("[]") if host.rpartition(":")[2].isdigit() else host
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return self._allows_addresses  # a name that an attacker lets point here is none


def web_app(host: WebHost, hosts: frozenset[str], allows_addresses: bool) -> ASGIApp:
    """The application of a host. `hosts` are the names and ports by which it is called; `allows_addresses`: also by any IP
    address, for servers of a whole network."""
    pages = _Pages(host)
    lobby, table = "/h/{link}", "/t/{link}"
    gets: dict[str, Callable[[Request], Awaitable[Response]]] = {
        "/": pages.start,
        "/static/{name}": pages.static,
        lobby: pages.lobby,
        f"{lobby}/state": pages.lobby_state,
        f"{lobby}/site/{{name:path}}": pages.site,
        "/events": pages.events,
        table: pages.table,
        f"{table}/events": pages.events,
        f"{table}/page": pages.match_page,
        f"{table}/picture": pages.picture,
        f"{table}/rules": pages.rules,
        f"{table}/app.json": pages.app,
        f"{lobby}/app.json": pages.app,
        f"{lobby}/picture": pages.preview,
    }
    acts: dict[str, _Act] = {
        f"{lobby}/tables": pages.begin,
        f"{lobby}/estimate": pages.estimate,
        f"{lobby}/go-on": pages.go_on,
        f"{lobby}/pause": pages.pause,
        f"{lobby}/again": pages.host_again,
        f"{lobby}/withdraw": pages.withdraw,
        f"{table}/answer": pages.answer,
        f"{table}/sit": pages.sit,
        f"{table}/back": pages.come_back,
        f"{table}/react": pages.react,
        f"{table}/again": pages.again,
        f"{table}/go-on": pages.go_on_at_table,
    }
    kinds = [("GET", path, page) for path, page in gets.items()]
    kinds += [("POST", path, partial(_acted, act)) for path, act in acts.items()]
    guarded = [(kind, path, pages.of_host(page) if path.startswith(lobby) else page) for kind, path, page in kinds]
    routes = [Route(path, _refusing(page), methods=[kind]) for kind, path, page in guarded]
    return Guard(Starlette(routes=routes, exception_handlers={HTTPException: _not_found}), hosts, allows_addresses)


async def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    allowed = (error.headers or {}).get("Allow")
    said = f"{request.method} is not possible here: {allowed} is." if allowed else "There is nothing here."
    return JSONResponse({"error": said}, error.status_code, error.headers)


def _said(sentence: str, status: int) -> JSONResponse:
    return JSONResponse({"error": sentence}, status, {"Retry-After": "1"} if status == 429 else None)


def _refusing(page: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """A page whose refusals are sentences."""

    async def answered(request: Request) -> Response:
        try:
            return await page(request)
        except TabletopError as refusal:
            said, status = refusal.sentence, 404 if isinstance(refusal, _NowhereError) else 400
        except OptionError as refusal:
            said, status = str(refusal), 400
        except GameFault as fault:
            said, status = told_fault(fault), 500
        except (ClientDisconnect, asyncio.CancelledError):
            raise
        except Exception:
            traceback.print_exc()
            said, status = "The server failed; its standard error has the traceback.", 500
        if request.method != "POST" and "text/html" in request.headers.get("accept", ""):
            return HTMLResponse(_page("message.html", said), status)
        return _said(said, status)

    return answered


class _NowhereError(UsageError):
    """There is nothing behind an address."""


async def _acted(act: _Act, request: Request) -> Response:
    """What an act answers to the body of its request. UsageError for one that is too long or no JSON object."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LONGEST_BODY:
            raise UsageError(f"The request has more than {LONGEST_BODY:,} bytes.")
    try:
        given = decode(without_surrogates(body.decode()))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"The request cannot be read: {error}.") from error
    if not isinstance(given, dict):
        raise UsageError("The request has to be an object.")
    return JSONResponse(await act(request, given))


@cache
def _part(name: str) -> str:
    room, _, file = name.partition("/")
    package = "runner.export.page" if room == "page" else "runner.serve.web"
    return files(package).joinpath(file).read_text(encoding="utf-8")


def _page(name: str, said: str = "", address: str = "") -> str:
    """A page with a sentence. One with an address of its own can be installed, and shown by networks."""
    shared = _part("web/shared.html").replace("@@ADDRESS@@", html.escape(address)) if address else ""
    head = _part("web/head.html").replace("@@ICON@@", ICON).replace("@@HEAD@@", shared)
    return head + _part(f"web/{name}").replace("@@SAID@@", html.escape(said))


def _address(request: Request) -> str:
    """The whole address of a request, by the name that the browser knows."""
    return f"{request.url.scheme}://{request.headers['host']}{request.url.path.rstrip('/')}"


class _Pages:
    def __init__(self, host: WebHost) -> None:
        self._host = host
        self._listening = Counter[str]()
        self._building = asyncio.Lock()
        self._reacting = AddressRate(per_second=0.5, at_once=3)

    def _place(self, request: Request) -> Place:
        try:
            return self._host.place(request.path_params["link"])
        except UsageError as error:
            raise _NowhereError(error.sentence) from error

    def _live(self, request: Request) -> tuple[Grant, WebMatch]:
        """What a link grants, and its match, which is in memory."""
        grant, match = self._place(request)
        if match is None:
            raise _NowhereError("The match has ended: this link shows its page.")
        return grant, match

    def _place_now(self, link: str) -> tuple[Grant, WebMatch] | None:
        with suppress(UsageError):
            grant, match = self._host.place(link)
            return None if match is None else (grant, match)
        return None

    def of_host(self, page: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """A page of the lobby, for those who have its link."""

        async def checked(request: Request) -> Response:
            if not self._host.is_host(request.path_params["link"]):
                raise _NowhereError("This link leads to no lobby.", remedy="`tabletop serve` prints the one that does.")
            return await page(request)

        return checked

    async def start(self, request: Request) -> Response:
        said = "This is tabletop. Open the link to your seat, or the link to the lobby that `tabletop serve` printed."
        return HTMLResponse(_page("message.html", said))

    async def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _PARTS:
            raise _NowhereError("There is nothing here.")
        kind = "text/css" if name.endswith(".css") else "text/javascript"
        return Response("\n".join(map(_part, _PARTS[name])), media_type=kind)

    # -- the lobby ----

    async def lobby(self, request: Request) -> Response:
        return HTMLResponse(_page("lobby.html", address=_address(request)))

    async def lobby_state(self, request: Request) -> Response:
        return JSONResponse(await lobby_of(self._host))

    async def site(self, request: Request) -> Response:
        """A page of the gallery of the folder, which its first page brings up to date."""
        async with self._building:
            found = await asyncio.to_thread(site_file, self._host, request.path_params["name"])
        if found is None:
            raise _NowhereError("There is no such page.")
        content, kind = found
        return Response(content, media_type=kind, headers=_SANDBOX)

    async def begin(self, request: Request, given: WebFacts) -> object:
        path = await self._host.open(NewTable.of(given))
        links = {str(seat): link for seat, link in self._host.seat_links(path).items()}
        return {"log": path.name, "seats": links, "watch": self._host.watch_link(path)}

    async def estimate(self, request: Request, given: WebFacts) -> object:
        return {"text": await asyncio.to_thread(estimate_of, self._host, NewTable.of(given))}

    async def go_on(self, request: Request, given: WebFacts) -> object:
        begins = Path(log := _log(given)).name in self._host.served.state.gathering
        return {"log": (await (self._host.begin_gathered if begins else self._host.go_on)(log)).name}

    async def pause(self, request: Request, given: WebFacts) -> object:
        return {"log": (await self._host.hold(_log(given))).name}

    async def host_again(self, request: Request, given: WebFacts) -> object:
        path = self._host.folder / Path(_log(given)).name
        await self._host.again(path, None)
        return {"log": path.name}

    async def withdraw(self, request: Request, given: WebFacts) -> object:
        """Renew or revoke a link of a table; without a log, renew that of the lobby."""
        seat, renews, what = given.get("seat"), given.get("renew", True), given.get("what", PLAY)
        if not (seat is None or type(seat) is int) or type(renews) is not bool or not isinstance(what, str):
            raise UsageError(f"A link has a seat, or null for spectators, and what it grants, not {quoted(given)}.")
        if "log" in given:
            self._host.withdraw(_log(given), seat, what, is_renewed=renews)
        else:
            self._host.renew()
        return {"lobby": f"/h/{self._host.own_link}"}

    # -- a table ----

    async def table(self, request: Request) -> Response:
        return HTMLResponse(_page("table.html" if self._place(request).match else "ended.html", address=_address(request)))

    async def app(self, request: Request) -> Response:
        """How a browser installs the page above this one."""
        return Response(_part("web/manifest.json").replace("@@ICON@@", ICON), media_type="application/manifest+json")

    async def events(self, request: Request) -> Response:
        """What there is to see at one table, or at all tables of a browser, whenever it changes (server-sent events)."""
        if "link" in request.path_params:
            self._live(request)
            links = [request.path_params["link"]]
        else:
            links = list(dict.fromkeys(request.query_params.getlist("link")))[:MOST_LISTENING]
        if any(self._listening[link] >= MOST_LISTENING for link in links):
            return _said("This link is open in too many places: close one.", 429)
        if request.method == "HEAD":
            return Response(media_type="text/event-stream")
        return StreamingResponse(self._seen(links), media_type="text/event-stream")

    async def _seen(self, links: list[str]) -> AsyncIterator[str]:
        self._listening.update(links)
        for link in links:
            self._tell_watched(link)
        try:
            yield "retry: 1000\n\n"
            seen = dict[str, tuple[WebMatch, int]]()
            while links:
                for link in [*links]:
                    if (place := self._place_now(link)) is None:
                        yield _event({"link": link, "gone": "This link leads to no table any more."})
                        self._unheard(link)
                        links.remove(link)
                        seen.pop(link, None)
                    elif seen.get(link) != (place[1], place[1].version):
                        (grant, match), is_first = place, link not in seen
                        seen[link] = match, match.version
                        yield _event({"link": link, **match.seen_by(grant.own, is_first), **self._following(grant)})
                if links and not await _is_newer(seen.values()):
                    yield ":\n\n"
        finally:
            for link in links:
                self._unheard(link)

    def _unheard(self, link: str) -> None:
        self._listening[link] -= 1
        self._listening += Counter()  # forget links that nobody listens to
        self._tell_watched(link)

    def _tell_watched(self, link: str) -> None:
        """Let a table know that its spectators are more or fewer."""
        place = self._place_now(link)
        if place is not None and place[0].own is None:
            place[1].tell()

    def _following(self, grant: Grant) -> WebFacts:
        watching, path = self._listening[self._host.watch_link(grant.path)], grant.path
        may = [what for what in (AGAIN, GO_ON) if self._host.allows(grant, what)]
        following = {"next": self._host.next_link(grant), "wants_another": self._host.wants_another(path)}
        return {**following, "watching": watching, "may": may, "seat": grant.seat}

    async def match_page(self, request: Request) -> Response:
        """The page of the match, once it has ended."""
        (grant, match), base = self._place(request), _address(request).removesuffix("/page")
        if match is not None and not match.has_ended:
            raise UsageError("The page of the match shows every card: it is there when the match has ended.")
        log = await asyncio.to_thread(read_log, grant.path)
        page = await asyncio.to_thread(match_page, log, picture=f"{base}/picture", address=f"{base}/page")
        return HTMLResponse(page, headers=_SANDBOX)

    async def preview(self, request: Request) -> Response:
        """The preview of a server, for networks that show a link to it."""
        return Response(_PREVIEW, media_type="image/png", headers=_SANDBOX)

    async def picture(self, request: Request) -> Response:
        """The preview of a match: what everybody may know, in pixels, as networks need it."""
        if not (path := self._place(request).grant.path).is_file() or not preview_ending().endswith("png"):
            return await self.preview(request)
        log = read_sound_part(path)
        _, content = await asyncio.to_thread(preview_file, log.header, list(decisions(log)), Perspective())
        return Response(content, media_type="image/png", headers=_SANDBOX)

    async def rules(self, request: Request) -> Response:
        return HTMLResponse(rules_page(self._live(request)[1].ready.config.game), headers=_SANDBOX)

    async def sit(self, request: Request, given: WebFacts) -> object:
        try:
            sitter = Sitter.model_validate(given)
        except ValidationError as error:
            raise UsageError(f"A person at a table: {first_problem(error, Sitter)}") from error
        await self._host.sit(self._live(request)[0], sitter)
        return {}

    async def answer(self, request: Request, given: WebFacts) -> object:
        (grant, match), number, choice, written = self._live(request), *map(given.get, ("number", "choice", "answer"))
        if type(number) is not int or not (choice is None or type(choice) is int) or not isinstance(written or {}, dict):
            raise UsageError(f"An answer has a number, and a choice or an answer, not {quoted(given)}.")
        match.come_back(client := match.client(grant.own))
        return await match.decide(client, number, choice, written or {}, str(given.get("say", ""))[:2000])

    async def come_back(self, request: Request, given: WebFacts) -> object:
        grant, match = self._live(request)
        match.come_back(match.client(grant.own))
        return {}

    async def react(self, request: Request, given: WebFacts) -> object:
        (grant, match), name = self._live(request), given.get("name", "")
        if name not in (known := _ANSWERS["reactions"]):
            raise UsageError(f"A reaction is one of {', '.join(known)}, not {quoted(name)}.")
        if not self._reacting.has_room(f"{grant.name} {request.client and one_client(request.client.host)}"):
            raise UsageError("Wait a little before the next reaction.")
        match.react(grant.own, name)
        return {}

    async def again(self, request: Request, given: WebFacts) -> object:
        grant = self._place(request).grant
        self._host.check(grant, AGAIN)
        missing = await self._host.again(grant.path, grant.seat)
        return {"next": self._host.next_link(grant), "waits_for": sorted(missing)}

    async def go_on_at_table(self, request: Request, given: WebFacts) -> object:
        grant = self._live(request)[0]
        self._host.check(grant, GO_ON)
        await self._host.go_on(grant.path.name)
        return {}


def _log(given: WebFacts) -> str:
    return str(given.get("log", ""))[:300]


def _event(facts: WebFacts) -> str:
    return f"data: {json.dumps(facts, ensure_ascii=False, separators=(',', ':'))}\n\n"


async def _is_newer(seen: Iterable[tuple[WebMatch, int]]) -> bool:
    """Whether there is something new to see of any match before the next heartbeat."""
    looking = [asyncio.ensure_future(match.changed_after(version)) for match, version in seen]
    try:
        changed, _ = await asyncio.wait(looking, timeout=_HEARTBEAT, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in looking:
            one.cancel()
    if changed:
        await asyncio.sleep(_TOGETHER)
    return bool(changed)
