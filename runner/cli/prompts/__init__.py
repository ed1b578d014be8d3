"""`tabletop prompts`: lists, edits, checks, tries and compares prompts."""

from runner.cli.lazy_groups import PANELS_OF, LazyGroup, new_group


class PromptVerbs(LazyGroup):
    """List, edit, check, try and compare prompts.

    Example: tabletop prompts new my-prompts GAME --role ROLE
    """

    noun = "verb for prompts"
    package = "runner.cli.prompts"
    panels = PANELS_OF["prompts"]
    homes = {  # noqa: RUF012 -- a constant
        "list": "templates:list_templates",
        **dict.fromkeys(("show", "variables", "new", "diff", "lint"), "templates"),
        "render": "logged_decision",
    }


prompts = new_group(PromptVerbs, add_completion=False)
