/** Ranks on their nodes: those of one program, or of several jobs, each of which numbers its own. */

import type { Table } from "./parquet.ts";
import { rowsBy } from "./rows.ts";

export class Ranks {
    readonly rank: Int32Array;
    readonly node: Int32Array;
    readonly core: Int32Array;
    readonly group: Int32Array;
    /** The rows of a node. */
    readonly on: Map<number, number[]>;
    /** Whether the row of a rank has its number. */
    readonly areOfOneProgram: boolean;
    readonly hasGroups: boolean;
    private readonly groups: string[];

    /** `groups` are the names of groups, if they have names. */
    constructor(table: Table, groups: string[]) {
        [this.rank, this.node, this.core, this.group] = ["rank", "node", "core", "group"].map((name) =>
            table.integers(name),
        );
        this.groups = groups;
        this.on = rowsBy(this.node);
        this.areOfOneProgram = this.rank.every((rank, row) => rank === row);
        this.hasGroups = this.group.some((group) => group !== this.group[0]);
    }

    get count(): number {
        return this.rank.length;
    }

    groupName(group: number): string {
        return (this.groups[group] ?? String(group)) || "none";
    }

    /** "3", or "3 of halo" where several jobs have such a rank. */
    name(row: number): string {
        const rank = String(this.rank[row]);
        return this.areOfOneProgram ? rank : `${rank} of ${this.groupName(this.group[row])}`;
    }

    get example(): string {
        return `rank ${this.name(Math.min(3, this.count - 1))}`;
    }

    /** The node of "rank 3", or of "rank 3 of halo". Null if the text names no rank. */
    parse(text: string): { node: number } | { problem: string } | null {
        const match = text.trim().match(/^rank\s*(\d+)(?:\s+of\s+(.*))?$/i);
        if (!match) return null;
        const [rank, job] = [Number(match[1]), match[2]];
        const isMeant = (row: number) => job === undefined || this.groupName(this.group[row]) === job;
        const rows = [...this.rank.keys()].filter((row) => this.rank[row] === rank && isMeant(row));
        if (rows.length === 0)
            return { problem: `There is no such rank; "rank ${this.name(this.count - 1)}" is the last.` };
        if (rows.length > 1)
            return { problem: `Several jobs have a rank ${rank}: write "rank ${this.name(rows[0])}".` };
        return { node: this.node[rows[0]] };
    }
}
