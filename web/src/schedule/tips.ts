/** A job in a few lines. */

import { count } from "../format.ts";
import type { Instant } from "./instant.ts";
import { duration, moment } from "./words.ts";

export function jobLines(now: Instant, row: number): string[] {
    const { jobs } = now.schedule;
    const partition = now.schedule.partitionOf(row);
    const granted = jobs.granted[row] > jobs.nodes[row] ? ` (${count(jobs.granted[row])} granted)` : "";
    return [
        `Job ${jobs.id[row]}: ${count(jobs.nodes[row])} ${jobs.nodes[row] === 1 ? "node" : "nodes"}${granted}`,
        partition?.name ?? "",
        `Waited ${duration(jobs.start[row] - jobs.submit[row])}, runs ${duration(jobs.end[row] - jobs.start[row])}`,
        `${moment(jobs.start[row])} to ${moment(jobs.end[row])}`,
    ].filter((line) => line);
}
