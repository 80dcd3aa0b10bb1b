/** The machine and its queue at one second: who runs, who waits, and what each waits for. */

import { remembered } from "../remembered.ts";
import type { Partition, Schedule } from "./data.ts";
import { overlap } from "./places.ts";

/** What a waiting job waits for. */
export type Waits = WaitsForPartition | WaitsForNodes;

export interface WaitsForPartition {
    kind: "partition";
    /** Partitions of this many nodes, the smallest that can hold the job. */
    size: number;
    total: number;
    free: number;
    /** The held one whose holders end first. */
    next: Held | null;
}

/** A partition, who holds parts of it, and when the last of them ends. */
export interface Held {
    partition: Partition;
    holders: number[];
    until: number;
}

export interface WaitsForNodes {
    kind: "nodes";
    /** In units: nodes of a plain machine, blocks of a switched room. */
    needed: number;
    free: number;
    /** The running jobs that end first, until there is enough. */
    holders: number[];
    until: number;
}

export class Instant {
    readonly schedule: Schedule;
    readonly second: number;
    /** Rows of jobs, in order of submission. */
    readonly running: number[] = [];
    readonly waiting: number[] = [];
    readonly usedNodes: number;
    private readonly bySize = new Map<number, WaitsForPartition>();

    constructor(schedule: Schedule, second: number) {
        this.schedule = schedule;
        this.second = second;
        const { jobs } = schedule;
        for (let row = 0; row < jobs.rows; row++) {
            if (jobs.submit[row] > second) break;
            if (jobs.start[row] <= second && second < jobs.end[row]) this.running.push(row);
            else if (jobs.start[row] > second) this.waiting.push(row);
        }
        this.usedNodes = this.running.reduce((sum, row) => sum + jobs.granted[row], 0);
    }

    isRunning(row: number): boolean {
        const { start, end } = this.schedule.jobs;
        return start[row] <= this.second && this.second < end[row];
    }

    isWaiting(row: number): boolean {
        const { submit, start } = this.schedule.jobs;
        return submit[row] <= this.second && this.second < start[row];
    }

    /** Jobs in a midplane, or in another unit. */
    in(unit: number): number[] {
        const whole = { from: unit, to: unit + 1 };
        return this.running.filter((row) => this.schedule.pieces[row].some((piece) => overlap(piece, whole)));
    }

    /** Jobs whose cables pass through a midplane. */
    through(midplane: number): number[] {
        return this.running.filter((row) => this.schedule.partitionOf(row)?.passedThrough.includes(midplane));
    }

    /** Running jobs that share a midplane or a cable with a partition. */
    holdersOf(partition: Partition): number[] {
        return this.running.filter((row) => {
            const other = this.schedule.partitionOf(row);
            return other !== null && conflict(partition, other);
        });
    }

    waits(row: number): Waits {
        const { schedule } = this;
        const nodes = schedule.jobs.nodes[row];
        if (!schedule.hasPlaces) return this.waitsForNodes(nodes);
        const size = schedule.partitions.reduce(
            (least, partition) => (partition.nodes >= nodes && partition.nodes < least ? partition.nodes : least),
            Infinity,
        );
        return remembered(this.bySize, size, () => this.waitsForPartition(size));
    }

    private waitsForPartition(size: number): WaitsForPartition {
        const { end } = this.schedule.jobs;
        const candidates = this.schedule.partitions.filter(({ nodes }) => nodes === size);
        const held = candidates.map((partition) => {
            const holders = this.holdersOf(partition);
            return { partition, holders, until: holders.reduce((last, row) => Math.max(last, end[row]), -Infinity) };
        });
        const taken = held.filter(({ holders }) => holders.length > 0);
        return {
            kind: "partition",
            size,
            total: candidates.length,
            free: candidates.length - taken.length,
            next: taken.reduce<Held | null>((best, one) => (best && best.until <= one.until ? best : one), null),
        };
    }

    private waitsForNodes(nodes: number): WaitsForNodes {
        const { jobs, unitNodes, facts } = this.schedule;
        const byEnd = [...this.running].sort((a, b) => jobs.end[a] - jobs.end[b]);
        let free = facts.nodes - this.usedNodes;
        const waits: WaitsForNodes = {
            kind: "nodes",
            needed: nodes / unitNodes,
            free: free / unitNodes,
            holders: [],
            until: this.second,
        };
        for (const row of byEnd) {
            if (free >= nodes) break;
            free += jobs.granted[row];
            waits.holders.push(row);
            waits.until = jobs.end[row];
        }
        return waits;
    }
}

function conflict(one: Partition, other: Partition): boolean {
    const sharesPiece = one.pieces.some((piece) => other.pieces.some((each) => overlap(piece, each)));
    return sharesPiece || one.cables.some((cable) => other.cables.includes(cable));
}
