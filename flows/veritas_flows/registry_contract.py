"""The nightly contract check: whether the live registries still answer in the form their records are read in."""

from __future__ import annotations

from typing import Any

from prefect import flow, get_run_logger
from prefect.artifacts import acreate_table_artifact

from veritas.errors import Unavailable, VeritasError
from veritas.registries.all_registries import Registries
from veritas.registries.contract import Checked, check_contracts
from veritas.report.citation_audit import line, registry_json
from veritas_flows.run_names import named


class ContractBroken(VeritasError):
    """A registry answers in another form than it used to: the run fails, so that its watchers are notified."""

    exit_code = 1


@flow(name="contract", flow_run_name=named("contract of the registries"), persist_result=False)
async def contract(fail_on_outage: bool = False) -> dict[str, Any]:
    """Ask each registry a few real questions about well-known papers. Some twenty requests; no model, no project.

    Args:
        fail_on_outage: Also fail the run if a registry did not answer, which says nothing about its form. It always
            fails if none answered, because nothing was checked.
    """
    logger = get_run_logger()

    def done(checked: Checked) -> None:
        (logger.info if checked.status == "ok" else logger.warning)(line(checked))

    found = await check_contracts(Registries(cached=False), done=done)
    await acreate_table_artifact(
        [each.model_dump() for each in found], key="registry-contract", description="Contracts of the registries"
    )
    document = registry_json(found)
    if document["broken"]:
        broken = "; ".join(line(each) for each in found if each.status == "broken")
        raise ContractBroken(f"registries answer in another form: {broken}")
    if document["unavailable"] and (fail_on_outage or all(each.status == "unavailable" for each in found)):
        raise Unavailable(f"no answer from {', '.join(document['unavailable'])}")
    return document
