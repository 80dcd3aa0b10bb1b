/** What stands out in the room of a run: what is asked, or else the job under the pointer. */

import type { Context } from "./context.ts";
import type { Partition } from "./data.ts";
import type { Held, Instant, Waits } from "./instant.ts";

export interface Focus {
    /** Rows of jobs that keep their color. */
    jobs: Set<number>;
    /** A partition that is asked, or that the job which is asked waits for. */
    wanted: Partition | null;
    /** Cables that the wanted partition and its holders both need. */
    contested: Set<number>;
    unit: number | null;
    waits: Waits | null;
    /** Under the pointer only: the others stay as they are. */
    isSoft: boolean;
}

/** Null: nothing stands out. */
export function focusOf(context: Context, index: number): Focus | null {
    return askedFocus(context, index) ?? hoveredFocus(context, index);
}

function hoveredFocus(context: Context, index: number): Focus | null {
    const { hovered } = context.state;
    const row = hovered === null ? null : context.runs[index].row(hovered);
    return row !== null && context.at(index).isRunning(row) ? { ...focusOn([row]), isSoft: true } : null;
}

function askedFocus(context: Context, index: number): Focus | null {
    const run = context.runs[index];
    const now = context.at(index);
    const row = context.askedRow(run);
    if (row !== null && now.isWaiting(row)) return waitingFocus(now, now.waits(row));
    if (row !== null) return now.isRunning(row) ? focusOn([row]) : null;
    const partition = context.askedPartition(run);
    if (partition) return heldFocus(now, { partition, holders: now.holdersOf(partition) }, null);
    const unit = context.askedUnit(run);
    return unit === null ? null : { ...focusOn([...now.in(unit), ...now.through(unit)]), unit };
}

function waitingFocus(now: Instant, waits: Waits): Focus {
    if (waits.kind === "nodes") return { ...focusOn(waits.holders), waits };
    return waits.next && waits.free === 0 ? heldFocus(now, waits.next, waits) : { ...focusOn([]), waits };
}

function heldFocus(
    now: Instant,
    { partition, holders }: Pick<Held, "partition" | "holders">,
    waits: Waits | null,
): Focus {
    const taken = new Set(holders.flatMap((holder) => now.stay(holder).partition?.cables ?? []));
    const contested = new Set(partition.cables.filter((cable) => taken.has(cable)));
    return { ...focusOn(holders), wanted: partition, contested, waits };
}

function focusOn(jobs: number[]): Focus {
    return { jobs: new Set(jobs), wanted: null, contested: new Set(), unit: null, waits: null, isSoft: false };
}
