"""A roster of approvers with keys of their own, as a team would keep it: outside the home that workers write."""

from __future__ import annotations

from pathlib import Path

from cryptography.hazmat.primitives import serialization as pack
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def make_key(path: Path) -> str:
    """Writes a private key as OpenSSH does; the line of its public half."""
    key = Ed25519PrivateKey.generate()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        key.private_bytes(pack.Encoding.PEM, pack.PrivateFormat.OpenSSH, pack.NoEncryption())
    )
    return key.public_key().public_bytes(pack.Encoding.OpenSSH, pack.PublicFormat.OpenSSH).decode()


class Team:
    """A roster in a folder, and a private key for everyone named, and for Eve, who is not on it."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.folder, self.roster = folder, folder / "approvers.yaml"
        self.public = {name: make_key(self.key(name)) for name in (*names, "Eve")}
        self.write(*names)

    def key(self, name: str) -> Path:
        """The file of a private key."""
        return self.folder / "keys" / name.lower()

    def write(self, *names: str, more: str = "") -> None:
        """The roster anew, of these people."""
        rows = "".join(f"  - name: {name}\n    key: {self.public[name]}\n" for name in names)
        self.roster.write_text(f"approvers:\n{rows}{more}\n")

    @property
    def heads(self) -> Path:
        """The folder of the signed heads."""
        return self.folder / "approvals_head"
