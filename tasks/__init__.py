"""The stages as Prefect tasks: retries, timeouts, concurrency. Thin over `veritas.stages`."""
