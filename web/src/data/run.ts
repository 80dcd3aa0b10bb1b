/** A run: its facts and tables, read once, with the indices that the page asks. */

import { remembered } from "../remembered.ts";
import { Machine, type Parsed } from "./machine.ts";
import type { Facts, Run, Source } from "./page.ts";
import { readTable, type Table } from "./parquet.ts";
import { columnsOfQuantities, type Quantity, quantitiesOf } from "./quantities.ts";
import { Ranks } from "./ranks.ts";
import { rowsBy } from "./rows.ts";
import { LinkSeries, Series } from "./series.ts";

export interface Flow {
    source: number;
    target: number;
    sourceNode: number;
    targetNode: number;
    amount: number;
}

export interface Waiting {
    node: number;
    receiver: string;
    vc: number;
    toward: string;
    link: number;
    target: number;
    bytes: number;
    /** Tokens that its sender has, and that it needs. */
    tokens: number;
    needed: number;
}

export interface Messages {
    source: Int32Array;
    target: Int32Array;
    sent: Float64Array;
    arrived: Float64Array;
    call: Int32Array;
}

/** Calls of all ranks with one number and text: "3: MPI_Allreduce". */
export interface CallGroup {
    number: number;
    text: string;
    start: number;
    end: number;
}

/** A row of the series, the whole run (null), or a time at which this run has ended, when another goes on. */
export type Moment = number | null | "ended";

export class RunData {
    readonly name: string;
    readonly summary: Record<string, unknown>;
    readonly facts: Facts;
    readonly machine: Machine;
    readonly links: Table;
    readonly series: Series | null;
    readonly nodes: { injected: Float64Array; delivered: Float64Array } | null;
    readonly ranks: Ranks | null;
    readonly waiting: Waiting[] | null;
    readonly quantities: Quantity[];
    readonly deadLinks: Set<number>;
    /** The largest utilization of a link in a row of `link_series`. */
    readonly peak: number;
    linkSeries: LinkSeries | null = null;
    messages: Messages | null = null;
    calls: CallGroup[] = [];
    private readonly flowTable: Table | null;
    private readonly flowRows: Map<number, number[]>;
    private readonly flowCounts: Map<number, { flows: number; total: number }>;
    private readonly sources: Record<string, Source>;

    /** Reads what the first picture needs. What is large and only needed later, `readRest` reads. */
    static async open(run: Run): Promise<RunData> {
        // Of the two tables with a row for each link, columns that nothing asks would take most of the time.
        const wanted: Record<string, string[]> = {
            links: ["node", "direction", "dead", ...columnsOfQuantities(run.facts.machine.vcs)],
            wires: ["target", "is_wrap"],
        };
        const read = (name: string) =>
            run.tables[name] ? readTable(run.tables[name], wanted[name]) : Promise.resolve(null);
        const names = ["links", "wires", "series", "nodes", "ranks", "waiting", "flows", "flow_counts"];
        const tables: Record<string, Table | null> = {};
        for (const name of names) tables[name] = await read(name);
        if (!tables.links || !tables.wires) throw new Error("a run needs the tables links and wires");
        const full = run.tables.link_series ? await readTable(run.tables.link_series, ["full"]) : null;
        return new RunData(run, tables, full ? maximum(full.numbers("full")) : 0);
    }

    private constructor(run: Run, tables: Record<string, Table | null>, peak: number) {
        this.peak = peak;
        this.name = run.name;
        this.summary = run.summary;
        this.facts = run.facts;
        this.sources = run.tables;
        this.links = tables.links!;
        this.machine = new Machine(run.facts.machine, this.links, tables.wires!);
        this.series = tables.series ? new Series(tables.series) : null;
        this.nodes = tables.nodes
            ? { injected: tables.nodes.numbers("injected"), delivered: tables.nodes.numbers("delivered") }
            : null;
        this.ranks = tables.ranks ? new Ranks(tables.ranks, this.facts.groups) : null;
        this.waiting = tables.waiting ? waitingOf(tables.waiting) : null;
        this.flowTable = tables.flows;
        this.flowRows = rowsBy(tables.flows?.integers("link") ?? new Int32Array());
        this.flowCounts = countsOf(tables.flow_counts);
        this.deadLinks = deadLinksOf(this.links);
        this.quantities = quantitiesOf(this.links, this.facts, this.waiting);
    }

    async readRest(): Promise<void> {
        const { link_series, messages, calls } = this.sources;
        if (link_series && this.facts.series) {
            this.linkSeries = new LinkSeries(await readTable(link_series), this.facts.series, this.machine);
        }
        if (messages && this.ranks) this.messages = messagesOf(await readTable(messages));
        if (calls) this.calls = callGroups(await readTable(calls));
    }

    /** The largest flows across a link; null where they are not listed. */
    flowsOf(link: number): { listed: Flow[]; flows: number; total: number } | null {
        const count = this.flowCounts.get(link);
        if (!this.flowTable || !count) return null;
        const rows = this.flowRows.get(link) ?? [];
        const listed = rows.map((row) => this.flow(row)).sort((a, b) => b.amount - a.amount);
        return { listed, ...count };
    }

    private flow(row: number): Flow {
        const at = (name: string) => this.flowColumn(name)[row];
        return {
            source: at("source"),
            target: at("target"),
            sourceNode: at("source_node"),
            targetNode: at("target_node"),
            amount: at("amount"),
        };
    }

    private readonly flowColumns = new Map<string, Float64Array>();

    private flowColumn(name: string): Float64Array {
        return remembered(this.flowColumns, name, () => this.flowTable!.numbers(name));
    }

    /** The node or the link that a text names, by itself or by a rank. */
    parse(text: string): Parsed {
        const found = this.ranks?.parse(text) ?? this.machine.parse(text);
        const isRank = /^\s*rank/i.test(text);
        if (!this.ranks || isRank || !("problem" in found)) return found;
        return { problem: `${found.problem} A rank is ${this.ranks.example}.` };
    }

    has(id: string): boolean {
        return this.quantities.some((quantity) => quantity.id === id);
    }

    quantity(id: string): Quantity {
        return this.quantities.find((quantity) => quantity.id === id) ?? this.quantities[0];
    }

    /** Values of all links: at a moment or over the whole run. Dead links have none (NaN). */
    fill(values: Float64Array, quantity: Quantity, moment: Moment): void {
        if (!this.changes(quantity, moment)) values.set(quantity.whole);
        else if (moment === "ended") values.fill(0);
        else this.linkSeries!.fill(moment as number, values);
        for (const link of this.deadLinks) values[link] = Number.NaN;
    }

    value(link: number, quantity: Quantity, moment: Moment): number {
        if (this.isDead(link)) return Number.NaN;
        if (!this.changes(quantity, moment)) return quantity.whole[link];
        return moment === "ended" ? 0 : this.linkSeries!.value(moment as number, link);
    }

    private changes(quantity: Quantity, moment: Moment): boolean {
        return quantity.overTime && moment !== null && this.linkSeries !== null;
    }

    get measuredCycles(): number {
        const { start_cycle, end_cycle } = this.facts.measured;
        return end_cycle - start_cycle;
    }

    isDead(link: number): boolean {
        return this.deadLinks.has(link);
    }
}

function deadLinksOf(links: Table): Set<number> {
    const flags = links.has("dead") ? links.integers("dead") : new Int32Array();
    return new Set(Array.from(flags.keys()).filter((link) => flags[link] === 1));
}

function waitingOf(table: Table): Waiting[] {
    const [node, vc, link, target] = ["node", "vc", "link", "target"].map((name) => table.integers(name));
    const [receiver, toward] = ["receiver", "toward"].map((name) => table.texts(name));
    const [bytes, tokens, needed] = ["bytes", "tokens", "tokens_needed"].map((name) => table.numbers(name));
    return Array.from({ length: table.rows }, (_, row) => ({
        node: node[row],
        receiver: receiver[row],
        vc: vc[row],
        toward: toward[row],
        link: link[row],
        target: target[row],
        bytes: bytes[row],
        tokens: tokens[row],
        needed: needed[row],
    }));
}

function messagesOf(table: Table): Messages {
    return {
        source: table.integers("source"),
        target: table.integers("target"),
        sent: table.numbers("sent_cycle"),
        arrived: table.numbers("arrived_cycle"),
        call: table.integers("call_number"),
    };
}

function callGroups(table: Table): CallGroup[] {
    const [number, start, end] = ["number", "start_cycle", "end_cycle"].map((name) => table.numbers(name));
    const text = table.texts("call");
    const groups = new Map<string, CallGroup>();
    for (let row = 0; row < table.rows; row++) {
        const key = `${number[row]}: ${text[row]}`;
        const group = groups.get(key);
        if (group) {
            group.start = Math.min(group.start, start[row]);
            group.end = Math.max(group.end, end[row]);
        } else groups.set(key, { number: number[row], text: text[row], start: start[row], end: end[row] });
    }
    return [...groups.values()].sort((a, b) => a.number - b.number);
}

function countsOf(table: Table | null): Map<number, { flows: number; total: number }> {
    if (!table) return new Map();
    const [link, flows, total] = ["link", "flows", "total"].map((name) => table.numbers(name));
    return new Map(Array.from(link, (at, row) => [at, { flows: flows[row], total: total[row] }]));
}

export function maximum(values: ArrayLike<number>): number {
    let most = 0;
    for (let i = 0; i < values.length; i++) if (values[i] > most) most = values[i];
    return most;
}
