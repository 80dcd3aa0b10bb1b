/** One schedule: its jobs, the room with its partitions, the series, and where each job was. No pixels. */

import type { RoomFacts, ScheduleFacts, ScheduleRun } from "../data/page.ts";
import { readTable, type Table } from "../data/parquet.ts";
import { type Outage, outagesOf } from "./outages.ts";
import { type Closed, firstFit, joined, type Piece } from "./places.ts";
import { type JobStay, staysOf } from "./stays.ts";

/** Columns by the row of a job, in order of submission. Times are seconds of the log, NaN where there is none. */
export interface Jobs {
    rows: number;
    id: Float64Array;
    submit: Float64Array;
    start: Float64Array;
    end: Float64Array;
    nodes: Float64Array;
    granted: Float64Array;
    walltime: Float64Array;
    run: Float64Array;
    promised: Float64Array;
    restarts: Float64Array;
    user: string[];
    queue: string[] | null;
    application: string[];
    isKilled: boolean[];
    reason: string[];
    /** Rows of partitions, -1 where there is none. */
    partition: Int32Array;
    partitionName: string[];
}

export interface Partition {
    name: string;
    nodes: number;
    wiring: string;
    midplanes: number[];
    cables: number[];
    passedThrough: number[];
    /** Its share of the room, in midplanes. */
    pieces: Piece[];
}

export interface Midplane {
    name: string;
    place: number[];
}

export interface ScheduleSeries {
    start: Float64Array;
    end: Float64Array;
    utilization: Float64Array | null;
    allocated: Float64Array | null;
    waiting: Float64Array | null;
}

export class Schedule {
    readonly name: string;
    readonly summary: Record<string, unknown>;
    readonly facts: ScheduleFacts;
    readonly jobs: Jobs;
    readonly partitions: Partition[];
    readonly midplanes: Midplane[];
    readonly series: ScheduleSeries | null;
    readonly outages: Outage[];
    /** When and where each job ran. */
    readonly stays: JobStay[][];
    /** Starts and ends of stays and outages, ascending, each second once. */
    readonly events: Float64Array;
    private readonly rowOfId: Map<number, number>;

    constructor(run: ScheduleRun, tables: Record<string, Table | null>) {
        this.name = run.name;
        this.summary = run.summary;
        this.facts = run.facts;
        this.midplanes = tables.midplanes ? midplanesOf(tables.midplanes) : [];
        this.partitions = tables.partitions ? partitionsOf(tables.partitions, run.facts.room!) : [];
        this.jobs = jobsOf(tables.jobs!, this.partitions);
        this.series = tables.series ? seriesOf(tables.series) : null;
        this.rowOfId = new Map(Array.from(this.jobs.id, (id, row) => [id, row]));
        this.outages = outagesOf(run.facts.outages);
        this.stays = staysOf(this.jobs, this.partitions, tables.ended_runs ?? null, (id) => this.row(id));
        if (!this.hasPlaces) this.assumePlaces();
        this.events = this.eventsInSpan();
    }

    static async open(run: ScheduleRun): Promise<Schedule> {
        const names = ["jobs", "series", "partitions", "midplanes", "ended_runs"];
        const tables: Record<string, Table | null> = {};
        for (const name of names) tables[name] = run.tables[name] ? await readTable(run.tables[name]) : null;
        if (!tables.jobs) throw new Error("the page has no table jobs");
        return new Schedule(run, tables);
    }

    get room(): RoomFacts | null {
        return this.facts.room;
    }

    /** Whether the log's result says where each job was. */
    get hasPlaces(): boolean {
        return this.partitions.length > 0;
    }

    get unitNodes(): number {
        return this.room?.midplane_nodes ?? 1;
    }

    get units(): number {
        return this.midplanes.length || Math.ceil(this.facts.nodes / this.unitNodes);
    }

    /** What a unit is called. */
    get unit(): string {
        return this.room?.block ?? "node";
    }

    unitName(unit: number): string {
        return this.midplanes[unit]?.name ?? `${this.unit} ${unit}`;
    }

    /** How many nodes are out of service. */
    nodesOf({ unit, nodes }: Outage): number {
        return unit === null ? nodes : this.unitNodes;
    }

    row(id: number): number | null {
        return this.rowOfId.get(id) ?? null;
    }

    partitionOf(row: number): Partition | null {
        return this.partitions[this.jobs.partition[row]] ?? null;
    }

    /** From the first submission to the last end. */
    get span(): [number, number] {
        const { submit } = this.jobs;
        const last = this.stays.flat().reduce((most, { end }) => Math.max(most, end), -Infinity);
        return [submit[0] ?? 0, Number.isFinite(last) ? last : (submit[0] ?? 0) + 1];
    }

    private assumePlaces(): void {
        const stays = this.stays.flat();
        const block = this.room ? this.unitNodes : null;
        const inUnits = (at: number) => at / this.unitNodes;
        firstFit(stays, this.facts.nodes, block, this.closedUnits()).forEach((pieces, i) => {
            stays[i].pieces = pieces.map(({ from, to }) => ({ from: inUnits(from), to: inUnits(to) }));
        });
    }

    /** Pieces in nodes. */
    private closedUnits(): Closed[] {
        return this.outages.flatMap(({ from, until, unit }) =>
            unit === null
                ? []
                : [{ start: from, end: until, from: unit * this.unitNodes, to: (unit + 1) * this.unitNodes }],
        );
    }

    private eventsInSpan(): Float64Array {
        const [first, last] = this.span;
        const ofStays = this.stays.flat().flatMap(({ start, end }) => [start, end]);
        const ofOutages = this.outages.flatMap(({ from, until }) => [from, until]);
        const seconds = [...ofStays, ...ofOutages].filter((second) => first <= second && second <= last);
        return Float64Array.from(new Set(seconds)).sort();
    }
}

function jobsOf(table: Table, partitions: Partition[]): Jobs {
    const names = new Map(partitions.map(({ name }, row) => [name, row]));
    const partitionName = textsOf(table, "partition");
    const numbers = (name: string) =>
        table.has(name) ? table.optionalNumbers(name) : new Float64Array(table.rows).fill(Number.NaN);
    return {
        rows: table.rows,
        id: numbers("job"),
        submit: numbers("submit"),
        start: numbers("start"),
        end: numbers("end"),
        nodes: numbers("nodes"),
        granted: numbers("granted_nodes"),
        walltime: numbers("walltime"),
        run: numbers("run"),
        promised: numbers("promised"),
        restarts: numbers("restarts"),
        user: known(textsOf(table, "user")),
        queue: table.has("queue") ? known(textsOf(table, "queue")) : null,
        application: known(textsOf(table, "application")),
        isKilled: textsOf(table, "killed").map((text) => text === "true"),
        reason: textsOf(table, "reason"),
        partition: Int32Array.from(partitionName, (name) => names.get(name) ?? -1),
        partitionName,
    };
}

function textsOf(table: Table, name: string): string[] {
    if (!table.has(name)) return new Array(table.rows).fill("");
    return Array.from(table.texts(name), (value) => (value == null ? "" : String(value)));
}

/** Logs write -1 for what they do not know. */
function known(texts: string[]): string[] {
    return texts.map((text) => (text === "-1" ? "" : text));
}

function numbersIn(text: string): number[] {
    return text ? text.split(" ").map(Number) : [];
}

function midplanesOf(table: Table): Midplane[] {
    const places = textsOf(table, "place");
    return textsOf(table, "midplane").map((name, row) => ({ name, place: numbersIn(places[row]) }));
}

function partitionsOf(table: Table, room: RoomFacts): Partition[] {
    const [names, wirings] = [textsOf(table, "partition"), textsOf(table, "wiring")];
    const [midplanes, cables, passed] = ["midplanes", "cables", "passed_through"].map((name) =>
        textsOf(table, name).map(numbersIn),
    );
    const nodes = table.numbers("nodes");
    const card = cardNodes(names, nodes, room.midplane_nodes);
    return names.map((name, row) => ({
        name,
        nodes: nodes[row],
        wiring: wirings[row],
        midplanes: midplanes[row],
        cables: cables[row],
        passedThrough: passed[row],
        pieces: piecesOfPartition(name, nodes[row], midplanes[row], room.midplane_nodes, card),
    }));
}

/** A partition smaller than a midplane begins at the node card that ends its name. */
function piecesOfPartition(
    name: string,
    nodes: number,
    midplanes: number[],
    midplaneNodes: number,
    card: number,
): Piece[] {
    if (midplanes.length !== 1 || nodes >= midplaneNodes)
        return joined(midplanes.map((at) => ({ from: at, to: at + 1 })));
    const from = midplanes[0] + (cardOf(name) * card) / midplaneNodes;
    return [{ from, to: from + nodes / midplaneNodes }];
}

function cardOf(name: string): number {
    return Number(name.match(/\d+$/)?.[0] ?? 0);
}

/** Nodes of a node card: the last partitions of a midplane end where it ends. */
function cardNodes(names: string[], nodes: Float64Array, midplaneNodes: number): number {
    const sizes = names.map((name, row) =>
        nodes[row] < midplaneNodes && cardOf(name) > 0 ? (midplaneNodes - nodes[row]) / cardOf(name) : Infinity,
    );
    const least = sizes.reduce((best, size) => Math.min(best, size), Infinity);
    return Number.isFinite(least) ? least : 0;
}

function seriesOf(table: Table): ScheduleSeries {
    const column = (name: string) => (table.has(name) ? table.optionalNumbers(name) : null);
    return {
        start: table.numbers("start"),
        end: table.numbers("end"),
        utilization: column("utilization"),
        allocated: column("allocated"),
        waiting: column("waiting_jobs"),
    };
}
