"""Templates that try to take all memory or time: one from each way that was found, and combinations of their parts."""

from __future__ import annotations

import random
from collections.abc import Iterator

_NEST = "{% set n = namespace(x=[], y=[]) %}{% for i in range(60) %}" + (
    "{% set n.x = [n.x, n.x] %}{% set n.y = [n.y, n.y] %}{% endfor %}"
)
_TURNS = "{{% set n = namespace(x=3) %}}{{% for i in range({0}) %}}{{% set n.x = {1} %}}{{% endfor %}}{{{{ n.x }}}}"
_GROW = "{{% set n = namespace(x={0}) %}}{{% for i in range(40) %}}{{% set n.x = {1} %}}{{% endfor %}}{{{{ n.x | length }}}}"

NAMED = {
    "tilde": _GROW.format("'ab'", "n.x ~ n.x"),
    "plus": _GROW.format("'ab'", "n.x + n.x"),
    "lists": _GROW.format("[1]", "n.x + n.x"),
    "tuples": _GROW.format("(1,)", "n.x + n.x"),
    "times": _GROW.format("'ab' * 9", "n.x * 9"),
    "list times": _GROW.format("[0] * 9", "n.x * 9"),
    "join": _GROW.format("'ab'", "[n.x, n.x] | join"),
    "join with": _GROW.format("'ab'", "n.x | list | join(n.x[:9000])"),
    "method join": _GROW.format("'ab'", "n.x.join([n.x, n.x, n.x])"),
    "format": _GROW.format("'ab'", "'%s%s' | format(n.x, n.x)"),
    "percent": _GROW.format("'ab'", "'%s%s' % (n.x, n.x)"),
    "method format": _GROW.format("'ab'", "'{0}{0}'.format(n.x)"),
    "replace": _GROW.format("'ab'", "n.x | replace('a', n.x)"),
    "method replace": _GROW.format("'ab'", "n.x.replace('a', n.x)"),
    "replace nothing": _GROW.format("'ab'", "n.x.replace('', n.x)"),
    "upper": _GROW.format("'ß'", "n.x.upper() + n.x"),
    "escape": _GROW.format("'<'", "(n.x | e | string) ~ n.x"),
    "urlencode": _GROW.format("'ü'", "n.x | urlencode"),
    "tojson": _GROW.format("'\"'", "n.x | tojson"),
    "pprint": _GROW.format("['x']", "[n.x, n.x] | pprint | list"),
    "indent": _GROW.format("'a\\n'", "(n.x ~ n.x) | indent(999)"),
    "map": _GROW.format("['ab']", "(n.x + n.x) | map('upper') | list"),
    "batch": _GROW.format("[1]", "(n.x + n.x) | batch(2) | map('list') | sum(start=[])"),
    "nested": _GROW.format("[1]", "[n.x, n.x]") + "{{ n.x }}",
    "nested text": _NEST + "{{ n.x | string }}",
    "nested json": _NEST + "{{ n.x | tojson }}",
    "nested equal": _NEST + "{{ n.x == n.y }}",
    "to_bytes": "{{ (1).to_bytes(10**10, 'big') | length }}",
    "to_bytes in turns": _TURNS.format(99999, "[n.x, (1).to_bytes(9999, 'big')]"),
    "zfill": "{{ 'x'.zfill(10**10) }}",
    "zfill of lengths": _GROW.format("'ab'", "n.x.zfill(n.x | length * 2)"),
    "center": "{{ 'x'.center(10**10) }}",
    "center filter": "{{ 'x' | center(10**10) }}",
    "ljust": "{{ 'x'.ljust(10**10) }}",
    "expandtabs": "{{ '\\t'.expandtabs(10**10) }}",
    "width": "{{ '%010000000000d' % 1 }}",
    "width of argument": "{{ '%*d' % (10**10, 1) }}",
    "width filter": "{{ '%10000000000d' | format(1) }}",
    "precision": "{{ '%.2000000000f' % 1.5 }}",
    "field": "{{ '{:>10000000000}'.format(1) }}",
    "field of field": "{{ '{:>{}}'.format(1, 10**10) }}",
    "field in a map": "{{ '{x:>9000000000}'.format_map({'x': 1}) }}",
    "power": "{{ 9 ** 9 ** 9 }}",
    "power in turns": _TURNS.format(99, "n.x * n.x"),
    "power of names": _TURNS.format(99, "n.x ** 9"),
    "sum in turns": _TURNS.format(199999, "n.x + n.x"),
    "loops": "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    "loops that write": "{% for a in range(99999) %}" + "x" * 5000 + "{% endfor %}",
    "recursive loop": "{% for a in [[1]] recursive %}{{ loop([a, a]) }}{% endfor %}",
    "macro": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "two macros": "{% macro a() %}{{ b() }}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{{ a() }}{% endmacro %}{{ a() }}",
    "macro tree": "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% else %}x{% endif %}{% endmacro %}{{ m(60) }}",
    "macro of macro": "{% macro m(n) %}{% set x = caller() %}{{ x ~ x }}{% endmacro %}"
    + "{% call m(1) %}" * 40
    + "ab"
    + "{% endcall %}" * 40,
    "set block": "{% set x %}ab{% endset %}" + "{% set x %}{{ x }}{{ x }}{% endset %}" * 40 + "{{ x }}",
    "filter block": "{% filter replace('a', 'aaaaaaaaaa') %}" * 12 + "a" + "{% endfilter %}" * 12,
    "include itself": '{% include "dixiquote/voter.j2" %}',
    "import itself": '{% import "dixiquote/voter.j2" as me %}{{ me }}',
    "extends itself": '{% extends "dixiquote/voter.j2" %}',
    "include in loops": '{% for i in range(99999) %}{% include "dixiquote/rules.j2" %}{% endfor %}',
    "chain of constants": "{{ " + "'a' | replace('a', 'aaaaaaaaaa')" + " | replace('a', 'aaaaaaaaaa')" * 12 + " | length }}",
    "range in range": "{{ range(99999) | map('string') | map('list') | list | length }}",
    "list in list": "{{ range(99999) | reject('in', range(99999) | list) | list }}",
    "sum of lists": "{{ range(99999) | batch(1) | sum(start=[]) | length }}",
    "groupby": "{{ range(99999) | groupby('real') | map('last') | sum(start=[]) | groupby('real') | list | length }}",
    "sort": "{{ range(99999) | map('string') | sort | join(',') | list | sort | join(',') | list | sort | join | length }}",
    "unique": "{{ range(99999) | map('string') | join | list | unique | list }}" * 40,
    "slice": "{{ range(99999) | slice(9999) | map('list') | list | string | list | slice(9999) | list | string | length }}",
    "wordwrap": "{{ range(99999) | join(' ') | wordwrap(2) | wordwrap(1) | wordcount }}" * 20,
    "striptags": "{{ ('<' * 9999) | striptags }}" * 200,
    "urlize": "{{ ('http://a.b/' * 900) | urlize | urlize | urlize | length }}",
    "xmlattr": "{{ dict(range(99999) | map('string') | batch(2)) | xmlattr | xmlattr }}",
    "dictsort": "{{ dict(range(99998) | batch(2)) | dictsort | dictsort }}",
    "cycler": "{% set c = cycler(*range(99999)) %}{% for i in range(99999) %}{{ c.next() }}{{ c.items }}{% endfor %}",
    "joiner": "{% set j = joiner('x' * 9999) %}{% for i in range(99999) %}{{ j() }}{% endfor %}",
    "split": "{{ ('a ' * 4999).split() | map('center', 9999) | join | length }}" * 20,
    "messages": '{% for i in range(99999) %}{% call message("user") %}' + "x" * 999 + "{% endcall %}{% endfor %}",
    "translate": "{{ ('a' * 9999).translate({97: 'b' * 9999}) | length }}" * 30,
    "encode": _GROW.format("'ab'", "(n.x ~ n.x).encode('utf-32').decode('latin-1')"),
    "splitlines": _GROW.format("'a\\n'", "(n.x ~ n.x).splitlines(true) | join"),
    "casefold": _GROW.format("'ﬃ'", "(n.x ~ n.x).casefold()"),
    "quoted": _GROW.format("'\\\\'", "n.x | pprint"),
    "compile parentheses": "{{ " + "(" * 20_000 + "1" + ")" * 20_000 + " }}",
    "compile brackets": "{{ " + "[" * 20_000 + "]" * 20_000 + " }}",
    "compile not": "{{ " + "not " * 20_000 + "1 }}",
    "compile minus": "{{ " + "-" * 20_000 + "1 }}",
    "compile filters": "{{ 'x'" + " | upper" * 20_000 + " }}",
    "compile attributes": "{{ view" + ".x" * 20_000 + " }}",
    "compile sum": "{{ 1" + " + 1" * 20_000 + " }}",
    "compile blocks": "{% if 1 %}" * 9_000 + "{% endif %}" * 9_000,
    "compile loops": "{% for a in [1] %}" * 5_000 + "{% endfor %}" * 5_000,
    "compile literal": "{{ '" + "x" * 190_000 + "' | length }}",
    "compile number": "{{ " + "9" * 100_000 + " }}",
    "compile outputs": "{{ 1 }}" * 25_000,
    "compile sets": "".join(f"{{% set a{i} = {i} %}}" for i in range(8_000)),
    "too large a file": "x" * 300_000,
}
"""A template's text by what it does."""

_STARTS = ("'ab'", "'a b\\n' * 99", "['ab', 'b']", "range(999) | list", "'9' * 99")
_STEPS = (
    *("({x}) ~ ({x})", "({x}) | string | list", "({x}) | list + ({x}) | list", "({x}) | join('ab')", "({x}) | tojson"),
    *("({x}) | string | replace('a', 'bababa')", "[({x}), ({x})]", "({x}) | string | upper | center(9999)"),
    *("({x}) | pprint | list | batch(3) | list", "'%s%s%s' % (({x}), ({x}), ({x}))", "({x}) | string | indent(9)"),
)


def generated(count: int, seed: int) -> Iterator[str]:
    """Templates of random growing steps in a loop."""
    chance = random.Random(seed)
    for _ in range(count):
        step = chance.choice(_STEPS).format(x="n.x")
        step = chance.choice(_STEPS).format(x=step) if chance.random() < 0.5 else step
        turns = chance.choice((5, 20, 60))
        yield (
            f"{{% set n = namespace(x={chance.choice(_STARTS)}) %}}{{% for i in range({turns}) %}}{{% set n.x = {step} %}}"
            "{% endfor %}{{ n.x }}"
        )
