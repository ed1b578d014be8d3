"""Pictures of pages: `python -m tools.page_pictures` draws the previews of links to a server, report.png and season.png."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
FOLDER, PREVIEW = ROOT / "docs" / "pictures", ROOT / "runner" / "serve" / "web" / "preview.svg"
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PLAN = """\
deals = 6
seed = 1
agents = { steady = "bot:steady", search = "bot:search:20", random = "bot:random" }
games = [{ name = "coup", players = 3 }]
"""
PAGES = {
    "report": (("report", "coup", "--players", "3", "--html", "-o", "report.html"), "report.html"),
    "season": (("season", "spring.toml"), "seasons/spring/index.html"),
}
"""What is called, and the page that it writes."""
SIZE, SIZE_OF_PREVIEW = (1000, 640), (1200, 630)


def picture(page: Path, to: Path, browser: str, size_of: tuple[int, int] = SIZE) -> None:
    """Draw the top of a page. RuntimeError when the browser draws nothing."""
    size, shot = "--window-size={},{}".format(*size_of), f"--screenshot={to}"
    command = [browser, "--headless", "--no-sandbox", "--hide-scrollbars", size, shot, page.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    if not to.is_file():
        raise RuntimeError(f"{browser} drew nothing of {page.name}")


def main() -> None:
    """Write the pages in a folder of their own, and draw them."""
    browser = next((found for name in NAMES if (found := shutil.which(name))), None)
    if browser is None:
        sys.exit("No Chromium is installed: pictures of pages need one.")
    picture(PREVIEW, PREVIEW.with_suffix(".png"), browser, SIZE_OF_PREVIEW)
    tabletop = Path(sys.executable).parent / "tabletop"
    with TemporaryDirectory() as folder:
        Path(folder, "spring.toml").write_text(PLAN, encoding="utf-8")
        for name, (words, page) in PAGES.items():
            subprocess.run([tabletop, *words, "-q"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
            picture(Path(folder, page), FOLDER / f"{name}.png", browser)


if __name__ == "__main__":
    main()
