"""Base URLs: which are addresses, which host they name, and where a key may go."""

from __future__ import annotations

import base64
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from runner.agents.config_files import parse_agents
from runner.agents.environment import Environment
from runner.agents.model_seats import model_of
from runner.agents.spec import Endpoint, Named, parse_spec
from runner.errors import AccountError
from runner.llm.address import AddressError, parse_address, redact, secrets_of, without_password
from runner.llm.endpoint import httpx2
from tests.llm.odd_server import OddServer
from tests.llm.support import ask, model

OPENROUTER_KEY, OPENAI_KEY, OWN_KEY = "canary-openrouter", "canary-openai", "canary-own"
KEYS = {"OPENROUTER_API_KEY": OPENROUTER_KEY, "OPENAI_API_KEY": OPENAI_KEY, "MY_KEY": OWN_KEY}


def key_at(url: str, **variables: str) -> str:
    spec = parse_spec(f"m@{url}")
    assert isinstance(spec, Endpoint)
    return model_of(spec, Environment({**KEYS, **variables})).key


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://openrouter.ai/api/v1", OPENROUTER_KEY),
        ("HTTPS://OpenRouter.AI./api/v1", OPENROUTER_KEY),
        ("https://eu.openrouter.ai:8443/api/v1", OPENROUTER_KEY),
        ("https://api.openai.com/v1", OPENAI_KEY),
        ("http://127.0.0.1:8000/v1", OPENAI_KEY),
        ("http://localhost:8000/v1", OPENAI_KEY),
        ("http://[::1]:8000/v1", OPENAI_KEY),
        ("http://api.openai.com/v1", ""),
        ("https://openrouter.ai.evil.example/v1", ""),
        ("https://notopenrouter.ai/v1", ""),
        ("https://openr\u043euter.ai/v1", ""),
        ("https://evil.example/openrouter.ai/v1", ""),
        ("https://api.openai.com.evil.example/v1", ""),
        ("http://localhost.evil.example/v1", ""),
        ("http://127.0.0.1.evil.example/v1", ""),
        ("http://0.0.0.0:8000/v1", ""),
        ("http://2130706433/v1", ""),
        ("http://192.168.1.5:8000/v1", ""),
    ],
)
def test_a_key_goes_to_the_host_that_it_is_for(url: str, key: str) -> None:
    assert key_at(url) == key


@pytest.mark.parametrize(
    ("variables", "url", "is_sent"),
    [
        ({"TABLETOP_KEY_HOSTS": "a.example, B.example:8000"}, "http://a.example:1/v1", True),
        ({"TABLETOP_KEY_HOSTS": "a.example,B.example:8000"}, "http://b.example:8000/v1", True),
        ({"TABLETOP_KEY_HOSTS": "a.example,b.example:8000"}, "http://b.example:8001/v1", False),
        ({"TABLETOP_KEY_HOSTS": "https://a.example/v1"}, "https://a.example/v1", True),
        ({"TABLETOP_KEY_HOSTS": "a.example"}, "https://x.a.example/v1", False),
        ({"TABLETOP_KEY_HOSTS": "*, ,.,http://"}, "https://a.example/v1", False),
        ({"OPENAI_BASE_URL": "http://a.example:9/v1"}, "http://a.example:8/v1", True),
        ({"OPENAI_BASE_URL": "nonsense://"}, "http://a.example/v1", False),
    ],
)
def test_hosts_named_in_the_settings_get_the_other_key(variables: dict[str, str], url: str, is_sent: bool) -> None:
    assert key_at(url, **variables) == (OPENAI_KEY if is_sent else "")


def test_openrouter_without_encryption_is_refused() -> None:
    with pytest.raises(AccountError, match=r"write https://openrouter\.ai/api/v1"):
        key_at("http://openrouter.ai/api/v1")


@pytest.mark.parametrize(
    ("entry", "key"),
    [
        ('base_url = "http://a.example/v1"\nkey = "MY_KEY"', OWN_KEY),
        ('base_url = "http://a.example/v1"\nkey = "OPENAI_API_KEY"', OPENAI_KEY),
        ('base_url = "http://a.example/v1"', ""),
        ("", OPENROUTER_KEY),
    ],
)
def test_the_key_of_an_agent_goes_to_its_address(entry: str, key: str) -> None:
    agents = parse_agents(f'[mine]\nmodel = "m"\n{entry}').agents
    spec = parse_spec("mine")
    assert isinstance(spec, Named)
    assert model_of(spec, Environment(KEYS, agents)).key == key


@pytest.mark.parametrize(
    "url",
    [
        "https://user:pw-canary@host/v1",
        "https://openrouter.ai:pw-canary@evil.example/v1",
        "http://u:pw-canary/x@host/v1",
        "http://host/v1?api_key=pw-canary",
        "http://host/v1?api-version=1&access_token=pw-canary",
    ],
)
def test_a_secret_in_a_url_is_refused_and_never_shown(url: str) -> None:
    with pytest.raises(AccountError) as refusal:
        key_at(url)
    assert "agents.toml" in str(refusal.value)
    assert "pw-canary" not in str(refusal.value)
    assert "pw-canary" not in without_password(f"x m@{url} y")
    faults = parse_agents(f'[mine]\nmodel = "m"\nbase_url = "{url}"').faults
    assert "base_url cannot be" in faults["mine"]
    assert "pw-canary" not in faults["mine"]


@pytest.mark.parametrize(
    "url", ["http://host:x/v1", "http://[::1/v1", "http://a..b/v1", "http://h:0/v1", "http://h/a b", "http://-/"]
)
def test_a_faulty_address_gets_one_sentence(url: str) -> None:
    with pytest.raises(AccountError) as refusal:
        key_at(url)
    assert url in str(refusal.value)


def test_another_scheme_is_named() -> None:
    with pytest.raises(AddressError, match="another scheme: only http and https work"):
        parse_address("ftp://localhost")


@given(st.text("htps:/@[]?#.%\\ \taé:1x", max_size=24).map(lambda tail: f"http://{tail}"))
def test_every_library_reads_the_same_host(url: str) -> None:
    try:
        address = parse_address(url)
    except AddressError:
        return
    assert urlsplit(address.full).hostname == address.host
    assert httpx2.URL(address.full).raw_host.decode() == address.host
    assert parse_address(address.full) == address


SECRETS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=40)
TEXTS = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=9)


@given(SECRETS, TEXTS, TEXTS)
@example("0000000{", "%", "")
def test_a_secret_is_found_in_every_form(secret: str, before: str, after: str) -> None:
    spelled = {
        secret.upper(),
        secret.lower(),
        quote(secret, safe=""),
        quote(quote(secret, safe=""), safe=""),
        "".join(f"%{byte:02X}" for byte in secret.encode()),
        "".join(f"\\u{ord(letter):04x}" for letter in secret),
    }
    for form in spelled:
        assert form not in redact(f"{before}{form}{after}", [secret]).replace("[key]", "")
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        shown = redact(encode(f"{before}{secret}{after}".encode()).decode(), [secret])
        assert "[key]" in shown


def test_the_credentials_in_a_header_are_secret_without_their_scheme() -> None:
    secrets = secrets_of("", {"Authorization": "Bearer abcdef-123", "X-Short": "no"})
    assert redact("abcdef-123 ABCDEF-123 no", secrets) == "[key] [key] no"


async def test_no_proxy_gets_a_request_to_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    async with OddServer() as proxy, OddServer() as server:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.delenv("no_proxy", raising=False)
        await ask(model(server.base_url))
    assert (proxy.connections, len(server.heads)) == (0, 1)
