"""`tabletop prompts show GAME ROLE`: the templates of a role."""

from __future__ import annotations

import games
from runner.cli.lazy_groups import new_app
from runner.cli.output import say, say_json
from runner.cli.prompts.common import GameName, JsonFlag, PackOption, RoleName
from runner.prompting.pack import PromptPack
from runner.prompting.template_deps import templates_in_use
from runner.workshop.new_pack import check_role

app = new_app()


@app.command()
def show(game: GameName, role: RoleName, pack: PackOption = None, as_json: JsonFlag = False) -> None:
    """Show the templates of a role's prompt, with the file of each.

    Examples: tabletop prompts show GAME ROLE · tabletop prompts show GAME ROLE --pack my-prompts
    """
    found, used = games.load(game), PromptPack(pack)
    check_role(found, role)
    parts = [
        {
            "template": name,
            "pack": used.name if used.overrides(name) else "built-in",
            "file": str(used.path(name)),
            "text": used.source(name),
        }
        for name in templates_in_use(used, found)[role]
    ]
    if as_json:
        say_json({"game": game, "role": role, "parts": parts})
        return
    say(f"{found.title}, {role}: {found.roles[role]}")
    for part in parts:
        say(f"\n=== {part['template']} ({part['pack']}: {part['file']})")
        say(part["text"].rstrip("\n"))
