"""What a person sees: Markdown, JSON and the self-contained HTML report."""
