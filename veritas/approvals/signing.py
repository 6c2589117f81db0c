"""Ed25519 keys and signatures in the formats of SSH and PEM, made like those of `ssh-keygen -Y sign`, checked offline.

A key with a passphrase, or one that only an ssh-agent holds, signs through `ssh-keygen`.
"""

from __future__ import annotations

import base64
import binascii
import getpass
import hashlib
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from veritas.errors import InputError

NAMESPACE = b"veritas-approval"
"""SSH's namespace of a signature; a signature made for another purpose is not accepted."""

_MAGIC, _PRIVATE = b"SSHSIG", b"openssh-key-v1\0"
_ENCODING, _OPENSSH = serialization.Encoding, serialization.PublicFormat.OpenSSH


class Signer(NamedTuple):
    """A private key at hand. `sign` takes the message, and gives the signature of 64 bytes."""

    fingerprint: str
    sign: Callable[[bytes], bytes]


def public_key(text: str) -> Ed25519PublicKey:
    """Return the key of a line `ssh-ed25519 AAAA… comment`, or of a PEM. Raises `ValueError` with a sentence for
    anything else."""
    raw = text.strip().encode()
    try:
        pem = raw.startswith(b"-----")
        key = serialization.load_pem_public_key(raw) if pem else serialization.load_ssh_public_key(raw)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise ValueError("this is no public key: give the line of a file such as ~/.ssh/id_ed25519.pub") from error
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError("only Ed25519 keys are taken: ssh-keygen -t ed25519 makes one")
    return key


def fingerprint(key: Ed25519PublicKey) -> str:
    """Return `SHA256:…`, as `ssh-keygen -l` prints it."""
    return _fingerprint(base64.b64decode(key.public_bytes(_ENCODING.OpenSSH, _OPENSSH).split()[1]))


def _fingerprint(blob: bytes) -> str:
    return "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")


def verified(key: Ed25519PublicKey, message: bytes, signature: str) -> bool:
    """Return whether `signature` (base64) was made over the message with the private half of the key."""
    try:
        key.verify(base64.b64decode(signature, validate=True), _to_sign(message))
    except (InvalidSignature, binascii.Error, ValueError):
        return False
    return True


def signer(named: Path | None, known: Collection[str]) -> Signer:
    """Return the key in the file `named`, or the first usable one of the usual places.

    These are the key of `VERITAS_APPROVAL_KEY`, `~/.ssh/id_ed25519`, and the first key of the ssh-agent; the last two
    must be among the `known` fingerprints. Raises `InputError` if none can be used.
    """
    chosen = named or (Path(env) if (env := os.environ.get("VERITAS_APPROVAL_KEY")) else None)
    usual = Path.home() / ".ssh" / "id_ed25519"
    if chosen is None and usual.exists() and (found := _from_file(usual)).fingerprint in known:
        return found
    if chosen is not None:
        return _from_file(chosen.expanduser())
    for blob in _in_agent():
        if _fingerprint(blob) in known:
            return Signer(_fingerprint(blob), lambda message, blob=blob: _by_ssh(message, blob, None))  # type: ignore[misc]
    raise InputError(
        "a decision must be signed, and no key of an approver on the roster was found: name its file with --key or "
        "VERITAS_APPROVAL_KEY, or put it into ~/.ssh/id_ed25519 or the ssh-agent"
    )


def _from_file(path: Path) -> Signer:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"there is no key file {path}") from None
    except OSError as error:
        raise InputError(f"the key file {path} cannot be read: {error.strerror or error}") from error
    try:
        if raw.startswith(b"ssh-ed25519 "):  # a public key: its private half is the agent's
            blob = base64.b64decode(raw.split()[1])
            return Signer(_fingerprint(blob), lambda message: _by_agent(message, blob, path))
        if b"BEGIN OPENSSH PRIVATE KEY" in raw:
            blob, locked = _opened(raw)
            if locked:
                return Signer(_fingerprint(blob), lambda message: _by_ssh(message, blob, path))
            key: object = serialization.load_ssh_private_key(raw, None)
        else:
            key = serialization.load_pem_private_key(raw, _passphrase(path) if b"ENCRYPTED" in raw else None)
    except (ValueError, TypeError, IndexError, struct.error, UnsupportedAlgorithm) as error:
        raise InputError(f"{path} holds no private key that can be used: {error}") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError(f"{path} is not an Ed25519 key: ssh-keygen -t ed25519 makes one")
    private = key
    return Signer(fingerprint(private.public_key()), lambda message: private.sign(_to_sign(message)))


def _passphrase(path: Path) -> bytes:
    if sys.stdin is None or not sys.stdin.isatty():
        raise InputError(f"{path} is protected by a passphrase, and there is no terminal to ask for it on")
    return getpass.getpass(f"Passphrase of {path}: ").encode()


def _opened(raw: bytes) -> tuple[bytes, bool]:
    """Return the unencrypted public half of an OpenSSH key file, and whether the private half is encrypted."""
    body = base64.b64decode(b"".join(line for line in raw.splitlines() if not line.startswith(b"-----")))
    if not body.startswith(_PRIVATE):
        raise ValueError("not a key of OpenSSH")
    cipher, rest = _cut(body[len(_PRIVATE) :])
    _, rest = _cut(rest)
    _, rest = _cut(rest)
    blob, _ = _cut(rest[4:])
    return blob, cipher != b"none"


def _string(value: bytes) -> bytes:
    return struct.pack(">I", len(value)) + value


def _cut(data: bytes) -> tuple[bytes, bytes]:
    (length,) = struct.unpack(">I", data[:4])
    return data[4 : 4 + length], data[4 + length :]


def _to_sign(message: bytes) -> bytes:
    """Return the bytes that SSH signs for a message (OpenSSH, PROTOCOL.sshsig)."""
    parts = (NAMESPACE, b"", b"sha512", hashlib.sha512(message).digest())
    return _MAGIC + b"".join(map(_string, parts))


def _in_agent() -> list[bytes]:
    """Return the Ed25519 keys that the ssh-agent holds, as SSH writes them."""
    if not os.environ.get("SSH_AUTH_SOCK") or not shutil.which("ssh-add"):
        return []
    try:
        listed = subprocess.run(["ssh-add", "-L"], capture_output=True, timeout=10, check=False).stdout
    except subprocess.TimeoutExpired:
        return []
    return [base64.b64decode(line.split()[1]) for line in listed.splitlines() if line.startswith(b"ssh-ed25519 ")]


def _by_agent(message: bytes, blob: bytes, public: Path) -> bytes:
    if blob not in _in_agent():
        raise InputError(
            f"{public} is a public key, and no ssh-agent here holds its private half: name the file of the private "
            "key, or load it with ssh-add"
        )
    return _by_ssh(message, blob, None)


def _by_ssh(message: bytes, blob: bytes, private: Path | None) -> bytes:
    """Return the signature by `ssh-keygen`: with the agent if it holds the key, else with the file; `ssh-keygen` asks
    for the passphrase itself."""
    if not shutil.which("ssh-keygen"):
        raise InputError("this key can sign only through ssh-keygen, which is not installed")
    with tempfile.TemporaryDirectory() as folder:
        public = Path(folder) / "key.pub"
        public.write_bytes(b"ssh-ed25519 " + base64.b64encode(blob) + b"\n")
        with_agent = private is None or blob in _in_agent()
        command = ["ssh-keygen", "-Y", "sign", "-n", NAMESPACE.decode(), "-f", str(public if with_agent else private)]
        done = subprocess.run(command, input=message, capture_output=True, check=False)
    if done.returncode:
        why = " ".join(done.stderr.decode(errors="replace").split())
        raise InputError(f"ssh-keygen did not sign: {why}. Run it in a terminal, or load the key with ssh-add")
    armour = b"".join(line for line in done.stdout.splitlines() if not line.startswith(b"-----"))
    rest = base64.b64decode(armour)[len(_MAGIC) + 4 :]
    for _ in range(4):  # public key, namespace, reserved, hash
        _, rest = _cut(rest)
    signature, _ = _cut(rest)
    return _cut(_cut(signature)[1])[0]
