"""Safe text: text of models, decks and logs without characters that a terminal interprets."""

import json
import re
import unicodedata

from rich.text import Text

_DANGEROUS = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_JOINERS = {"\u200d", "\ufe0f"}


def clean(text: object, longest: int = 1000) -> str:
    """The text on one line of at most `longest` letters, without escapes, control characters and direction marks. Letters whose
    width terminals disagree about are simplified: joined emoji are separated, stacked marks limited."""
    raw = str(text)
    shown = raw[:longest]
    if not (shown.isascii() and shown.isprintable()):
        spaced = _BREAKS.sub(" ", shown)
        letters = "".join(c for c in spaced if c in _JOINERS or unicodedata.category(c) not in _DANGEROUS)
        shown = _PILED_MARKS.sub(r"\1", _EMOJI_JOINERS.sub("", letters))
    return shown + (f"… (+{len(raw) - longest} characters)" if len(raw) > longest else "")


_BREAKS = re.compile("[\n\r\t\u2028\u2029\x85\x0b\x0c]")
_EMOJI_JOINERS = re.compile("[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]|\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff])")
_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u20d0-\u20ff\ufe20-\ufe2f]"
_PILED_MARKS = re.compile(f"({_MARK}{{3}}){_MARK}+")


def json_text(data: object, encoding: str = "utf-8") -> str:
    """Data as JSON; characters that a terminal interprets or that the encoding lacks are escaped."""
    return _BEYOND_ASCII.sub(lambda found: _escaped(found[0], encoding), json.dumps(data, ensure_ascii=False))


def _escaped(letter: str, encoding: str) -> str:
    try:
        letter.encode(encoding)
        is_safe = letter in _JOINERS or unicodedata.category(letter) not in _DANGEROUS
    except UnicodeEncodeError:
        is_safe = False
    return letter if is_safe else "\\u007f" if letter == "\x7f" else json.dumps(letter)[1:-1]


_BEYOND_ASCII = re.compile(r"[^\x00-\x7e]")


def plain(text: object, style: str = "") -> Text:
    """Foreign text as a Rich text: cleaned, without markup."""
    return Text(clean(text), style=style)


def block(text: object, style: str = "", longest: int = 200_000) -> Text:
    """Foreign text as a Rich text with its line breaks: each line cleaned, the whole bounded."""
    return Text(clean_block(text, longest), style=style)


def clean_block(text: object, longest: int = 200_000) -> str:
    """The text with its line breaks: each line cleaned, the whole bounded."""
    raw = str(text)
    cut = f"\n… (+{len(raw) - longest} characters)" if len(raw) > longest else ""
    return "\n".join(clean(line, longest) for line in raw[:longest].split("\n")) + cut
