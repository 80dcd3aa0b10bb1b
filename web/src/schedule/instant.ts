/** The machine and its queue at one second: who runs, who waits, and what each waits for. */

import { remembered } from "../remembered.ts";
import type { Partition, Schedule } from "./data.ts";
import { closes, type Outage } from "./outages.ts";
import { overlap } from "./places.ts";
import type { JobStay } from "./stays.ts";

/** What a waiting job waits for. */
export type Waits = WaitsForPartition | WaitsForNodes;

export interface WaitsForPartition {
    kind: "partition";
    /** Partitions of this many nodes, the smallest that can hold the job. */
    size: number;
    total: number;
    free: number;
    /** Those that need something that is out of service. */
    closed: number;
    /** The one that is free first of those that are not. */
    next: Held | null;
}

/** A partition, who holds parts of it, what of it is out of service before it is free, and when that is. */
export interface Held {
    partition: Partition;
    holders: number[];
    outages: Outage[];
    /** Infinite: never. */
    until: number;
}

export interface WaitsForNodes {
    kind: "nodes";
    /** In units: nodes of a plain machine, blocks of a switched room. */
    needed: number;
    free: number;
    /** The running jobs, and the outages, that end first, until there is enough. */
    holders: number[];
    outages: Outage[];
    until: number;
}

export class Instant {
    readonly schedule: Schedule;
    readonly second: number;
    /** Rows of jobs, in order of submission. */
    readonly running: number[] = [];
    readonly waiting: number[] = [];
    readonly usedNodes: number;
    /** Those at this second. */
    readonly outages: Outage[];
    private readonly stays = new Map<number, JobStay>();
    private readonly bySize = new Map<number, WaitsForPartition>();

    constructor(schedule: Schedule, second: number) {
        this.schedule = schedule;
        this.second = second;
        const { jobs } = schedule;
        for (let row = 0; row < jobs.rows; row++) {
            if (jobs.submit[row] > second) break;
            const stay = schedule.stays[row].find(({ end }) => end > second);
            if (!stay) continue;
            this.stays.set(row, stay);
            (stay.start <= second ? this.running : this.waiting).push(row);
        }
        this.outages = schedule.outages.filter(({ from, until }) => from <= second && second < until);
        this.usedNodes = this.running.reduce((sum, row) => sum + this.stay(row).nodes, 0);
    }

    isRunning(row: number): boolean {
        const stay = this.stays.get(row);
        return stay !== undefined && stay.start <= this.second;
    }

    isWaiting(row: number): boolean {
        return this.stays.has(row) && !this.isRunning(row);
    }

    /** Of a job that runs; or that waits, its next. */
    stay(row: number): JobStay {
        return this.stays.get(row)!;
    }

    outageOf(unit: number): Outage | null {
        return this.outages.find((outage) => outage.unit === unit) ?? null;
    }

    outageOfCable(cable: number): Outage | null {
        return this.outages.find((outage) => outage.cable === cable) ?? null;
    }

    /** Nodes that are neither in use nor out of service. */
    get freeNodes(): number {
        const out = this.outages.reduce((sum, outage) => sum + this.schedule.nodesOf(outage), 0);
        return Math.max(0, this.schedule.facts.nodes - this.usedNodes - out);
    }

    /** Jobs in a midplane, or in another unit. */
    in(unit: number): number[] {
        const whole = { from: unit, to: unit + 1 };
        return this.running.filter((row) => this.stay(row).pieces.some((piece) => overlap(piece, whole)));
    }

    /** Jobs whose cables pass through a midplane. */
    through(midplane: number): number[] {
        return this.running.filter((row) => this.stay(row).partition?.passedThrough.includes(midplane));
    }

    /** Running jobs that share a midplane or a cable with a partition. */
    holdersOf(partition: Partition): number[] {
        return this.running.filter((row) => {
            const other = this.stay(row).partition;
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
        const candidates = this.schedule.partitions.filter(({ nodes }) => nodes === size);
        const taken = candidates.map((each) => this.held(each)).filter(({ until }) => until > this.second);
        return {
            kind: "partition",
            size,
            total: candidates.length,
            free: candidates.length - taken.length,
            closed: candidates.filter((partition) => this.outages.some((outage) => closes(outage, partition))).length,
            next: taken.reduce<Held | null>((best, one) => (best && best.until <= one.until ? best : one), null),
        };
    }

    /** An outage that ends a holder keeps the partition until its own end. */
    private held(partition: Partition): Held {
        const holders = this.holdersOf(partition);
        const held = { partition, holders, outages: [] as Outage[], until: this.second };
        for (const row of holders) held.until = Math.max(held.until, this.stay(row).end);
        for (const outage of this.schedule.outages) {
            if (outage.from > held.until || outage.until <= this.second || !closes(outage, partition)) continue;
            held.outages.push(outage);
            held.until = Math.max(held.until, outage.until);
        }
        return held;
    }

    private waitsForNodes(nodes: number): WaitsForNodes {
        const { unitNodes } = this.schedule;
        let free = this.freeNodes;
        const waits: WaitsForNodes = {
            kind: "nodes",
            needed: nodes / unitNodes,
            free: free / unitNodes,
            holders: [],
            outages: [],
            until: this.second,
        };
        for (const { second, more, row, outage } of this.changesOfNodes()) {
            if (free >= nodes) break;
            free += more;
            if (row !== null) waits.holders.push(row);
            if (outage) waits.outages.push(outage);
            waits.until = second;
        }
        return waits;
    }

    /** When running jobs end, and outages begin and end, in the order of time; what takes nodes comes first. */
    private changesOfNodes(): ChangeOfNodes[] {
        const changes: ChangeOfNodes[] = this.running.map((row) => {
            const { end, nodes } = this.stay(row);
            return { second: end, more: nodes, row, outage: null };
        });
        for (const outage of this.schedule.outages) {
            const nodes = this.schedule.nodesOf(outage);
            changes.push({ second: outage.from, more: -nodes, row: null, outage: null });
            changes.push({ second: outage.until, more: nodes, row: null, outage });
        }
        const later = changes.filter(({ second }) => second > this.second && second < Infinity);
        return later.sort((a, b) => a.second - b.second || a.more - b.more);
    }
}

interface ChangeOfNodes {
    second: number;
    more: number;
    row: number | null;
    /** One that ends. */
    outage: Outage | null;
}

function conflict(one: Partition, other: Partition): boolean {
    const sharesPiece = one.pieces.some((piece) => other.pieces.some((each) => overlap(piece, each)));
    return sharesPiece || one.cables.some((cable) => other.cables.includes(cable));
}
