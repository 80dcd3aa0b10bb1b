/** What a waiting job waits for, in words. */

import { count } from "../format.ts";
import type { Schedule } from "./data.ts";
import type { Held, Instant, WaitsForNodes } from "./instant.ts";
import { outageName, outInShort } from "./outages.ts";
import { duration } from "./words.ts";

/** What must end before a job has what it waits for. */
type Ends = Pick<Held | WaitsForNodes, "holders" | "outages" | "until">;

/** In a sentence that begins with "Job 12 waits". */
export function waitsText(now: Instant, row: number): string {
    const waits = now.waits(row);
    const { schedule } = now;
    if (waits.kind === "nodes") {
        const [needed, free] = [amount(schedule, waits.needed), amount(schedule, waits.free)];
        if (!isLater(now, waits)) return `for its turn: ${free} free, and it needs ${needed}`;
        return `for ${needed}, of which ${free} free, until ${endsText(now, waits)}`;
    }
    const size = `${count(waits.size)} nodes`;
    if (waits.total === 0) return "for a partition that its room does not have";
    if (waits.free > 0) return `for its turn: ${waits.free} of ${waits.total} partitions of ${size} are free`;
    const next = waits.next!;
    const held = waits.closed === 0 ? "held" : waits.closed < waits.total ? "held or out of service" : "out of service";
    const all = waits.total > 1 ? `all ${waits.total} partitions of ${size} are` : `the only partition of ${size} is`;
    if (next.until === Infinity) return `because ${all} ${held}, for good`;
    return `because ${all} ${held}: ${next.partition.name} is free first, when ${endsText(now, next)}`;
}

/** Such as "job 12 ends and R00-M0 is in service again in 2 h". */
function endsText({ schedule, second }: Instant, { holders, outages, until }: Ends): string {
    const jobs = `${jobsText(schedule, holders)} ${holders.length > 1 ? "end" : "ends"}`;
    const parts = few(outages.map((outage) => outageName(schedule, outage)));
    const are = outages.length > 1 || outages.some(({ nodes }) => nodes > 1) ? "are" : "is";
    const texts = [holders.length > 0 ? jobs : "", outages.length > 0 ? `${parts} ${are} in service again` : ""];
    return `${texts.filter((text) => text).join(" and ")} in ${duration(until - second)}`;
}

/** Whether it waits for more than its turn. */
function isLater(now: Instant, { until }: Ends): boolean {
    return until > now.second;
}

/** In the head of a room, where the rest can be seen. */
export function waitsShortly(now: Instant, row: number): string {
    const waits = now.waits(row);
    if (waits.kind === "nodes" || waits.free > 0 || !waits.next || waits.next.until === Infinity)
        return waitsText(now, row);
    const { holders, outages, until } = waits.next;
    const parts = few(outages.map((outage) => outageName(now.schedule, outage)));
    const all = [holders.length > 0 ? jobsText(now.schedule, holders) : "", parts];
    return `at least ${duration(until - now.second)} more for ${all.filter((text) => text).join(" and ")}`;
}

/** In a cell of a table. */
export function waitsBriefly(now: Instant, row: number): string {
    const waits = now.waits(row);
    if (waits.kind === "nodes") {
        if (!isLater(now, waits)) return "its turn";
        return `${amount(now.schedule, waits.needed - waits.free)} more`;
    }
    if (waits.total === 0) return "no such partition";
    if (waits.free > 0) return "its turn";
    return heldBriefly(now.schedule, waits.next!);
}

/** Such as "8 jobs, R20-M0": what is out of service can last longer than the jobs. */
function heldBriefly(schedule: Schedule, { holders, outages }: Held): string {
    const jobs = holders.length === 1 ? `job ${schedule.jobs.id[holders[0]]}` : `${holders.length} jobs`;
    const isNamed = outages.length === 1 && outages[0].unit !== null;
    const out = isNamed ? outageName(schedule, outages[0]) : outInShort(schedule, outages);
    return [holders.length > 0 ? jobs : "", out].filter((text) => text).join(", ");
}

/** The second at which what it waits for is free: null if that is so already, infinite if never. */
export function freeAt(now: Instant, row: number): number | null {
    const waits = now.waits(row);
    if (waits.kind === "nodes") return isLater(now, waits) ? waits.until : null;
    return waits.free === 0 && waits.next ? waits.next.until : null;
}

export function jobsText(schedule: Schedule, rows: number[]): string {
    const ids = rows.map((row) => String(schedule.jobs.id[row]));
    return `${rows.length === 1 ? "job" : "jobs"} ${few(ids)}`;
}

function few(names: string[]): string {
    const more = names.length > 4 ? ` and ${names.length - 4} more` : "";
    return `${names.slice(0, 4).join(", ")}${more}`;
}

/** In blocks where they are whole, else in nodes. */
function amount({ unit, unitNodes }: Schedule, units: number): string {
    const isWhole = Number.isInteger(units) && units > 0;
    const value = isWhole ? units : Math.round(units * unitNodes);
    return `${count(value)} ${isWhole ? unit : "node"}${value === 1 ? "" : "s"}`;
}
