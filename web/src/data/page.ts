/** The contract between data and page: what Rust and Python write, and the viewer reads. */

export interface Page<R = Run> {
    schema_version: 1;
    title: string;
    /** A kind of page in `kinds.ts`: what its runs are. */
    kind: string;
    /** One, or two to compare. */
    runs: R[];
}

export interface Run {
    name: string;
    summary: Record<string, unknown>;
    facts: Facts;
    tables: Record<string, Source>;
}

/** A Parquet file, compressed with zstd. */
export type Source = { base64: string } | { url: string } | { bytes: DataView };

export interface Facts {
    schema_version: 1;
    machine: MachineFacts;
    /** The window of table `links`. The series covers cycle 0 to the end. */
    measured: { start_cycle: number; end_cycle: number };
    /** What table `link_series` has one byte for. */
    series: "links" | "planes" | null;
    phases: { cycle: number; name: string }[];
    /** The names of groups of ranks by number, if they have names. */
    groups: string[];
    deadlock: null | { cycle: number; blocked_heads: number; ring: Dependency[] };
    flows: { unit: "ranks" | "nodes" | null; routing: string | null; amount: "bytes" | "share"; note: string };
    routes: RouteFacts | null;
    routes_note: string;
}

export interface MachineFacts {
    name: string;
    shape: number[];
    wrap: boolean[];
    is_twisted: boolean;
    dimensions: string[];
    cycle_seconds: number | null;
    dead_nodes: number[];
    vcs: string[];
}

/** A head packet of a deadlock's ring, as the summary has it: where it sits, and what it waits for. */
export interface Dependency {
    node: number;
    receiver: string;
    channel: number;
    toward: string;
    toward_channel: number;
    target: number;
}

export interface RouteFacts {
    /** Entry g: the vectors of a packet from node 0 to node g, where only wrapped dimensions differ from 0. */
    vectors: RouteVector[][] | null;
    order: "adaptive" | "dimension order";
    /** Pairs that dead nodes or links keep from their vectors, and the ways that they take, equally often. */
    detours: { source: number; target: number; ways: Detour[] }[];
}

/** A way in parts: the hops of each, and the node at its end. */
export type Detour = { to: number; hops: number[] }[];

/** Signed hops in each dimension, and the share of packets that takes them. */
export interface RouteVector {
    hops: number[];
    share: number;
}

/** A run of pages of kind "schedule". */
export interface ScheduleRun {
    name: string;
    summary: Record<string, unknown>;
    facts: ScheduleFacts;
    tables: Record<string, Source>;
}

export interface ScheduleFacts {
    schema_version: 1;
    /** Of the machine. */
    nodes: number;
    /** Null: a plain machine of so many nodes. */
    room: RoomFacts | null;
    outages: OutageFacts[];
}

/** One part of the machine, for some time. */
export interface OutageFacts {
    /** Seconds of the log. */
    from: number;
    /** Null: for good. */
    until: number | null;
    /** Row of table `midplanes`. */
    midplane: number | null;
    /** Place in the room's `cables`. */
    cable: number | null;
    /** Of a plain machine. */
    nodes: number | null;
}

export interface RoomFacts {
    name: string;
    description: string;
    /** Switches join the blocks: there are no cables, and any free blocks will do. */
    is_switched: boolean;
    /** Of blocks; none in a switched room. */
    dimensions: { name: string; length: number }[];
    midplane_nodes: number;
    /** Ends are rows of table `midplanes`. */
    cables: { dimension: string; from: number; to: number }[];
    /** What people call a block there: "midplane", "cube", "rack". */
    block: string;
}
