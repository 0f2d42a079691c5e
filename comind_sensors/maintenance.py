"""The job that keeps the tables quick: index, join small files, forget versions that are older than a day.

In: the store. Out: what was done, table by table, in the log of the run. Never changes a row; a table at a time, so that a run that is
killed leaves the others done.
"""

# No `from __future__ import annotations`: Dagster reads the resource's class from the signature.
import dagster as dg

from comind.schemas import TABLES
from comind_resources.ledger import LedgerResource

__all__ = ["MAINTAIN_JOB", "maintain_job"]

MAINTAIN_JOB = "maintain"


@dg.op(description="Index what is new, join small files and forget old versions of every table.")
def maintain_tables(context: dg.OpExecutionContext, ledger: LedgerResource) -> None:
    """Do all there is to do for every table."""
    lake = ledger.lake()
    for name in TABLES:
        done = lake.maintain(name)
        said = "a writer was faster, next time" if done.preempted else f"{done.joined} files joined, {done.forgotten} versions forgotten"
        context.log.info("%s: %s", name, said)


@dg.job(name=MAINTAIN_JOB, executor_def=dg.in_process_executor, description="Keep the tables quick; changes no row.")
def maintain_job() -> None:
    """Run the upkeep of every table."""
    maintain_tables()
