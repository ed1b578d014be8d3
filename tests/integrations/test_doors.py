"""What `make doors` runs: each page says what to install, and has commands."""

from __future__ import annotations

import pytest

from tools import doors


@pytest.mark.parametrize("name", doors.DOORS)
def test_a_page_says_what_to_install_and_what_to_run(name: str) -> None:
    install, commands = doors.steps(doors.text_of(doors.DOORS[name]))
    assert install.startswith("pip install ")
    assert commands
    assert not [code for *_, code in commands if "pip install" in code]


def test_a_section_ends_at_the_next_heading_of_its_level() -> None:
    text = doors.text_of(doors.DOORS["learning"])
    assert "games.learning.gymnasium" in text
    assert "games.learning.openspiel" not in text


def test_every_package_of_the_integrations_has_a_door() -> None:
    folders = {path.parent for path in (doors.ROOT / "integrations").glob("*/pyproject.toml")}
    assert folders == set(doors.PACKAGES[1:])
    assert {path.name for path in folders} <= doors.DOORS.keys()
