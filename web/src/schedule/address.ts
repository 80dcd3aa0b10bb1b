/** The state as text of the address: only what differs from the start. */

import type { Asked, ScheduleState } from "./state.ts";

const choices = {
    cables: ["asked", "used", "all", "none"],
    colors: ["job", "user", "nodes", "wait"],
    arrangement: ["racks", "places"],
    theme: ["auto", "dark", "light"],
} as const;

export function format(state: ScheduleState, start: ScheduleState): string {
    const parts = new URLSearchParams();
    const put = (name: string, value: string | number, usual: string | number) => {
        if (value !== usual) parts.set(name, String(value));
    };
    put("t", state.time, start.time);
    const window = ({ from, to }: ScheduleState) => `${Math.round(from)}-${Math.round(to)}`;
    put("show", window(state), window(start));
    put("run", state.run, start.run);
    for (const name of ["cables", "colors", "arrangement", "theme"] as const) put(name, state[name], start[name]);
    put("ask", askedText(state.asked), "");
    return parts.toString().replace(/%3A/g, ":").replace(/%2C/g, ",");
}

export function askedText(asked: Asked): string {
    if (!asked) return "";
    if ("job" in asked) return `job:${asked.job}`;
    return "midplane" in asked ? `midplane:${asked.midplane}` : `partition:${asked.partition}`;
}

/** The start shows all of the log: what an address has beyond it is its end. */
export function parse(text: string, start: ScheduleState, runs: number): ScheduleState {
    const parts = new URLSearchParams(text.replace(/^#/, ""));
    const state = { ...start };
    const inside = (second: number) => Math.min(start.to, Math.max(start.from, second));
    state.time = inside(number(parts.get("t"), start.time));
    const window = (parts.get("show") ?? "").match(/^(\d+)-(\d+)$/);
    const [from, to] = (window ?? []).slice(1).map((second) => inside(Number(second)));
    if (from < to) [state.from, state.to] = [from, to];
    state.run = Math.min(Math.trunc(number(parts.get("run"), start.run)), runs - 1);
    for (const name of Object.keys(choices) as (keyof typeof choices)[]) {
        const value = (choices[name] as readonly string[]).find((value) => value === parts.get(name));
        if (value) Object.assign(state, { [name]: value });
    }
    state.asked = parseAsked(parts.get("ask") ?? "");
    return state;
}

function number(text: string | null, usual: number): number {
    return text !== null && /^\d+(\.\d+)?$/.test(text) ? Number(text) : usual;
}

function parseAsked(text: string): Asked {
    const [, kind, name] = text.match(/^(job|midplane|partition):(.+)$/) ?? [];
    if (kind === "job") return /^\d+$/.test(name) ? { job: Number(name) } : null;
    if (kind === "midplane") return { midplane: name };
    return kind === "partition" ? { partition: name } : null;
}
