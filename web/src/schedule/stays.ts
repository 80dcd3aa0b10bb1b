/** Runs of jobs, each at its place. They are called stays here, because the runs of a page are its schedules. */

import type { Table } from "../data/parquet.ts";
import type { Jobs, Partition } from "./data.ts";
import type { Piece, Stay } from "./places.ts";

export interface JobStay extends Stay {
    /** Row of its job. */
    row: number;
    /** Since when the job waited for it: its submission, or the end of the stay before. */
    since: number;
    partition: Partition | null;
    /** In units. */
    pieces: Piece[];
    /** Whether an outage ended it. */
    isEnded: boolean;
}

/** By the row of the job, in the order of their starts: those that outages ended, and the last one. */
export function staysOf(
    jobs: Jobs,
    partitions: Partition[],
    ended: Table | null,
    rowOf: (id: number) => number | null,
): JobStay[][] {
    const stays: JobStay[][] = Array.from({ length: jobs.rows }, () => []);
    const add = (stay: Stay, row: number, partition: Partition | null, isEnded: boolean) => {
        const since = stays[row].at(-1)?.end ?? jobs.submit[row];
        stays[row].push({ ...stay, row, since, partition, pieces: partition?.pieces ?? [], isEnded });
    };
    for (const { stay, row, partition } of ended ? endedStays(ended, rowOf) : [])
        add(stay, row, partitions.find(({ name }) => name === partition) ?? null, true);
    for (let row = 0; row < jobs.rows; row++) {
        const { start, end, granted, nodes, partition } = jobs;
        const stay = { start: start[row], end: end[row], nodes: granted[row] || nodes[row] };
        if (!Number.isNaN(stay.start)) add(stay, row, partitions[partition[row]] ?? null, false);
    }
    return stays;
}

function endedStays(table: Table, rowOf: (id: number) => number | null) {
    const [ids, start, end, nodes] = ["job", "start", "end", "granted_nodes"].map((name) => table.numbers(name));
    const stays = table.texts("partition").map((partition, i) => ({
        stay: { start: start[i], end: end[i], nodes: nodes[i] },
        row: rowOf(ids[i]),
        partition,
    }));
    const known = stays.filter((each): each is typeof each & { row: number } => each.row !== null);
    return known.sort((a, b) => a.stay.start - b.stay.start);
}
