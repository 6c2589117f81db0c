"""The seats of a council in a policy file: members, judges, verifiers, writer, and their limits."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from veritas.frozen import Frozen
from veritas.policy.yaml_file import YamlFile, read_yaml

NAME = r"^[\w.:@/-]+$"
_OWN = ("ollama", "ollama_chat", "hosted_vllm", "vllm", "llamafile", "lm_studio")
"""Prefixes of models that a server of one's own runs, wherever nothing else is said."""


class Price(Frozen):
    """US dollars for a million tokens, for a model that LiteLLM's table does not know; 0 for a machine of one's own."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)


class CallLimits(Frozen):
    """Limits on waiting for a model. All but `retries` are in seconds."""

    timeout: float = Field(default=180.0, gt=0)
    """Longest time for one try, from the request to the whole answer."""
    retries: int = Field(default=2, ge=0, le=10)
    """Further tries after a failure that may pass."""
    backoff: float = Field(default=1.0, ge=0)
    """Longest wait before the first retry; doubled for each further one, and shortened by chance."""
    patience: float = Field(default=60.0, ge=0)
    """The longest wait a provider may ask for. One that asks for more is left out of the rest of the run."""


class RateLimits(Frozen):
    """Limits on requests to one provider or own server. None for no limit of ours."""

    requests_per_minute: int | None = Field(default=None, ge=1)
    tokens_per_minute: int | None = Field(default=None, ge=1)
    at_once: int | None = Field(default=None, ge=1, le=256)
    """Calls under way at the same time; by default 16, and 4 for a server of one's own."""


class _ModelFields(Frozen):
    name: str = Field(min_length=1, pattern=NAME)
    family: str | None = None
    """The house that trained the model; only where the provider does not tell it."""
    base_url: str | None = None
    key: str | None = Field(default=None, pattern=r"^\w+$")
    """The environment variable that holds the key; only where it is not the provider's usual one."""
    structured: Literal["auto", "schema", "prompt"] = "auto"
    """Place of the answer's schema, in the request or in the prompt; auto: as LiteLLM's table says."""
    window: int | None = Field(default=None, ge=1024)
    """Tokens that fit in, request and answer together; None: as LiteLLM's table says, else 8192."""
    output: int | None = Field(default=None, ge=64)
    """Most tokens of an answer; None: 8192, or a quarter of the window where that is less."""
    temperature: float | None = Field(default=0.0, ge=0, le=2)
    """None to leave it to the provider. It is not sent to models that refuse it."""
    price: Price | None = None
    limits: CallLimits = CallLimits()
    local: bool | None = None
    """True if it is on one's own machine or network, and so may be loading; None: as its address says."""


class ModelPolicy(_ModelFields):
    """A language model, named as LiteLLM names it: `provider/model`."""

    model: str = Field(min_length=3, pattern=r"^\S+/\S+$")
    alternatives: int = Field(default=0, ge=0, le=20)
    """Alternatives to the first word of an answer whose probabilities are asked for."""

    @property
    def own_server(self) -> bool:
        """True if the model runs on the user's own machine or network, by its address, so that it costs nothing."""
        host = urlsplit(self.base_url).hostname if self.base_url else None
        if not host:
            return self.model.split("/", 1)[0] in _OWN
        try:
            return ip_address(host).is_private  # loopback and link-local addresses are, too
        except ValueError:  # a name without a dot is in one's own network
            return "." not in host or host.endswith((".localhost", ".local", ".internal", ".lan"))

    @property
    def unhurried(self) -> bool:
        """True if it has its whole time limit from the first request on, because it may be loading."""
        return self.own_server if self.local is None else self.local


class MemberPolicy(_ModelFields):
    """A seat: a plug-in (`member`) with the lens that judges its peers (`judge`), or a language model (`model`), which
    judges its peers itself unless `judge` names another lens."""

    member: str | None = None
    model: str | None = Field(default=None, min_length=3, pattern=r"^\S+/\S+$")
    judge: str | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> MemberPolicy:
        if (self.member is None) == (self.model is None):
            raise ValueError("a seat has either member: (a plug-in) or model: (a language model)")
        if self.member is not None:
            if self.judge is None:
                raise ValueError("a plug-in needs judge: the lens it judges its peers with")
            given = self.model_fields_set - {"name", "member", "judge"}
            if given:
                raise ValueError(f"{', '.join(sorted(given))} can be set for a language model only")
        return self

    def as_model(self) -> ModelPolicy | None:
        """Return the language model of this seat, or None for a plug-in."""
        if self.model is None:
            return None
        return ModelPolicy.model_validate(self.model_dump(exclude={"member", "judge"}))


FIRST_WORDS = 5
"""Alternatives asked for where a lens reads its score from the first word of an answer."""


class JudgePolicy(_ModelFields):
    """A judge: a language model with the judge's prompt (`model`), or a configured lens plug-in (`lens`), with a model
    to ask (`model`) or one in a folder."""

    model: str | None = Field(default=None, min_length=3, pattern=r"^\S+/\S+$")
    lens: str | None = Field(default=None, pattern=NAME)
    folder: str | None = None
    weights: str | None = Field(default=None, pattern=r"^[0-9a-f]{64}$")
    """SHA-256 of the folder's contents, written in when the council sits; another one is an error."""
    calibration: str | None = None
    """A file that `veritas lenses --calibrate` wrote, beside the council file or by its path."""
    calibrated: float | None = Field(default=None, ge=0.01, le=100)
    """Temperature of the lens's probabilities, written in from `calibration`; 1 changes nothing."""

    @model_validator(mode="after")
    def _made_of_something(self) -> JudgePolicy:
        if self.model is None and self.lens is None:
            raise ValueError("a judge has model: (a language model), lens: (a lens plug-in), or both")
        if self.lens is None and (given := self.model_fields_set & {"folder", "weights", "calibration", "calibrated"}):
            raise ValueError(f"{', '.join(sorted(given))} can be set with lens: only")
        asked = {"base_url", "key", "structured", "window", "output", "temperature", "price", "local"}
        if self.model is None and (given := self.model_fields_set & asked):
            raise ValueError(f"{', '.join(sorted(given))} can be set with model: only")
        return self

    def as_model(self) -> ModelPolicy | None:
        """Return the language model to ask, or None without one. A lens gets the probabilities of its answers' first
        words, and short answers."""
        if self.model is None:
            return None
        fields = self.model_dump(exclude=set(_OF_A_LENS))
        if self.lens is not None:
            fields |= {"alternatives": FIRST_WORDS, "output": self.output or 64}
        return ModelPolicy.model_validate(fields)


_OF_A_LENS = ("lens", "folder", "weights", "calibration", "calibrated")


def _older(data: Any) -> Any:
    """Return a council file without the key `hedge` of earlier versions, which has no effect any more."""
    return {k: v for k, v in data.items() if k != "hedge"} if isinstance(data, dict) else data


class CouncilPolicy(Frozen):
    """A council file. `verifiers` names judges, members (for the model of their seat) or lens plug-ins, in order of
    preference; `writer` one member, or several of which the first available one writes."""

    description: str = ""
    missing: Literal["refuse", "leave-out"] = "refuse"
    """Consequence of a missing key or setting of a model: the run is refused, or continues without the model."""
    families: int = Field(default=0, ge=0)
    """Families of language models that must be able to sit, or the council is not chosen."""
    members: tuple[MemberPolicy, ...] = Field(min_length=1)
    judges: tuple[JudgePolicy, ...] = ()
    verifiers: tuple[str, ...] = Field(min_length=1)
    writer: str | tuple[str, ...]
    providers: dict[str, RateLimits] = Field(default_factory=dict)
    """Limits by LiteLLM's provider prefix, or by base URL."""

    @model_validator(mode="before")
    @classmethod
    def _without_hedge(cls, data: Any) -> Any:
        return _older(data)

    @property
    def writers(self) -> tuple[str, ...]:
        """The writers in order of preference."""
        return (self.writer,) if isinstance(self.writer, str) else self.writer

    def findings(self) -> dict[str, Any]:
        """Return the part of the council that a run's findings depend on: members and judges, without waiting times."""
        dumped = self.model_dump(mode="json", exclude={"description", "missing", "families", "providers"})
        dumped["writer"] = self.writers[0]
        for one in (*dumped["members"], *dumped["judges"]):
            for key in ("limits", "price", "key", "local"):
                one.pop(key)
        for one in dumped["judges"]:
            for key in _OF_A_LENS:  # the folder and the file count by what they hold
                if one[key] is None or key in ("folder", "calibration"):
                    one.pop(key)
        return dumped

    def models(self) -> list[ModelPolicy]:
        """Return the language models of all members and judges."""
        found = (*(member.as_model() for member in self.members), *(judge.as_model() for judge in self.judges))
        return [model for model in found if model is not None]

    @model_validator(mode="after")
    def _consistent(self) -> CouncilPolicy:
        names = [m.name for m in (*self.members, *self.judges)]
        twice = {n for n in names if names.count(n) > 1}
        if twice:
            raise ValueError(f"two members are called {', '.join(sorted(twice))}")
        seats = [m.name for m in self.members]
        for writer in self.writers:
            if writer not in seats:
                raise ValueError(f"the writer {writer!r} is not one of the members: {', '.join(seats)}")
        if not self.writers:
            raise ValueError("writer names nobody")
        return self


class CouncilChoice(Frozen):
    """A file that names councils instead of being one: the first usable one is taken."""

    choose: tuple[str, ...] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _without_hedge(cls, data: Any) -> Any:
        return _older(data)


def read_council(path: Path) -> tuple[CouncilPolicy | CouncilChoice, YamlFile]:
    """Return a council file, and the file itself for errors found later. Raises `PolicyError` naming file, line and
    key."""
    file = read_yaml(path)
    if isinstance(file.data, dict) and "choose" in file.data:
        return file.to_model(CouncilChoice), file
    return file.to_model(CouncilPolicy), file
