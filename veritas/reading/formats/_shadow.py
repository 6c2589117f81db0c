"""Declarative shadow roots put in their place: a reader sees an element's template, not its children."""

from __future__ import annotations

from typing import Any

MAX_ROOTS = 2_000
"""Limit of a page's shadow roots that are put in place."""


def in_place(root: Any) -> None:
    """Replace the content of each shadow host below `root` (lxml) by its `<template shadowrootmode=…>`.

    The host's own children go into the template's slots, and are dropped if there is none for them.
    """
    found = [t for t in root.iter("template") if t.get("shadowrootmode") or t.get("shadowroot")]
    for template in found[:MAX_ROOTS]:
        host = template.getparent()
        if host is None or any(other in found for other in template.itersiblings("template", preceding=True)):
            continue  # of several the first counts; the others stay templates, which nobody sees
        _put(host, template)


def _put(host: Any, template: Any) -> None:
    light: list[tuple[str, Any, str]] = []  # slot, element or None, text
    if host.text and host.text.strip():
        light.append(("", None, host.text))
    for child in host:
        if child is not template:
            light.append((child.get("slot") or "", child, ""))
        if child.tail and child.tail.strip():
            light.append(("", None, child.tail))
    for child in list(host):
        host.remove(child)
    host.text, template.tail = None, None
    template.tag = "div"
    host.append(template)
    for slot in list(template.iter("slot")):
        if not _own(slot, template):
            continue
        name = slot.get("name") or ""
        given = [each for each in light if each[0] == name]
        if not given:
            continue  # what stands in the slot is shown instead
        light = [each for each in light if each[0] != name]
        for child in list(slot):
            slot.remove(child)
        slot.text = None
        for _, element, text in given:
            if element is not None:
                element.tail = None
                slot.append(element)
            elif len(slot):
                slot[-1].tail = (slot[-1].tail or "") + text
            else:
                slot.text = (slot.text or "") + text


def _own(slot: Any, template: Any) -> bool:
    """Return whether a slot belongs to this template and not to one within it."""
    for up in slot.iterancestors():
        if up is template:
            return True
        if up.tag == "template":
            return False
    return False
