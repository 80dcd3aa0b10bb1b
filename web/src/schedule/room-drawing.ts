/** The drawing of a room at the cursor's time, as shapes of SVG that need no style sheet. */

import { svg } from "../dom.ts";
import { cableShapes } from "./cables.ts";
import type { Context } from "./context.ts";
import { columnsThatFit, type Label, type Layout, layoutOf, rowsThatFit } from "./layout.ts";
import { Nodes } from "./node-drawing.ts";
import { type Box, font, hasNames, Scene } from "./scene.ts";

export interface Drawing {
    shapes: SVGElement[];
    /** Of blocks; none on a plain machine. */
    boxes: Box[];
}

export function drawRoom(context: Context, index: number, width: number, height: number): Drawing {
    if (!context.runs[index].room) return { shapes: new Nodes(context, index, width, height).draw(), boxes: [] };
    return new Blocks(context, index, width, height).draw();
}

/** What a job has of a block. */
interface Part {
    row: number;
    unit: number;
    box: Box;
}

/** Numbers of patterns, which are unique in a document. */
let patterns = 0;

class Blocks extends Scene {
    draw(): Drawing {
        const { run, context } = this;
        const layout = layoutOf(run.room!, run.midplanes, context.state.arrangement, this.width / this.height);
        const { place, shapes } = this.frame(layout);
        const boxes = layout.cells.map(place);
        const idle = boxes.map((box, unit) => this.block(box, unit));
        const parts = this.now.running.flatMap((row) => this.parts(row, boxes));
        const jobs = parts.map((part) => this.job(part));
        const out = this.outOfService(boxes);
        const ids = parts.flatMap(({ row, box, unit }) =>
            this.jobLabel(row, box, hasNames(box), { "data-unit": unit }),
        );
        const through = this.now.running.flatMap((row) => this.passedThrough(row, boxes));
        const names = boxes.flatMap((box, unit) => this.name(box, unit) ?? []);
        const marks = this.marks(boxes);
        const { below, above } = cableShapes(this, boxes);
        const ground = [...below, ...shapes, ...idle];
        return { shapes: [...ground, ...jobs, ...out, ...through, ...above, ...names, ...ids, ...marks], boxes };
    }

    /** Labels of rows and columns, and what places cells between them. */
    private frame(layout: Layout): { place: (cell: { x: number; y: number }) => Box; shapes: SVGElement[] } {
        const hasGroups = (labels: Layout["rows"]) => labels.some(({ isGroup }) => isGroup);
        const left = layout.rows.length > 0 ? (hasGroups(layout.rows) ? 62 : 46) : 12;
        const top = layout.columns.length > 0 ? (hasGroups(layout.columns) ? 32 : 18) : 8;
        const [right, bottom] = [12, 8];
        const stepX = (this.width - left - right) / layout.width;
        const stepY = Math.min((this.height - top - bottom) / layout.height, 90);
        const place = ({ x, y }: { x: number; y: number }) => ({
            x: left + x * stepX,
            y: top + y * stepY,
            width: stepX,
            height: stepY,
        });
        const shown = (labels: Label[], fit: typeof rowsThatFit, step: number) => [
            ...fit(
                labels.filter(({ isGroup }) => isGroup),
                step,
            ),
            ...fit(
                labels.filter(({ isGroup }) => !isGroup),
                step,
            ),
        ];
        const columns = shown(layout.columns, columnsThatFit, stepX).map(({ at, text, isGroup }) =>
            this.text(left + at * stepX, isGroup || !hasGroups(layout.columns) ? 12 : 26, text, "middle", isGroup),
        );
        const rows = shown(layout.rows, rowsThatFit, stepY).map(({ at, text, isGroup }) =>
            this.text(
                isGroup || !hasGroups(layout.rows) ? 10 : left - 8,
                top + at * stepY + 4,
                text,
                isGroup || !hasGroups(layout.rows) ? "start" : "end",
                isGroup,
            ),
        );
        return { place, shapes: [...columns, ...rows] };
    }

    private text(x: number, y: number, text: string, anchor: string, isGroup = false): SVGElement {
        const fill = isGroup ? this.paint.ink : this.paint.quiet;
        // Readable on cables.
        const halo = { stroke: this.paint.ground, "stroke-width": 3, "paint-order": "stroke" };
        const style = { fill, "font-size": 11, "font-family": font };
        return svg("text", { x, y, "text-anchor": anchor, ...style, ...halo }, text);
    }

    private block({ x, y, width, height }: Box, unit: number): SVGElement {
        const { idle, idleLine } = this.paint;
        return svg("rect", { x, y, width, height, rx: 3, fill: idle, stroke: idleLine, "data-unit": unit });
    }

    /** A job's share of each block; of a whole block it is all. */
    private parts(row: number, boxes: Box[]): Part[] {
        const parts: Part[] = [];
        for (const { from, to } of this.now.stay(row).pieces) {
            for (let unit = Math.floor(from); unit < to && unit < boxes.length; unit++) {
                const [low, high] = [Math.max(from, unit) - unit, Math.min(to, unit + 1) - unit];
                const { x, y, width, height } = boxes[unit];
                parts.push({ row, unit, box: { x: x + low * width, y, width: (high - low) * width, height } });
            }
        }
        return parts;
    }

    private job({ row, unit, box }: Part): SVGElement {
        const style = { rx: 3, fill: this.color(row), opacity: this.isBack(row) ? 0.28 : 1, stroke: this.paint.ground };
        return svg("rect", { ...box, ...style, "data-unit": unit, "data-job": row });
    }

    /** Names of blocks: above the job where there is room, else only of idle ones. */
    private name(box: Box, unit: number): SVGElement | null {
        const holders = this.now.in(unit);
        const name = this.run.unitName(unit);
        const isIdle = holders.length === 0;
        if (box.width < name.length * 5.2 || box.height < 12 || (!isIdle && !hasNames(box))) return null;
        const fill = isIdle ? this.paint.quiet : this.ink(holders[0]);
        const opacity = isIdle ? 0.9 : this.isBack(holders[0]) ? 0.3 : 0.75;
        const y = box.y + (isIdle ? box.height / 2 + 3 : 12);
        const at = { x: box.x + box.width / 2, y, "text-anchor": "middle", fill, opacity };
        // Readable on stripes.
        const halo: Record<string, string | number> = isIdle
            ? { stroke: this.paint.idle, "stroke-width": 3, "paint-order": "stroke" }
            : {};
        return svg("text", { ...at, ...halo, "font-size": 9, "font-family": font, "pointer-events": "none" }, name);
    }

    /** Crossed lines. */
    private outOfService(boxes: Box[]): SVGElement[] {
        const units = this.now.outages.map(({ unit }) => unit).filter((unit) => unit !== null);
        if (units.length === 0) return [];
        const id = `torusim-out-${++patterns}`;
        const pattern = svg("pattern", { id, width: 7, height: 7, patternUnits: "userSpaceOnUse" });
        pattern.append(svg("path", { d: "M0,0L7,7M7,0L0,7", stroke: this.paint.quiet }));
        const crossed = units.map((unit) => {
            const style = { rx: 3, fill: `url(#${id})`, stroke: this.paint.quiet, "pointer-events": "none" };
            return svg("rect", { ...boxes[unit], ...style, "data-out": unit });
        });
        return [pattern, ...crossed];
    }

    /** Stripes in the color of the job whose cables pass. */
    private passedThrough(row: number, boxes: Box[]): SVGElement[] {
        const passed = new Set(this.now.stay(row).partition?.passedThrough ?? []);
        if (passed.size === 0) return [];
        const id = `torusim-through-${++patterns}`;
        const pattern = svg("pattern", {
            id,
            width: 7,
            height: 7,
            patternUnits: "userSpaceOnUse",
            patternTransform: "rotate(45)",
        });
        pattern.append(svg("rect", { width: 2.5, height: 7, fill: this.color(row) }));
        const stripes = [...passed].map((unit) => {
            const { x, y, width, height } = boxes[unit];
            const opacity = this.isBack(row) ? 0.2 : this.now.in(unit).length > 0 ? 0.6 : 0.95;
            const box = { x: x + 1, y: y + 1, width: width - 2, height: height - 2, rx: 2 };
            return svg("rect", { ...box, fill: `url(#${id})`, opacity, "pointer-events": "none" });
        });
        return [pattern, ...stripes];
    }

    private marks(boxes: Box[]): SVGElement[] {
        const { focus, paint } = this;
        if (!focus) return [];
        const outline = (unit: number, stroke: string, dash = "") => {
            const { x, y, width, height } = boxes[unit];
            const box = { x: x - 1, y: y - 1, width: width + 2, height: height + 2, rx: 4, fill: "none" };
            return svg("rect", {
                ...box,
                stroke,
                "stroke-width": 2,
                "stroke-dasharray": dash,
                "pointer-events": "none",
            });
        };
        const wanted = (focus.wanted?.midplanes ?? []).map((unit) => outline(unit, paint.wanted, "6 3"));
        const own = focus.unit === null ? [] : [outline(focus.unit, paint.select)];
        return [...wanted, ...own, ...this.outlined(boxes)];
    }

    /** The parts of the jobs that are asked and under the pointer. */
    private outlined(boxes: Box[]): SVGElement[] {
        const { context, run } = this;
        const { hovered } = context.state;
        const rows = [context.askedRow(run), hovered === null ? null : run.row(hovered)];
        const running = [...new Set(rows)].filter((row) => row !== null && this.now.isRunning(row)) as number[];
        return running.flatMap((row) =>
            this.parts(row, boxes).map(({ box: { x, y, width, height } }) => {
                const frame = { x: x - 1, y: y - 1, width: width + 2, height: height + 2, rx: 4, fill: "none" };
                return svg("rect", {
                    ...frame,
                    stroke: this.paint.select,
                    "stroke-width": 2,
                    "pointer-events": "none",
                });
            }),
        );
    }
}
