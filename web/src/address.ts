/** The state of the view as text of the address, so that a link shows what was seen. Only what differs from the start. */

import type { Machine } from "./data/machine.ts";
import type { CameraState, State } from "./state.ts";

/** Machines of the runs: names of nodes and links are read and written with them. */
export function format(state: State, start: State, machines: Machine[]): string {
    const parts = new URLSearchParams();
    const put = (name: string, value: string | number | null, usual: string | number | null) => {
        if (value !== usual) parts.set(name, String(value ?? "all"));
    };
    put("t", state.time, start.time);
    put("q", state.quantity, start.quantity);
    put("scale", state.scale, start.scale);
    put("hide", state.hide, start.hide);
    put("slice", formatSlice(state.slice, machines[0]), "");
    put("explode", formatExplode(state.explode, machines[0]), "");
    for (const name of ["wraps", "outer", "nodes", "messages", "compare", "theme", "run"] as const) {
        put(name, state[name], start[name]);
    }
    put("ring", state.ring ? 1 : 0, start.ring ? 1 : 0);
    const machine = machines[state.run] ?? machines[0];
    const { selection, route } = state;
    if (selection)
        put("ask", "node" in selection ? machine.nodeName(selection.node) : machine.linkName(selection.link), "");
    if (route) put("route", `${machine.nodeName(route.source)}-${machine.nodeName(route.target)}`, "");
    put("camera", formatCamera(state.camera), formatCamera(start.camera));
    // Parentheses, commas and colons may stand in a fragment, and are easier to read so.
    return parts.toString().replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%28/g, "(").replace(/%29/g, ")");
}

export function parse(text: string, start: State, machines: Machine[]): State {
    const parts = new URLSearchParams(text.replace(/^#/, ""));
    const state: State = { ...start };
    const get = (name: string) => parts.get(name);
    const oneOf = <T extends string>(name: string, known: readonly T[], usual: T): T =>
        known.find((value) => value === get(name)) ?? usual;
    if (get("t")) state.time = get("t") === "all" ? null : natural(get("t"), start.time);
    state.quantity = get("q") ?? start.quantity;
    state.scale = oneOf("scale", ["largest", "full"], start.scale);
    state.hide = clampedShare(get("hide"), start.hide);
    state.slice = parseSlice(get("slice") ?? "", machines[0]);
    state.explode = parseExplode(get("explode") ?? "", machines[0]);
    state.wraps = oneOf("wraps", ["arcs", "stubs", "hidden", "folded"], start.wraps);
    state.outer = oneOf("outer", ["arcs", "stubs", "hidden"], start.outer);
    state.nodes = oneOf("nodes", ["plain", "rank", "group", "injected", "delivered", "hidden"], start.nodes);
    state.messages = oneOf<"none" | "now">("messages", ["none", "now"], "none");
    if (/^\d+$/.test(get("messages") ?? "")) state.messages = Number(get("messages"));
    state.compare = oneOf("compare", ["both", "first", "second", "difference"], start.compare);
    state.theme = oneOf("theme", ["auto", "dark", "light"], start.theme);
    state.run = Math.min(natural(get("run"), 0) ?? 0, machines.length - 1);
    state.ring = get("ring") ? get("ring") === "1" : start.ring;
    const machine = machines[state.run];
    state.selection = selectionOf(get("ask"), machine);
    state.route = routeOf(get("route"), machine);
    state.camera = parseCamera(get("camera"), start.camera);
    return state;
}

function natural(text: string | null, usual: number | null): number | null {
    return text !== null && /^\d+$/.test(text) ? Number(text) : usual;
}

function clampedShare(text: string | null, usual: number): number {
    const value = text === null ? Number.NaN : Number(text);
    return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : usual;
}

export function formatSlice(slice: State["slice"], machine: Machine): string {
    const { dimensions } = machine.facts;
    const texts = slice.map((range, d) => {
        if (!range) return "";
        return `${dimensions[d]}:${range[0] === range[1] ? range[0] : `${range[0]}-${range[1]}`}`;
    });
    return texts.filter((text) => text).join(",");
}

export function parseSlice(text: string, machine: Machine): State["slice"] {
    const { dimensions, shape } = machine.facts;
    const slice: State["slice"] = shape.map(() => null);
    for (const part of text.split(",")) {
        const match = part.match(/^([a-z]):(\d+)(?:-(\d+))?$/);
        const d = match ? dimensions.indexOf(match[1]) : -1;
        if (!match || d < 0) continue;
        const [low, high] = [Number(match[2]), Number(match[3] ?? match[2])];
        if (low <= high && high < shape[d]) slice[d] = [low, high];
    }
    return slice;
}

function formatExplode(explode: State["explode"], machine: Machine): string {
    return explode ? `${machine.facts.dimensions[explode.dimension]}:${explode.gap}` : "";
}

function parseExplode(text: string, machine: Machine): State["explode"] {
    const [name, gap] = text.split(":");
    const dimension = machine.facts.dimensions.indexOf(name);
    const size = Number(gap);
    return dimension >= 0 && size > 0 && size <= 10 ? { dimension, gap: size } : null;
}

function selectionOf(text: string | null, machine: Machine): State["selection"] {
    const found = text ? machine.parse(text) : null;
    return found && !("problem" in found) ? found : null;
}

function routeOf(text: string | null, machine: Machine): State["route"] {
    const ends = (text ?? "").split("-").map((end) => machine.parse(end));
    const [source, target] = ends;
    return ends.length === 2 && "node" in source && "node" in target
        ? { source: source.node, target: target.node }
        : null;
}

function formatCamera({ yaw, pitch, zoom, shift }: CameraState): string {
    return [yaw, pitch, zoom, ...shift].map((value) => Number(value.toFixed(3))).join(",");
}

function parseCamera(text: string | null, usual: CameraState): CameraState {
    const values = (text ?? "").split(",").map(Number);
    if (values.length !== 6 || !values.every(Number.isFinite)) return usual;
    const [yaw, pitch, zoom, x, y, z] = values;
    return { yaw, pitch, zoom: Math.min(4, Math.max(0.02, zoom)), shift: [x, y, z] };
}
