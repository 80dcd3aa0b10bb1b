/** The rooms of the runs next to each other, with what is under the pointer. */

import { captionHeight, captionShapes, linesOf } from "../caption.ts";
import { h, replace, svg } from "../dom.ts";
import { count, percent } from "../format.ts";
import type { Tip } from "../tip.ts";
import type { Context, Part } from "./context.ts";
import { focusOf } from "./focus.ts";
import { outageLine, outageText, outInShort } from "./outages.ts";
import { drawRoom } from "./room-drawing.ts";
import type { Box } from "./scene.ts";
import { stayLines } from "./tips.ts";
import { waitsShortly } from "./waits.ts";
import { moment } from "./words.ts";

export interface RoomPart extends Part {
    /** The picture as one drawing. */
    drawing(): SVGSVGElement;
}

export function rooms(context: Context, tip: Tip): RoomPart {
    const parts = context.runs.map((_, index) => room(context, index, tip));
    const element = h("div", { class: "rooms" }, ...parts.map((part) => part.element));
    const drawing = () => sheet(context, element, parts);
    const update: Part["update"] = (changed) => {
        for (const part of parts) part.update(changed);
    };
    return { element, update, drawing };
}

interface OneRoom extends Part {
    picture: SVGSVGElement;
    /** What is written above it. */
    texts(): string[];
}

function room(context: Context, index: number, tip: Tip): OneRoom {
    const run = context.runs[index];
    const picture = svg("svg", {
        tabindex: 0,
        role: "img",
        "aria-label": `The machine of ${run.name}; the same as tables is at the side`,
    }) as SVGSVGElement;
    const stage = h("div", { class: "room-stage" }, picture);
    const head = h("div", { class: "room-head" });
    const element = h("section", { class: "room", "aria-label": run.name }, head, stage);
    let boxes: Box[] = [];
    const draw = () => {
        const { clientWidth: width, clientHeight: height } = stage;
        if (width < 40 || height < 40) return;
        const drawn = drawRoom(context, index, width, height);
        boxes = drawn.boxes;
        picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
        picture.replaceChildren(...drawn.shapes);
    };
    new ResizeObserver(() => {
        draw();
        tip.hide();
    }).observe(stage);
    const hit = (event: Event) => {
        const data = (event.target as SVGElement).dataset ?? {};
        return {
            job: data.job === undefined ? null : Number(data.job),
            unit: data.unit === undefined ? null : Number(data.unit),
            cable: data.cable === undefined ? null : Number(data.cable),
        };
    };
    picture.addEventListener("pointermove", (event) => {
        const { job, unit, cable } = hit(event);
        context.store.set({ hovered: job === null ? null : run.jobs.id[job] });
        const outage = cable === null ? null : context.at(index).outageOfCable(cable);
        tip.show(event, outage ? [outageLine(run, outage)] : unitLines(context, index, job, unit));
    });
    picture.addEventListener("pointerleave", () => {
        context.store.set({ hovered: null });
        tip.hide();
    });
    picture.addEventListener("click", (event) => {
        const { job, unit } = hit(event);
        if (job !== null) context.ask({ job: run.jobs.id[job] }, index);
        else if (unit !== null && run.midplanes[unit]) context.ask({ midplane: run.midplanes[unit].name }, index);
        else context.ask(null, index);
    });
    picture.addEventListener("keydown", (event) => {
        const unit = moved(context.askedUnit(run), event.key, boxes);
        if (unit !== null) {
            context.ask({ midplane: run.midplanes[unit].name }, index);
            event.preventDefault();
            event.stopPropagation();
        }
    });
    const texts = () => [context.shortNames[index], stateText(context, index), outText(context, index)];
    const update = () => {
        const { state, below } = headOf(context, index);
        const isMarked = focusOf(context, index)?.waits;
        replace(
            head,
            h(
                "div",
                { title: `${run.name}: ${state}` },
                h("b", {}, run.name),
                " ",
                h("span", { class: "quiet" }, state),
            ),
            h("div", { class: isMarked ? "waits wanted" : "waits quiet", title: below }, below),
        );
        draw();
    };
    return { element, update, picture, texts };
}

function stateText(context: Context, index: number): string {
    const now = context.at(index);
    const share = percent(now.usedNodes / now.schedule.facts.nodes);
    const jobs = (rows: number[]) => (rows.length === 1 ? "1 job" : `${count(rows.length)} jobs`);
    return `${jobs(now.running)} on ${share} of nodes · ${count(now.waiting.length)} waiting`;
}

/** What is out of service. Empty if nothing is. */
function outText(context: Context, index: number): string {
    const now = context.at(index);
    const out = outInShort(now.schedule, now.outages);
    return out && `${out} out of service`;
}

/** Two rooms have less width, but a second line. */
function headOf(context: Context, index: number): { state: string; below: string } {
    const [state, out, waits] = [stateText, outText, waitText].map((text) => text(context, index));
    if (context.runs.length > 1) return { state, below: [waits, out].filter((text) => text).join(" · ") };
    return { state: [state, out].filter((text) => text).join(" · "), below: waits };
}

/** What the job that is asked waits for, in a sentence. Empty if it does not. */
function waitText(context: Context, index: number): string {
    const run = context.runs[index];
    const row = context.askedRow(run);
    if (row === null || !context.at(index).isWaiting(row)) return "";
    return `Job ${run.jobs.id[row]} waits ${waitsShortly(context.at(index), row)}`;
}

function unitLines(context: Context, index: number, job: number | null, unit: number | null): string[] {
    const now = context.at(index);
    const { schedule } = now;
    const lines = job === null ? [] : stayLines(schedule, now.stay(job));
    if (unit === null) return lines;
    const through = now.through(unit).map((row) => schedule.jobs.id[row]);
    const place = schedule.midplanes[unit]?.place ?? [];
    const at = schedule.room!.dimensions.map(({ name }, d) => `${name} ${place[d]}`).join(", ");
    const name = `${schedule.unitName(unit)}${at ? ` (${at})` : ""}`;
    const outage = now.outageOf(unit);
    const does = outage ? `: ${outageText(outage)}` : now.in(unit).length === 0 ? ": idle" : "";
    const passing =
        through.length > 0 ? `Cables of ${through.length > 1 ? "jobs" : "job"} ${through.join(", ")} pass through` : "";
    return [...lines, name + does, passing].filter((line) => line);
}

/** The nearest block in the direction of an arrow. */
function moved(unit: number | null, key: string, boxes: Box[]): number | null {
    const arrows: Record<string, [number, number]> = {
        ArrowLeft: [-1, 0],
        ArrowRight: [1, 0],
        ArrowUp: [0, -1],
        ArrowDown: [0, 1],
    };
    const arrow = arrows[key];
    if (!arrow || boxes.length === 0) return null;
    if (unit === null) return 0;
    const { x, y } = boxes[unit];
    let best: number | null = null;
    let least = Infinity;
    boxes.forEach((box, other) => {
        const [along, across] = arrow[0] ? [(box.x - x) * arrow[0], box.y - y] : [(box.y - y) * arrow[1], box.x - x];
        const far = along + 4 * Math.abs(across);
        if (along > 1 && far < least) [best, least] = [other, far];
    });
    return best;
}

/** What both rooms share, and what the job that is asked waits for in each. */
function captionOf(context: Context): string[] {
    const { runs, state } = context;
    const { room, facts, units } = runs[0];
    const colors = { job: "job", user: "user", nodes: "size of job", wait: "wait of job" }[state.colors];
    return [
        runs.map(({ name }) => name).join(" and "),
        room
            ? `${room.name}, ${count(units)} ${room.block}s, ${count(facts.nodes)} nodes`
            : `${count(facts.nodes)} nodes`,
        moment(state.time, true),
        `colored by ${colors}`,
        ...runs.map((_, index) => {
            const waits = waitText(context, index);
            return waits && runs.length > 1 ? `${context.shortNames[index]}: ${waits}` : waits;
        }),
    ];
}

/** The rooms side by side, with their titles, below a caption. */
function sheet(context: Context, element: HTMLElement, parts: OneRoom[]): SVGSVGElement {
    const { clientWidth: width } = element;
    const style = getComputedStyle(element);
    const caption = linesOf(captionOf(context), width);
    const top = captionHeight(caption);
    const height = element.clientHeight + top;
    const ink = style.getPropertyValue("--ink").trim();
    const all = svg("svg", {
        xmlns: "http://www.w3.org/2000/svg",
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
    }) as SVGSVGElement;
    all.append(svg("rect", { width, height, fill: style.getPropertyValue("--ground").trim() }));
    all.append(...captionShapes(caption, 0, ink));
    for (const { picture, texts } of parts) {
        const [box, own] = [element.getBoundingClientRect(), picture.getBoundingClientRect()];
        const group = svg("g", { transform: `translate(${own.left - box.left} ${own.top - box.top + top})` });
        group.append(...[...picture.children].map((child) => child.cloneNode(true)));
        const lines = linesOf(texts(), own.width);
        group.append(...captionShapes(lines, -captionHeight(lines), ink));
        all.append(group);
    }
    return all;
}
