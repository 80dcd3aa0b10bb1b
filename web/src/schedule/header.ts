/** The head of the page: which schedules these are, what the room shows, and what can be done with it. */

import { actions } from "../actions.ts";
import type { AddressBar } from "../address-bar.ts";
import { fileName } from "../caption.ts";
import { choice, h } from "../dom.ts";
import { count } from "../format.ts";
import { colorAt, css } from "../picture/colors.ts";
import { scaleEnds } from "./colors.ts";
import type { Context, Part } from "./context.ts";
import { help } from "./help.ts";
import { hasRacks } from "./layout.ts";
import type { RoomPart } from "./room.ts";
import { pngOf, svgTextOf } from "./save.ts";
import type { ScheduleState } from "./state.ts";
import type { Timeline } from "./timeline.ts";
import { moment } from "./words.ts";

export function header(
    context: Context,
    room: RoomPart,
    line: Timeline,
    address: AddressBar<ScheduleState> | null,
): HTMLElement {
    const names = context.runs.map(({ name }) => name);
    const title = names.join(" and ");
    const saved = {
        what: { png: "the room and the charts", svg: "the room" },
        file: (ending: string) => fileName([...names, moment(context.state.time, true)], ending),
        png: () => pngOf(room.drawing(), line),
        svg: () => svgTextOf(room.drawing()),
    };
    return h(
        "header",
        {},
        h("h1", { title }, title),
        h("p", { class: "quiet" }, inShort(context)),
        actions(context, saved, address, help()),
    );
}

function inShort(context: Context): string {
    const { facts, jobs, room } = context.runs[0];
    const blocks = room ? `${room.name}, ${count(context.runs[0].units)} ${room.block}s, ` : "";
    return `${blocks}${count(facts.nodes)} nodes · ${count(jobs.rows)} jobs`;
}

/** How the room is drawn. */
export function toolbar(context: Context): Part {
    const { store, runs } = context;
    const set = (name: keyof ScheduleState) => (value: string) => store.set({ [name]: value });
    const room = runs[0].room;
    const colors = [
        { value: "job", text: "job" },
        ...(context.colors.hasUsers ? [{ value: "user", text: "user" }] : []),
        { value: "nodes", text: "size of job" },
        { value: "wait", text: "wait of job" },
    ];
    const color = choice("Color", "What gives jobs their color", colors, set("colors"));
    const cables = choice(
        "Cables",
        "Which cables are drawn, in the color of the job that uses them",
        [
            { value: "used", text: "in use" },
            { value: "asked", text: "of the selected job" },
            { value: "all", text: "all" },
            { value: "none", text: "none" },
        ],
        set("cables"),
    );
    const arrangement = choice(
        "Place",
        "Where midplanes are drawn",
        [
            { value: "racks", text: "as racks stand" },
            { value: "places", text: "by coordinates" },
        ],
        set("arrangement"),
    );
    const scale = h("span", { class: "scale" });
    const idle = room ? keyOf("idle", "idle") : null;
    const passed = room && !room.is_switched ? keyOf("passed", "passed through") : null;
    const hasPlaces = runs.every((run) => run.hasPlaces);
    const note = hasPlaces ? null : h("span", { class: "quiet note", title: placeHint(context) }, "places assumed");
    const wanted = room ? keyOf("dashed", "waited for") : null;
    const hasOutages = runs.some(({ outages }) => outages.some(({ nodes }) => nodes === 0));
    const out = hasOutages ? keyOf("crossed", "out of service") : null;
    const hasEnded = runs.some(({ stays }) => stays.flat().some(({ isEnded }) => isEnded));
    const ended = hasEnded ? h("span", { class: "quiet key" }, "✕ an outage ended the run") : null;
    const element = h(
        "div",
        { class: "toolbar" },
        color.element,
        cables.element,
        arrangement.element,
        scale,
        idle,
        passed,
        wanted,
        out,
        ended,
        note,
    );
    const update = () => {
        const { state, theme } = context;
        color.select.value = state.colors;
        cables.select.value = state.cables;
        arrangement.select.value = state.arrangement;
        cables.element.hidden = !room || room.cables.length === 0;
        arrangement.element.hidden = !room || room.is_switched || !hasRacks(runs[0].midplanes);
        const ends = scaleEnds(runs, state.colors);
        scale.hidden = ends === null;
        const stops = Array.from({ length: 9 }, (_, i) => css(colorAt("values", theme, i / 8)));
        if (ends)
            scale.replaceChildren(
                ends[0],
                h("i", { style: `background: linear-gradient(to right, ${stops.join(", ")})` }),
                ends[1],
            );
    };
    return { element, update };
}

function keyOf(name: string, text: string): HTMLElement {
    return h("span", { class: "quiet key" }, h("i", { class: name }), text);
}

function placeHint({ runs }: Context): string {
    const things = runs[0].room ? `${runs[0].room.block}s` : "nodes";
    const hint = `The schedule does not say which ${things} a job has: any will do. They are drawn by first fit.`;
    if (runs.every(({ outages }) => outages.length === 0)) return hint;
    return runs[0].room
        ? `${hint} Where it finds too few others, a job is on one that is out of service.`
        : `${hint} Nodes out of service have no place: they are only counted.`;
}
