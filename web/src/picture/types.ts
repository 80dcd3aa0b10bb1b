export type Rgb = readonly [number, number, number];
export type Point = readonly [number, number, number];

/** A color and a width for each link or node, as `paint` makes them; 0 is hidden. */
export type Words = Uint32Array<ArrayBuffer>;

/** What of a machine is drawn where: the part of the state that places nodes. */
export interface View {
    slice: ([number, number] | null)[];
    explode: { dimension: number; gap: number } | null;
    wraps: "arcs" | "stubs" | "hidden" | "folded";
    outer: "stubs" | "arcs" | "hidden";
}

/** A number as shaders read it: 13 alone would be an integer. */
export function float(value: number): string {
    return value.toFixed(4);
}
