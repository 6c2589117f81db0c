"""`veritas plugins`: the registered plug-ins, their packages, and whether they can be used."""

from __future__ import annotations

import json as json_text
from dataclasses import asdict
from itertools import groupby
from typing import Annotated

import typer


def plugins(
    seam: Annotated[str | None, typer.Argument(help="One seam, such as lens or search-provider; default: all.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """List the plug-ins of every seam, built-in ones among them: its package, and whether it can be loaded and made.

    Exit code 1 if one of them cannot. `veritas plugin new KIND NAME` writes a new one.
    """
    from veritas.errors import InputError
    from veritas.text.visible import one_line
    from veritas.use_cases.plugin_listing import list_plugins, seam_names

    wanted = None if seam is None else seam.replace("-", "_").removeprefix("veritas.")
    found = list_plugins(wanted)
    if wanted is not None and not found:
        raise InputError(f"nothing is registered for a seam {seam!r}; there are {', '.join(seam_names())}")
    if json:
        print(json_text.dumps({"plugins": [asdict(each) for each in found]}))
    else:
        for name, group in groupby(found, key=lambda each: each.seam):
            print(name)
            for each in group:
                package = f"{each.package} {each.version}" if each.package else "of no package"
                print(f"  {'✗' if each.problem else '✓'} {one_line(each.name):<22} {one_line(package)}")
                if each.problem:
                    print(f"    {one_line(each.problem)}")
    if any(each.problem for each in found):
        raise typer.Exit(1)
