"""The common providers of language models: whose models they serve, which key they need, and where to get it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class ModelProvider:
    """A provider of language models. `name` is LiteLLM's prefix. `family` is None for a provider that serves models of
    several organisations: the council file must then state the family. `keys` are alternative environment variables;
    none for a server of one's own."""

    name: str
    label: str
    family: str | None
    keys: tuple[str, ...]
    get: str
    """Address at which to get a key, or the program."""
    base_url: str = ""
    """Base URL of its list of models, at `/models`; empty where it has none that is known to be free."""
    auth: Literal["bearer", "x-api-key", "x-goog-api-key"] = "bearer"
    asked: str = "/models"
    """Path below `base_url` that tells whether the key is good; a request to it costs nothing."""


PROVIDERS: dict[str, ModelProvider] = {
    p.name: p
    for p in (
        ModelProvider(
            "anthropic", "Anthropic", "anthropic", ("ANTHROPIC_API_KEY",), "https://console.anthropic.com/settings/keys",
            "https://api.anthropic.com/v1", "x-api-key",
        ),
        ModelProvider(
            "openai", "OpenAI", "openai", ("OPENAI_API_KEY",), "https://platform.openai.com/api-keys",
            "https://api.openai.com/v1",
        ),
        ModelProvider(
            "gemini", "Google", "google", ("GEMINI_API_KEY", "GOOGLE_API_KEY"), "https://aistudio.google.com/apikey",
            "https://generativelanguage.googleapis.com/v1beta", "x-goog-api-key",
        ),
        ModelProvider(
            "mistral", "Mistral", "mistral", ("MISTRAL_API_KEY",), "https://console.mistral.ai/api-keys",
            "https://api.mistral.ai/v1",
        ),
        ModelProvider(
            "deepseek", "DeepSeek", "deepseek", ("DEEPSEEK_API_KEY",), "https://platform.deepseek.com/api_keys",
            "https://api.deepseek.com/v1",
        ),
        ModelProvider("xai", "xAI", "xai", ("XAI_API_KEY",), "https://console.x.ai", "https://api.x.ai/v1"),
        ModelProvider(
            "cohere", "Cohere", "cohere", ("COHERE_API_KEY", "CO_API_KEY"), "https://dashboard.cohere.com/api-keys",
        ),
        ModelProvider(
            "cohere_chat", "Cohere", "cohere", ("COHERE_API_KEY", "CO_API_KEY"),
            "https://dashboard.cohere.com/api-keys",
        ),
        ModelProvider(
            "moonshot", "Moonshot", "moonshot", ("MOONSHOT_API_KEY",), "https://platform.moonshot.ai/console/api-keys",
            "https://api.moonshot.ai/v1",
        ),
        ModelProvider("dashscope", "Alibaba", "alibaba", ("DASHSCOPE_API_KEY",), "https://dashscope.console.aliyun.com"),
        ModelProvider("zai", "Z.ai", "zai", ("ZAI_API_KEY",), "https://z.ai/manage-apikey/apikey-list"),
        ModelProvider(
            "openrouter", "OpenRouter", None, ("OPENROUTER_API_KEY",), "https://openrouter.ai/keys",
            "https://openrouter.ai/api/v1", asked="/key",  # its list of models needs no key
        ),
        ModelProvider(
            "groq", "Groq", None, ("GROQ_API_KEY",), "https://console.groq.com/keys", "https://api.groq.com/openai/v1"
        ),
        ModelProvider("together_ai", "Together", None, ("TOGETHERAI_API_KEY",), "https://api.together.ai/settings/api-keys"),
        ModelProvider("fireworks_ai", "Fireworks", None, ("FIREWORKS_AI_API_KEY",), "https://fireworks.ai/api-keys"),
        ModelProvider("cerebras", "Cerebras", None, ("CEREBRAS_API_KEY",), "https://cloud.cerebras.ai"),
        ModelProvider("nvidia_nim", "NVIDIA", None, ("NVIDIA_NIM_API_KEY",), "https://build.nvidia.com"),
        ModelProvider("azure", "Azure", None, ("AZURE_API_KEY",), "https://portal.azure.com"),
        ModelProvider("ollama", "Ollama", None, (), "https://ollama.com/download"),
        ModelProvider("ollama_chat", "Ollama", None, (), "https://ollama.com/download"),
        ModelProvider("hosted_vllm", "vLLM", None, (), "https://docs.vllm.ai"),
        ModelProvider("lm_studio", "LM Studio", None, (), "https://lmstudio.ai"),
        ModelProvider("llamafile", "llamafile", None, (), "https://github.com/Mozilla-Ocho/llamafile"),
    )
}

_LABS = tuple(
    (family, re.compile(rf"(?i)(?:^|[/_:.\s-])(?:{names})"))
    for family, names in (
        ("anthropic", r"claude"),
        ("openai", r"gpt-|gpt\d|chatgpt|o[134](?:-|$)"),
        ("google", r"gemini|gemma|palm"),
        ("meta", r"llama|codellama"),
        ("mistral", r"mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|voxtral"),
        ("deepseek", r"deepseek"),
        ("xai", r"grok"),
        ("cohere", r"command|aya-"),
        ("alibaba", r"qwen|qwq"),
        ("moonshot", r"kimi|moonshot"),
        ("zai", r"glm-|chatglm"),
        ("microsoft", r"phi-?\d"),
        ("amazon", r"nova-|titan-"),
        ("ibm", r"granite"),
        ("nvidia", r"nemotron"),
        ("tencent", r"hunyuan"),
        ("baidu", r"ernie"),
        ("bytedance", r"doubao"),
        ("01ai", r"yi-"),
        ("allenai", r"olmo"),
        ("ai21", r"jamba"),
        ("tii", r"falcon"),
        ("internlm", r"internlm|bespoke-minicheck"),
    )
)
HOUSES: dict[str, frozenset[str]] = {
    family: frozenset(names.split())
    for family, names in (
        ("anthropic", "anthropic anthropics claude claudes opus sonnet haiku"),
        ("openai", "openai gpt gpts chatgpt o1 o3 o4 gptoss codex davinci oai whisper sora"),
        ("google", "google deepmind gemini gemma palm bard vertex vertexai"),
        ("meta", "meta facebook fair llama codellama llamas"),
        ("mistral", "mistral mistralai mixtral ministral magistral codestral devstral pixtral voxtral"),
        ("deepseek", "deepseek deepseekai r1"),
        ("xai", "xai grok"),
        ("cohere", "cohere command commandr commanda aya"),
        ("alibaba", "alibaba qwen qwq tongyi dashscope aliyun"),
        ("moonshot", "moonshot moonshotai kimi k2"),
        ("zai", "zai zhipu zhipuai thudm glm chatglm"),
        ("microsoft", "microsoft phi"),
        ("amazon", "amazon aws nova titan"),
        ("ibm", "ibm granite"),
        ("nvidia", "nvidia nemotron"),
        ("tencent", "tencent hunyuan"),
        ("baidu", "baidu ernie"),
        ("bytedance", "bytedance doubao seed"),
        ("01ai", "01ai zeroone lingyi yi"),
        ("allenai", "allenai ai2 olmo olmoe molmo"),
        ("ai21", "ai21 ai21labs jamba"),
        ("tii", "tii tiiuae falcon"),
        ("stability", "stability stabilityai stablelm"),
        ("internlm", "internlm shanghaiailab bespokelabs minicheck"),  # MiniCheck 7B is InternLM, trained further
    )
}
"""All names of a house and its models, as lower-case letters and digits alone."""
SERVERS = frozenset(
    "azure azureai azurefoundry bedrock sagemaker openrouter groq together togetherai fireworks fireworksai cerebras "
    "nvidianim nim ollama ollamachat vllm hostedvllm lmstudio llamafile llamacpp llamaserver huggingface hf replicate "
    "deepinfra anyscale perplexity litellm localai gpt4all databricks sambanova baseten modal tgi "
    "mlx mlxlm mlxcommunity".split()
)
"""Servers of other houses' models, whose names do not tell who trained a model."""
_DERIVED = re.compile(r"(?i)distill|merge|nemotron|finetune|-ft[-:]|dolphin|hermes|openchat|vicuna|wizard|zephyr")


def provider_of(model: str) -> ModelProvider | None:
    """Return the provider of a model as LiteLLM names it, `provider/model`; None for one that is not in the table."""
    return PROVIDERS.get(model.split("/", 1)[0]) if "/" in model else None


def lab_of(model: str) -> str | None:
    """Return the family that a model's name identifies; None for an unknown name or a model derived from another's."""
    name = model.split("/", 1)[1] if "/" in model else model
    if _DERIVED.search(name):
        return None
    return next((family for family, pattern in _LABS if pattern.search(name)), None)
