"""Preparing a council: settings are filled in from the environment, keys looked up, families checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from veritas.council._llm_providers import lab_of, provider_of
from veritas.council.families import EMBEDDED, PERSON, family_of, is_embedded, known_family, voices
from veritas.council.lenses.calibration import read_calibration
from veritas.council.lenses.weights import weights_hash
from veritas.errors import InputError
from veritas.keys import key, remember
from veritas.policy.council_policy import CouncilPolicy, JudgePolicy, MemberPolicy, ModelPolicy
from veritas.policy.yaml_file import Key, YamlFile

_SETTING = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")
_FAMILY = re.compile(r"[a-z0-9][a-z0-9._-]*")


@dataclass(frozen=True)
class Absent:
    """A model that cannot be used: what is missing, and how to get it."""

    name: str
    model: str
    missing: str
    get: str


@dataclass(frozen=True)
class Seating:
    """A council in this environment. If it cannot be used, `policy` is None and `why` gives the reason."""

    policy: CouncilPolicy | None
    absent: tuple[Absent, ...]
    why: str = ""


def key_names(policy: ModelPolicy) -> tuple[str, ...]:
    """Return the environment variables that may hold the model's key; none for a model without one.

    A provider's usual key goes only to that provider: with a base URL it is sent only if `key` names it.
    """
    if policy.key is not None:
        return (policy.key,)
    provider = provider_of(policy.model)
    return provider.keys if provider is not None and policy.base_url is None else ()


def key_of(policy: ModelPolicy, environ: Mapping[str, str]) -> str | None:
    """Return the model's key, or None."""
    if policy.base_url is not None:
        remember("base_url", policy.base_url)
    return key(key_names(policy), environ)


def seat(policy: CouncilPolicy, file: YamlFile, environ: Mapping[str, str]) -> Seating:
    """Return the council with its settings and families, without the models that cannot be used. Raises `PolicyError`
    for a family that is missing or wrong."""
    absent: list[Absent] = []
    members: list[MemberPolicy] = []
    for i, member in enumerate(policy.members):
        model = member.as_model()
        if model is None:
            members.append(member)
            continue
        settled = _settled(model, file, ("members", i), environ, absent)
        if settled is not None:
            fields = settled.model_dump(exclude={"alternatives"})
            members.append(MemberPolicy.model_validate({**fields, "judge": member.judge}))
    judges = [
        seated
        for i, judge in enumerate(policy.judges)
        if (seated := _judge(judge, file, ("judges", i), environ, absent)) is not None
    ]
    gone = {a.name for a in absent}
    if gone and policy.missing == "refuse":
        return Seating(None, tuple(absent), f"not set: {', '.join(dict.fromkeys(a.missing for a in absent))}")
    families = dict.fromkeys(m.family for m in members if m.model is not None)
    writers = [w for w in policy.writers if w not in gone]
    verifiers = [v for v in policy.verifiers if v not in gone]
    if voices(map(str, families), author=EMBEDDED) < policy.families:
        there = f"those of {', '.join(map(str, families))} can sit" if families else "none can sit"
        return Seating(None, tuple(absent), f"it wants models of {policy.families} or more families; {there}")
    if not members or not writers or not verifiers:
        return Seating(None, tuple(absent), "no model is left to assert claims, to write or to verify")
    settled_members = [
        m.model_copy(update={"judge": None}) if m.model is not None and m.judge in gone else m for m in members
    ]
    return Seating(
        policy.model_copy(
            update={
                "members": tuple(settled_members),
                "judges": tuple(judges),
                "verifiers": tuple(verifiers),
                "writer": tuple(writers),
            }
        ),
        tuple(absent),
    )


def _judge(
    judge: JudgePolicy, file: YamlFile, at: tuple[Key, ...], environ: Mapping[str, str], absent: list[Absent]
) -> JudgePolicy | None:
    """Return the judge with its settings; or None, and add a row to `absent`. The content of its folder and of its
    calibration file becomes part of the policy."""
    model = judge.as_model()
    if model is None:
        if unset := _unset((judge.folder, judge.family), environ):
            absent.append(Absent(judge.name, judge.lens or "", unset, "the folder of the model, and who trained it"))
            return None
        family = _filled(judge.family, environ).lower() if judge.family else None
        if family is None:
            raise file.error(
                (*at, "lens"),
                f"add family: with the organisation that trained the model behind {judge.name}, or a name of your own "
                "where there is none. The family decides who may judge whom",
            )
        settled = judge.model_copy(update={"family": _named_family(family, file, at)})
    else:
        sits = _settled(model, file, at, environ, absent)
        if sits is None:
            return None
        settled = judge.model_copy(update={"model": sits.model, "base_url": sits.base_url, "family": sits.family})
    if settled.lens is None:
        return settled
    if settled.folder is not None:
        folder = file.path.parent / Path(_filled(settled.folder, environ)).expanduser()
        try:
            weights = weights_hash(folder)
        except InputError as problem:
            raise file.error((*at, "folder"), str(problem)) from problem
        if settled.weights not in (None, weights):
            raise file.error((*at, "weights"), f"{folder} holds other weights: {weights}")
        settled = settled.model_copy(update={"folder": str(folder), "weights": weights})
    if settled.calibration is not None:
        kept = file.path.parent / Path(settled.calibration).expanduser()
        try:
            found = read_calibration(kept)
        except InputError as problem:
            raise file.error((*at, "calibration"), str(problem)) from problem
        of = settled.weights or settled.model
        if (found.lens, found.of) != (settled.lens, of):
            raise file.error((*at, "calibration"), f"{kept} was made for {found.lens} of {found.of}, not of {of}")
        settled = settled.model_copy(update={"calibration": str(kept), "calibrated": found.temperature})
    return settled


def _settled(
    model: ModelPolicy, file: YamlFile, at: tuple[Key, ...], environ: Mapping[str, str], absent: list[Absent]
) -> ModelPolicy | None:
    """Return the model with its settings; or None, and add a row to `absent`."""
    provider = provider_of(model.model)
    if unset := _unset((model.model, model.base_url, model.family), environ):
        get = "the address of your own server, or the model that it serves"
        absent.append(Absent(model.name, model.model, unset, get))
        return None
    filled = model.model_copy(
        update={
            "model": _filled(model.model, environ),
            "base_url": _filled(model.base_url, environ).rstrip("/") if model.base_url else None,
            "family": _filled(model.family, environ).lower() if model.family else None,
        }
    )
    if filled.base_url is not None and not re.match(r"https?://[^\s/]", filled.base_url):
        raise file.error((*at, "base_url"), f"{filled.base_url!r} is no http:// or https:// address")
    named = filled.model_copy(update={"family": _family(filled, file, at)})
    keys = key_names(named)
    if keys and key_of(named, environ) is None:
        get = provider.get if provider is not None else "the provider's site"
        absent.append(Absent(named.name, named.model, " or ".join(keys), get))
        return None
    return named


def _unset(texts: Iterable[str | None], environ: Mapping[str, str]) -> str:
    """Return the settings in some texts that have neither a value nor a default, in words."""
    names = (name for text in texts for name, default in _SETTING.findall(text or "")
             if not environ.get(name) and not default)  # fmt: skip
    return " and ".join(dict.fromkeys(names))


def _filled(text: str, environ: Mapping[str, str]) -> str:
    return _SETTING.sub(lambda m: environ.get(m[1]) or m[2] or "", text)


def _family(model: ModelPolicy, file: YamlFile, at: tuple[Key, ...]) -> str:
    known = known_family(model.model, model.base_url)
    given = model.family
    if given is None:
        if known is not None:
            return known
        guess = lab_of(model.model)
        hint = f", such as family: {guess}" if guess else ""
        raise file.error(
            (*at, "model"),
            f"it is not known who trained {model.model} here: add family:{hint or ' with the organisation that did'}. "
            "The family decides who may judge whom",
        )
    given = _named_family(given, file, at)
    if known is not None and known != family_of(given):
        raise file.error(
            (*at, "family"), f"{model.model} is of the family {known}, not {given}: nobody may judge their own"
        )
    return known or given


def _named_family(given: str, file: YamlFile, at: tuple[Key, ...]) -> str:
    """Return a stated family. Raises `PolicyError` if it is no family of language models."""
    if not _FAMILY.fullmatch(given) or family_of(given) == PERSON or is_embedded(given):
        raise file.error(
            (*at, "family"), f"{given!r} is no family of language models: letters, digits, dots and dashes"
        )
    return given


def grouped(absent: Iterable[Absent]) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the models that lack the same thing, by (what is missing, how to get it)."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for one in absent:
        found.setdefault((one.missing, one.get), {})[one.name] = None
    return {what: tuple(names) for what, names in found.items()}


def said(absent: Iterable[Absent]) -> str:
    """Return which models are missing and how to get them, in a sentence."""
    waiting = grouped(absent)
    return "; ".join(f"{', '.join(names)} need(s) {missing}: {get}" for (missing, get), names in waiting.items())
