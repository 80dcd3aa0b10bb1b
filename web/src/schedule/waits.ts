/** What a waiting job waits for, in words. */

import { count } from "../format.ts";
import type { Schedule } from "./data.ts";
import type { Instant } from "./instant.ts";
import { duration } from "./words.ts";

/** In a sentence that begins with "Job 12 waits". */
export function waitsText(now: Instant, row: number): string {
    const waits = now.waits(row);
    const { schedule } = now;
    if (waits.kind === "nodes") {
        const [needed, free] = [amount(schedule, waits.needed), amount(schedule, waits.free)];
        if (waits.holders.length === 0) return `for its turn: ${free} free, and it needs ${needed}`;
        const ends = waits.holders.length > 1 ? "end" : "ends";
        return `for ${needed}, of which ${free} free, until ${jobsText(schedule, waits.holders)} ${ends} in ${duration(waits.until - now.second)}`;
    }
    const size = `${count(waits.size)} nodes`;
    if (waits.total === 0) return "for a partition that its room does not have";
    if (waits.free > 0) return `for its turn: ${waits.free} of ${waits.total} partitions of ${size} are free`;
    const { holders, until, partition } = waits.next!;
    const ends = holders.length > 1 ? "end" : "ends";
    const first =
        waits.total > 1 ? `all ${waits.total} partitions of ${size} are held` : `the only partition of ${size} is held`;
    return `because ${first}: ${partition.name} is free first, when ${jobsText(schedule, holders)} ${ends} in ${duration(until - now.second)}`;
}

/** In the head of a room, where the rest can be seen. */
export function waitsShortly(now: Instant, row: number): string {
    const waits = now.waits(row);
    if (waits.kind === "nodes" || waits.free > 0 || !waits.next) return waitsText(now, row);
    const { holders, until } = waits.next;
    return `at least ${duration(until - now.second)} more for ${jobsText(now.schedule, holders)}`;
}

/** In a cell of a table. */
export function waitsBriefly(now: Instant, row: number): string {
    const waits = now.waits(row);
    if (waits.kind === "nodes") {
        if (waits.holders.length === 0) return "its turn";
        return `${amount(now.schedule, waits.needed - waits.free)} more`;
    }
    if (waits.total === 0) return "no such partition";
    if (waits.free > 0) return "its turn";
    const { holders } = waits.next!;
    return holders.length === 1 ? `job ${now.schedule.jobs.id[holders[0]]}` : `${holders.length} jobs`;
}

/** The second at which what it waits for is free; null if that is so already. */
export function freeAt(now: Instant, row: number): number | null {
    const waits = now.waits(row);
    if (waits.kind === "nodes") return waits.holders.length > 0 ? waits.until : null;
    return waits.free === 0 && waits.next ? waits.next.until : null;
}

export function jobsText(schedule: Schedule, rows: number[]): string {
    const ids = rows.slice(0, 4).map((row) => schedule.jobs.id[row]);
    const more = rows.length > 4 ? ` and ${rows.length - 4} more` : "";
    return `${rows.length === 1 ? "job" : "jobs"} ${ids.join(", ")}${more}`;
}

/** In blocks where they are whole, else in nodes. */
function amount({ unit, unitNodes }: Schedule, units: number): string {
    const isWhole = Number.isInteger(units) && units > 0;
    const value = isWhole ? units : Math.round(units * unitNodes);
    return `${count(value)} ${isWhole ? unit : "node"}${value === 1 ? "" : "s"}`;
}
