/** Gantt charts and curves over the same seconds, with one cursor; wheel and drag move the window. */

import { h } from "../dom.ts";
import type { Changed } from "../state.ts";
import type { Tip } from "../tip.ts";
import type { Context, Part } from "./context.ts";
import { Curves } from "./curves.ts";
import type { Schedule } from "./data.ts";
import { Gantt } from "./gantt.ts";
import { outageLine } from "./outages.ts";
import type { Asked, ScheduleState } from "./state.ts";
import { TimeScale } from "./time-scale.ts";
import { stayLines } from "./tips.ts";

export interface Timeline extends Part {
    /** Draws it as it is seen, with so many pixels for each of the page. */
    paint(pen: CanvasRenderingContext2D, ratio: number): Promise<void>;
    dispose(): void;
}

export function timeline(context: Context, tip: Tip): Timeline {
    const cursor = h("div", { class: "cursor" });
    const range = h("div", { class: "range", hidden: true });
    const element = h("div", { class: "timeline" });
    const scale = new TimeScale(context, element);
    const gantts = context.runs.map((_, index) => new Gantt(context, index, scale));
    const curves = new Curves(context);
    const named = gantts.map((gantt, index) => {
        const name = context.runs.length > 1 ? h("span", { class: "gantt-name" }, context.runs[index].name) : null;
        const box = h("div", { class: "gantt-box" }, gantt.element, name);
        pointer(context, scale, gantt, index, box, range, tip);
        return box;
    });
    seek(context, scale, curves.element);
    element.append(...named, curves.element, cursor, range);
    element.addEventListener("wheel", (event) => zoom(context, scale, element, event), { passive: false });
    const place = () => {
        const x = scale.x(context.state.time);
        cursor.hidden = x < scale.left - 1 || x > scale.left + scale.width + 1;
        cursor.style.transform = `translateX(${x}px)`;
    };
    new ResizeObserver(place).observe(element);
    const update = (changed: Changed<ScheduleState>) => {
        for (const part of [...gantts, curves]) part.update(changed);
        place();
    };
    return {
        element,
        update,
        paint: (pen, ratio) => paint(element, gantts, curves, pen, ratio),
        dispose: () => curves.dispose(),
    };
}

/** The canvases where they are, with the names of the runs and the cursor. */
async function paint(
    element: HTMLElement,
    gantts: Gantt[],
    curves: Curves,
    pen: CanvasRenderingContext2D,
    ratio: number,
): Promise<void> {
    const frame = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    pen.fillStyle = style.backgroundColor;
    pen.fillRect(0, 0, frame.width, frame.height);
    const put = (canvas: HTMLCanvasElement, place: Element | null) => {
        const box = place?.getBoundingClientRect();
        if (box) pen.drawImage(canvas, box.left - frame.left, box.top - frame.top, box.width, box.height);
    };
    for (const gantt of gantts) gantt.drawFinely(ratio, (canvases) => canvases.forEach((each) => void put(each, each)));
    const place = curves.element.querySelector("canvas");
    if (place) put(await curves.drawnFinely(ratio), place);
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = style.getPropertyValue("--ink");
    for (const name of element.querySelectorAll(".gantt-name")) {
        const box = name.getBoundingClientRect();
        pen.fillText(name.textContent ?? "", box.left - frame.left + 6, box.bottom - frame.top - 5);
    }
    const cursor = element.querySelector<HTMLElement>(".cursor:not([hidden])")?.getBoundingClientRect();
    if (cursor) pen.fillRect(cursor.left - frame.left, cursor.top - frame.top, cursor.width, cursor.height);
    keyOfCurves(element, frame, pen);
}

/** The key below the curves, as texts next to their lines. */
function keyOfCurves(element: HTMLElement, frame: DOMRect, pen: CanvasRenderingContext2D): void {
    const ink = getComputedStyle(element).getPropertyValue("--ink");
    pen.font = "11px system-ui, sans-serif";
    for (const part of element.querySelectorAll(".chart-key > span")) {
        const [box, line] = [part.getBoundingClientRect(), part.querySelector("line")];
        const [x, y] = [box.left - frame.left, box.bottom - frame.top - 4];
        pen.fillStyle = ink;
        pen.fillText(part.textContent ?? "", line ? x + 22 : x, y);
        if (line) drawSample(line, x, y - 4, pen);
    }
}

function drawSample(line: Element, x: number, y: number, pen: CanvasRenderingContext2D): void {
    pen.strokeStyle = line.getAttribute("stroke") ?? "";
    pen.lineWidth = 2.5;
    pen.setLineDash((line.getAttribute("stroke-dasharray") ?? "").split(" ").filter(Boolean).map(Number));
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + 18, y);
    pen.stroke();
    pen.setLineDash([]);
}

/** The wheel zooms about the pointer; sideways, or with shift, it moves. */
function zoom(context: Context, scale: TimeScale, element: HTMLElement, event: WheelEvent): void {
    event.preventDefault();
    const { from, to } = context.state;
    // With shift some browsers give the wheel's turn as sideways, others as it is.
    const [sideways, upwards] = event.shiftKey ? [event.deltaX + event.deltaY, 0] : [event.deltaX, event.deltaY];
    if (Math.abs(sideways) > Math.abs(upwards)) {
        const by = (sideways / scale.width) * (to - from);
        context.show(from + by, to + by);
        return;
    }
    const at = scale.secondAt(event.clientX - element.getBoundingClientRect().left);
    const factor = 1.0015 ** upwards;
    context.show(at - (at - from) * factor, at + (to - at) * factor);
}

/** In a Gantt chart: a click moves the cursor and asks the job or what is out of service, a drag moves the window, with shift it chooses one. */
function pointer(
    context: Context,
    scale: TimeScale,
    gantt: Gantt,
    index: number,
    box: HTMLElement,
    range: HTMLElement,
    tip: Tip,
): void {
    let down: { x: number; from: number; to: number; isRange: boolean } | null = null;
    let isDrag = false;
    const at = (event: PointerEvent | MouseEvent) => {
        const frame = gantt.element.getBoundingClientRect();
        return { x: event.clientX - frame.left, y: event.clientY - frame.top };
    };
    const run = context.runs[index];
    box.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        const { from, to } = context.state;
        down = { x: at(event).x, from, to, isRange: event.shiftKey };
        isDrag = false;
        box.setPointerCapture(event.pointerId);
    });
    box.addEventListener("pointermove", (event) => {
        const { x, y } = at(event);
        if (!down) return hover(x, y, event);
        isDrag ||= Math.abs(x - down.x) > 3;
        if (!isDrag) return;
        tip.hide();
        if (down.isRange) return mark(down.x, x);
        const by = ((down.x - x) / scale.width) * (down.to - down.from);
        context.show(down.from + by, down.to + by);
    });
    box.addEventListener("pointerup", (event) => {
        const { x, y } = at(event);
        if (down && isDrag && down.isRange) {
            const [a, b] = [scale.secondAt(down.x), scale.secondAt(x)];
            context.show(Math.min(a, b), Math.max(a, b));
        } else if (down && !isDrag && x >= scale.left) click(x, y);
    });
    // After the button is up, and also when the browser takes the pointer.
    box.addEventListener("lostpointercapture", () => {
        range.hidden = true;
        down = null;
    });
    box.addEventListener("pointerleave", () => {
        context.store.set({ hovered: null });
        tip.hide();
    });
    box.addEventListener("dblclick", () => context.show(...context.span));

    function hover(x: number, y: number, event: PointerEvent): void {
        const stay = x < scale.left ? null : gantt.stayAt(x, y);
        const outage = x < scale.left ? null : gantt.outageAt(x, y);
        context.store.set({ hovered: stay && run.jobs.id[stay.row] });
        tip.show(event, stay ? stayLines(run, stay) : outage ? [outageLine(run, outage)] : []);
    }

    function click(x: number, y: number): void {
        context.go(scale.secondAt(x));
        context.ask(askedAt(gantt, run, x, y), index);
    }

    function mark(a: number, b: number): void {
        range.hidden = false;
        range.style.left = `${Math.min(a, b)}px`;
        range.style.width = `${Math.abs(b - a)}px`;
    }
}

function askedAt(gantt: Gantt, run: Schedule, x: number, y: number): Asked {
    const stay = gantt.stayAt(x, y);
    if (stay) return { job: run.jobs.id[stay.row] };
    const unit = gantt.outageAt(x, y)?.unit ?? null;
    const midplane = unit === null ? undefined : run.midplanes[unit];
    return midplane ? { midplane: midplane.name } : null;
}

/** Pressing or dragging in the curves moves the cursor. */
function seek(context: Context, scale: TimeScale, element: HTMLElement): void {
    const go = (event: PointerEvent) => {
        const x = event.clientX - element.getBoundingClientRect().left;
        context.go(scale.secondAt(Math.min(scale.left + scale.width, Math.max(scale.left, x))));
    };
    element.addEventListener("pointerdown", (event) => {
        if (event.button !== 0 || (event.target as Element).closest(".chart-key")) return;
        element.setPointerCapture(event.pointerId);
        go(event);
    });
    element.addEventListener("pointermove", (event) => {
        if (event.buttons & 1) go(event);
    });
}
