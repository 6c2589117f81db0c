"""How fast the default source policy loads and classifies. Run: python benchmarks/tier.py"""

from __future__ import annotations

import time

from veritas.policy.source_tiers import load_source_policy

PAGES = (
    "https://www.nature.com/articles/s41586-{n}",
    "https://{n}.example.co.uk/some/page?x={n}",
    "https://web.archive.org/web/20240101000000/https://www.bbc.co.uk/news/{n}",
    "https://department{n}.gov.uk/guidance/{n}",
    "https://forum.site{n}.edu/t/{n}",
    "https://doi.org/10.1016/j.cell.{n}",
    "https://user{n}.substack.com/p/{n}",
    "https://naturee{n}.com/",
)


def main() -> None:
    """Prints milliseconds for loading and URLs a second for a mix of pages, each seen for the first time."""
    start = time.perf_counter()
    policy = load_source_policy()
    print(f"load the policy: {(time.perf_counter() - start) * 1000:.0f} ms")
    policy.classify("https://not-credentialed.example/")  # loads the public-suffix list
    urls = [page.format(n=n) for n in range(2500) for page in PAGES]
    start = time.perf_counter()
    for url in urls:
        policy.classify(url)
    seconds = time.perf_counter() - start
    print(f"classify: {len(urls) / seconds:,.0f} URLs a second, {seconds / len(urls) * 1e6:.0f} µs each")
    long = "https://www.nature.com/articles/" + "a/" * 50_000
    start = time.perf_counter()
    policy.classify(long)
    print(f"a URL of 100 kB: {(time.perf_counter() - start) * 1000:.1f} ms")


if __name__ == "__main__":
    main()
