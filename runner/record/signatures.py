"""Signatures: by the publisher's SSH key (Ed25519 or another kind), made and checked by ssh-keygen."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from runner.errors import DigestError, UsageError
from runner.record.log_paths import place_of
from runner.record.private_files import path_to_write
from runner.record.safe_write import write_file
from runner.regular_files import read_regular, read_regular_text

NAMESPACE = "tabletop"
"""What a signature is for: one made for another program does not count."""

_SIGNER = "publisher"
_LARGEST = 2**16
_SECONDS = 60.0


def signature_path(path: Path) -> Path:
    """Where the signature of a file is: beside it, or beside the place that a packed log has in the pack's folder."""
    place = place_of(path)
    return place.with_name(f"{place.name}.sig")


def sign(text: str, key: Path, to: Path) -> None:
    """Sign text with a private key, and write the signature. UsageError when the key cannot be used."""
    read_regular(key, "The key", _LARGEST)
    done = _ssh_keygen(["-Y", "sign", "-f", str(key), "-n", NAMESPACE], text)
    if done.returncode:
        raise UsageError(f"--sign {key}: ssh-keygen cannot sign with this key: {_reason(done)}.")
    write_file(path_to_write(to, "signature"), done.stdout)


def check_signature(text: str, signature: Path, key: Path) -> None:
    """DigestError when a signature of text is not by the owner of a public key. UsageError when a file cannot be read."""
    public = read_regular_text(key, "The public key", _LARGEST).strip()
    read_regular_text(signature, "The signature", _LARGEST)
    if len(public.splitlines()) != 1 or len(public.split()) < 2 or "PRIVATE" in public:
        raise UsageError(f"--signed-by {key}: this is no public key; that of KEY is KEY.pub.")
    with TemporaryDirectory() as folder:
        signers = Path(folder) / "signers"
        signers.write_text(f'{_SIGNER} namespaces="{NAMESPACE}" {" ".join(public.split()[:2])}\n', encoding="utf-8")
        words = ["-Y", "verify", "-f", str(signers), "-I", _SIGNER, "-n", NAMESPACE, "-s", str(signature)]
        done = _ssh_keygen(words, text)
    if done.returncode:
        raise DigestError(f"The signature {signature} is not that of {key} for this content: {_reason(done)}.")


def _ssh_keygen(words: Sequence[str], text: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            ["ssh-keygen", *words], input=text, capture_output=True, text=True, errors="replace", check=False, timeout=_SECONDS
        )
    except FileNotFoundError as error:
        raise UsageError("Signatures need ssh-keygen, which is part of OpenSSH: install it, or leave them out.") from error
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"ssh-keygen did not end within {_SECONDS:g} s.") from error


def _reason(done: subprocess.CompletedProcess[str]) -> str:
    lines = done.stderr.strip().splitlines()
    return lines[-1].rstrip(".\r") if lines else f"it exits with {done.returncode}"
