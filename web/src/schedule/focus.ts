/** What stands out in the room of a run: the job under the pointer, or else what is asked. */

import type { Context } from "./context.ts";
import type { Partition } from "./data.ts";
import type { Held, Waits } from "./instant.ts";

export interface Focus {
    /** Rows of jobs that keep their color. */
    jobs: Set<number>;
    /** A partition that is asked, or that the job which is asked waits for. */
    wanted: Partition | null;
    /** Cables that the wanted partition and its holders both need. */
    contested: Set<number>;
    unit: number | null;
    waits: Waits | null;
}

/** Null: nothing stands out. */
export function focusOf(context: Context, index: number): Focus | null {
    const run = context.runs[index];
    const now = context.at(index);
    const { hovered } = context.state;
    const hoveredRow = hovered === null ? null : run.row(hovered);
    if (hoveredRow !== null && now.isRunning(hoveredRow)) return focusOn([hoveredRow]);
    const row = context.askedRow(run);
    if (row !== null)
        return now.isWaiting(row) ? waitingFocus(now.waits(row)) : now.isRunning(row) ? focusOn([row]) : null;
    const partition = context.askedPartition(run);
    if (partition) return heldFocus({ partition, holders: now.holdersOf(partition), until: 0 }, null);
    const unit = context.askedUnit(run);
    if (unit === null) return null;
    return { ...focusOn([...now.in(unit), ...now.through(unit)]), unit };

    function heldFocus({ partition, holders }: Held, waits: Waits | null): Focus {
        const taken = holders.flatMap((holder) => run.partitionOf(holder)?.cables ?? []);
        const contested = new Set(partition.cables.filter((cable) => taken.includes(cable)));
        return { ...focusOn(holders), wanted: partition, contested, waits };
    }

    function waitingFocus(waits: Waits): Focus {
        if (waits.kind === "nodes") return { ...focusOn(waits.holders), waits };
        return waits.next && waits.free === 0 ? heldFocus(waits.next, waits) : { ...focusOn([]), waits };
    }
}

function focusOn(jobs: number[]): Focus {
    return { jobs: new Set(jobs), wanted: null, contested: new Set(), unit: null, waits: null };
}
