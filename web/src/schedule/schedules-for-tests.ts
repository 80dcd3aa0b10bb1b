/** Schedules as small as tests need. */

import type { OutageFacts, RoomFacts } from "../data/page.ts";
import { Table } from "../data/parquet.ts";
import { Schedule } from "./data.ts";

/** A ring of four midplanes of 64 nodes, of four node cards each. */
export const ring: RoomFacts = {
    name: "ring",
    description: "",
    is_switched: false,
    dimensions: [
        { name: "X", length: 1 },
        { name: "Y", length: 4 },
    ],
    midplane_nodes: 64,
    cables: [0, 1, 2, 3].map((from) => ({ dimension: "Y", from, to: (from + 1) % 4 })),
    block: "midplane",
};

function tableOf(rows: Record<string, unknown>[]): Table {
    const names = Object.keys(rows[0]);
    return new Table(rows.length, new Map(names.map((name) => [name, rows.map((row) => row[name])])));
}

const partitions = tableOf([
    { partition: "mesh-16-M0-N00", nodes: 16, wiring: "mesh", midplanes: "0", cables: "", passed_through: "" },
    { partition: "mesh-16-M0-N01", nodes: 16, wiring: "mesh", midplanes: "0", cables: "", passed_through: "" },
    { partition: "mesh-32-M1-N02", nodes: 32, wiring: "mesh", midplanes: "1", cables: "", passed_through: "" },
    ...[0, 1, 2, 3].map((at) => ({
        partition: `torus-64-M${at}`,
        nodes: 64,
        wiring: "torus",
        midplanes: String(at),
        cables: "",
        passed_through: "",
    })),
    {
        partition: "torus-128-A",
        nodes: 128,
        wiring: "torus",
        midplanes: "0 1",
        cables: "0 1 2 3",
        passed_through: "2 3",
    },
    {
        partition: "torus-128-B",
        nodes: 128,
        wiring: "torus",
        midplanes: "2 3",
        cables: "0 1 2 3",
        passed_through: "0 1",
    },
]);

const midplanes = tableOf([0, 1, 2, 3].map((y) => ({ midplane: `M${y}`, place: `0 ${y}` })));

export interface JobOfTest {
    submit: number;
    start: number | null;
    end: number | null;
    nodes: number;
    granted?: number;
    partition?: string;
}

const anOutage: OutageFacts = { from: 0, until: null, midplane: null, cable: null, nodes: null };

interface EndedOfTest {
    job: number;
    start: number;
    end: number;
    partition: string;
    granted_nodes: number;
}

interface Rest {
    outages?: Partial<OutageFacts>[];
    ended?: EndedOfTest[];
}

/** In the ring, or without a room on a machine of so many nodes. */
export function scheduleOf(jobs: JobOfTest[], room: RoomFacts | null = ring, nodes = 256, rest: Rest = {}): Schedule {
    const { outages = [], ended = [] } = rest;
    const rows = jobs.map(({ partition = "", granted, ...job }, i) => ({
        job: 10 + i,
        ...job,
        partition,
        granted_nodes: granted ?? job.nodes,
    }));
    return new Schedule(
        {
            name: "test",
            summary: {},
            facts: { schema_version: 1, nodes, room, outages: outages.map((each) => ({ ...anOutage, ...each })) },
            tables: {},
        },
        {
            jobs: tableOf(rows),
            ...(room && !room.is_switched ? { partitions, midplanes } : {}),
            ...(ended.length > 0 ? { ended_runs: tableOf(ended.map((run) => ({ ...run }))) } : {}),
        },
    );
}
