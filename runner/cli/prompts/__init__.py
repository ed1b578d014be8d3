"""`tabletop prompts`: lists, edits, checks, tries and compares prompts."""

from runner.cli.lazy_groups import LazyGroup, new_group

VERBS = {
    "list": "List the templates and the packs.",
    "show": "Show the templates of a role, with the file of each part.",
    "variables": "Show the variables that templates of a role can use.",
    "new": "Start a prompt pack.",
    "diff": "Show the differences between a pack and the built-in one.",
    "lint": "Check prompts by rendering them for real decisions.",
    "render": "Show the messages of a logged decision with any pack.",
    "ask": "Ask models to make logged decisions again, and grade their answers.",
    "tweak": "Judge a pack while you edit it.",
    "compare": "Compare two packs by play, with statistics.",
    "improve": "Let a coach rewrite a pack, and test the result.",
}


class PromptVerbs(LazyGroup):
    """List, edit, check, try and compare prompts.

    Example: tabletop prompts new my-prompts GAME --role ROLE
    """

    noun = "verb for prompts"
    package = "runner.cli.prompts"
    panels = {"Commands": VERBS}  # noqa: RUF012 -- a constant
    homes = {  # noqa: RUF012 -- a constant
        "list": "templates:list_templates",
        **dict.fromkeys(("show", "variables", "new", "diff", "lint"), "templates"),
        "render": "logged_decision",
    }


prompts = new_group(PromptVerbs, add_completion=False)
