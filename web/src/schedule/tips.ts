/** A run of a job in a few lines. */

import { count } from "../format.ts";
import type { Schedule } from "./data.ts";
import type { JobStay } from "./stays.ts";
import { duration, moment } from "./words.ts";

export function stayLines(
    { jobs }: Schedule,
    { row, since, start, end, nodes, partition, isEnded }: JobStay,
): string[] {
    const granted = nodes > jobs.nodes[row] ? ` (${count(nodes)} granted)` : "";
    return [
        `Job ${jobs.id[row]}: ${count(jobs.nodes[row])} ${jobs.nodes[row] === 1 ? "node" : "nodes"}${granted}`,
        partition?.name ?? "",
        `Waited ${duration(start - since)}, runs ${duration(end - start)}`,
        `${moment(start)} to ${moment(end)}`,
        isEnded ? "An outage ended this run" : "",
    ].filter((line) => line);
}
