/**
 * What is seen, as plain data: everything that the address keeps and that controls change.
 *
 * Panels and the picture subscribe to changes. Nothing else is shared between them.
 */

export type Selection = { node: number } | { link: number } | null;

export interface CameraState {
    /** Radians: around the vertical, and above the horizon. */
    yaw: number;
    pitch: number;
    /** In units of the picture's size. */
    zoom: number;
    /** What it looks at, from the middle of the picture, in the same units. */
    shift: [number, number, number];
}

/** What the state of every kind of page has. */
export interface PageState {
    theme: "auto" | "dark" | "light";
}

export interface State extends PageState {
    /** A row of the series; null: the whole run. */
    time: number | null;
    quantity: string;
    /** Where the scale ends: at the largest value, or at 100 %. */
    scale: "largest" | "full";
    /** Links below this share of the scale are hidden. */
    hide: number;
    /** By dimension: the coordinates that are shown. Null: all. */
    slice: ([number, number] | null)[];
    explode: { dimension: number; gap: number } | null;
    wraps: "arcs" | "stubs" | "hidden" | "folded";
    /** Links between the blocks of more than three dimensions. */
    outer: "stubs" | "arcs" | "hidden";
    nodes: "plain" | "rank" | "group" | "injected" | "delivered" | "hidden";
    messages: "none" | "now" | number;
    /** The run that a selection belongs to. */
    run: number;
    selection: Selection;
    route: { source: number; target: number } | null;
    ring: boolean;
    compare: "both" | "first" | "second" | "difference";
    camera: CameraState;
}

/** Parts of the state that have changed; `data`: tables have been read meanwhile. */
export type Changed<S = State> = ReadonlySet<keyof S | "data">;

/** The state of a page, of whatever kind, and who follows it. */
export class Store<S extends object = State> {
    private listeners: ((changed: Changed<S>) => void)[] = [];
    readonly state: S;

    constructor(state: S) {
        this.state = state;
    }

    set(change: Partial<S>): void {
        const keys = Object.keys(change) as (keyof S)[];
        const changed = new Set(keys.filter((key) => !Object.is(this.state[key], change[key])));
        if (changed.size === 0) return;
        Object.assign(this.state, change);
        this.announce(changed);
    }

    announce(changed: Changed<S>): void {
        for (const listener of this.listeners) listener(changed);
    }

    onChange(listener: (changed: Changed<S>) => void): void {
        this.listeners.push(listener);
    }
}
