"""Dataset: tables of data with a Croissant document and a card, in one folder that dataset hubs take as it is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from hashlib import sha256
from pathlib import Path
from typing import Any

from games.core import counted
from runner.errors import UsageError
from runner.export.table_columns import TABLES
from runner.export.table_file import folder_cells, table_file
from runner.match.header import package_version
from runner.record.log_folder import summaries
from runner.record.log_paths import logs_in
from runner.record.log_summary import LogState, LogSummary
from runner.record.safe_write import write_file
from runner.record.unusable import Unusable, none_left
from runner.review.each_log import FollowWork
from runner.screen.safe_text import clean

CROISSANT, CARD = "croissant.json", "README.md"
_FORMATS = {"csv": "text/csv", "parquet": "application/x-parquet"}
_TYPES = {"integer": "sc:Integer", "number": "sc:Float", "boolean": "sc:Boolean", "time": "sc:DateTime"}
_WORDS = (
    *("annotation", "arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field", "fileObject"),
    *("fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "key", "md5", "parentField"),
    *("path", "readLines", "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator", "source"),
    *("subField", "transform", "unArchive", "value"),
)
"""What the context of every Croissant document names, whether it is used or not."""
_CONTEXT: Mapping[str, object] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "data": {"@id": "cr:data", "@type": "@json"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{word: f"cr:{word}" for word in _WORDS},
}
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def write_dataset(logs: Path, out: Path, names: Sequence[str], kind: str, title: str, follow: FollowWork) -> list[Unusable]:
    """Write tables of all logs of a folder as `kind` (csv or parquet), their Croissant document and the card. Of several tables
    those without rows are left out. The logs that have no rows. The error of `none_left` when that is all of them."""
    paths, unusable, rows = logs_in(logs), list[Unusable](), Counter[str]()
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is not a folder: name another one.")
    with ExitStack() as stack:
        writers = {name: stack.enter_context(table_file(out / f"{name}.{kind}", kind, name)) for name in names}
        with closing(folder_cells(logs, paths, names)) as found:  # type: ignore[type-var]
            for one in follow(found, len(paths)):
                if isinstance(one, Unusable):
                    unusable.append(one)
                    continue
                for name, cells in one.items():
                    writers[name](name, cells)
                    rows[name] += len(cells)
        if len(unusable) == len(paths):
            raise none_left(unusable)
    for name in names:
        if not rows[name] and len(names) > 1:
            (out / f"{name}.{kind}").unlink()
    kept = {name: rows[name] for name in names if rows[name] or len(names) == 1}
    played = [log for log in summaries(logs).values() if log.state is not LogState.DAMAGED]
    document = _croissant(out, kept, kind, clean(title, 100), played)
    write_file(out / CROISSANT, json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    write_file(out / CARD, _card(document, kept, kind, played))
    return unusable


def _croissant(out: Path, rows: Mapping[str, int], kind: str, title: str, played: Sequence[LogSummary]) -> dict[str, Any]:
    """The document of the tables by Croissant 1.1, with the fields of its RAI vocabulary that hold for every match."""
    times = sorted(log.created for log in played)
    known = sorted({log.game for log in played if log.game})
    players = sorted({clean(seat.spec, 200) for log in played for seat in log.seats})
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"],
        "name": title,
        "description": f"{counted(len(played), 'match')} of {', '.join(known)} between {', '.join(players)}: the tables"
        f" {', '.join(rows)} of logs of tabletop {package_version()}.",
        "datePublished": times[-1][:10] if times else "",
        "version": "1.0.0",
        "keywords": ["language models", "games", "hidden information", *known],
        "distribution": [_file(out / f"{name}.{kind}", kind) for name in rows],
        "recordSet": [_records(name, f"{name}.{kind}") for name in rows],
        "rai:dataCollection": "Matches played by tabletop. Every question, answer and event is logged when it happens; each"
        " line of a log has the hash of the one before, and the rules replay every decision.",
        "rai:dataCollectionType": ["Experiments", "Software Collection"],
        "rai:dataCollectionTimeframe": [times[0], times[-1]] if times else [],
        "rai:dataLimitations": "Win shares of one deal depend on one another: compute errors over deals, not over rows. Figures"
        " hold for these opponents, prompts and options.",
        "rai:dataBiases": "Luck of cards and seats differs from deal to deal. Models may know the games from their training.",
        "rai:dataUseCases": "Studies of how language models decide in games with hidden information.",
        "rai:personalSensitiveInformation": "Names that people gave as players, and what they wrote at the table; nothing else"
        " about persons is collected. Texts of models are as they were given.",
    }


def _file(path: Path, kind: str) -> dict[str, object]:
    size, digest = path.stat().st_size, sha256(path.read_bytes()).hexdigest()
    facts: dict[str, object] = {"@type": "cr:FileObject", "@id": path.name, "name": path.name, "contentUrl": path.name}
    return facts | {"contentSize": f"{size} B", "encodingFormat": _FORMATS[kind], "sha256": digest}


def _records(name: str, file: str) -> dict[str, object]:
    table = TABLES[name]
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{name}/{column.name}",
            "name": f"{name}/{column.name}",
            "description": column.text,
            "dataType": _TYPES.get(column.type, "sc:Text"),
            "source": {"fileObject": {"@id": file}, "extract": {"column": column.name}},
        }
        for column in table.columns
    ]
    facts: dict[str, object] = {"@type": "cr:RecordSet", "@id": name, "name": name, "description": table.meaning}
    return facts | {"key": [{"@id": f"{name}/{column}"} for column in table.key], "field": fields}


def _card(document: Mapping[str, Any], rows: Mapping[str, int], kind: str, played: Sequence[LogSummary]) -> str:
    """The dataset card: a head in YAML that Hugging Face reads, whose texts are written as JSON, and what is in the tables."""
    size = next((word for most, word in _SIZES if max(rows.values()) < most), "n>1M")
    head = [f"pretty_name: {json.dumps(document['name'])}", "language:", "- en", "tags:", "- games", "- tabletop"]
    head += ["size_categories:", f"- {size}", "configs:"]
    head += [line for name in rows for line in (f"- config_name: {name}", f"  data_files: {name}.{kind}")]
    return "\n".join(["---", *head, "---", "", *_body(document, rows), ""])


def _body(document: Mapping[str, Any], rows: Mapping[str, int]) -> Iterator[str]:
    yield f"# {document['name']}\n\n{document['description']}\n\n| table | rows | a row |\n|---|---|---|"
    for name, number in rows.items():
        yield f"| `{name}` | {number:,} | {TABLES[name].meaning.replace('|', ' ')} |"
    for title, field in (("Collection", "dataCollection"), ("Limits", "dataLimitations"), ("Biases", "dataBiases")):
        yield f"\n## {title}\n\n{document[f'rai:{field}']}"
    yield f"\n## Persons\n\n{document['rai:personalSensitiveInformation']}"
    yield "\n## Licence\n\nNone is chosen yet: whoever publishes the data has to name one."
