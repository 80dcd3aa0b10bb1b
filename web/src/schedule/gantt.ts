/** Jobs as bars over the units of the machine: a canvas for all, and one above it for those that stand out. */

import { h } from "../dom.ts";
import type { Changed } from "../state.ts";
import type { Context } from "./context.ts";
import type { Schedule } from "./data.ts";
import { focusOf } from "./focus.ts";
import { racksOf } from "./layout.ts";
import { paintOf } from "./paint.ts";
import type { ScheduleState } from "./state.ts";
import type { TimeScale } from "./time-scale.ts";

export class Gantt {
    readonly element = h("div", { class: "gantt" });
    private readonly context: Context;
    private readonly index: number;
    private readonly run: Schedule;
    private readonly scale: TimeScale;
    private leastRatio = 1;
    private readonly canvases = [0, 1].map(() => h("canvas", {}));

    constructor(context: Context, index: number, scale: TimeScale) {
        this.context = context;
        this.index = index;
        this.run = context.runs[index];
        this.scale = scale;
        this.element.append(...this.canvases);
        this.element.setAttribute("role", "img");
        this.element.setAttribute("aria-label", `Jobs of ${this.run.name} over time`);
        new ResizeObserver(() => this.draw()).observe(this.element);
    }

    update(changed: Changed<ScheduleState>): void {
        const has = (...keys: (keyof ScheduleState)[]) => keys.some((key) => changed.has(key));
        if (has("from", "to", "colors", "theme")) this.draw();
        else if (has("asked", "hovered") || (has("time") && this.context.state.asked)) this.drawMarks();
    }

    /** Draws for a moment with so many pixels for each of the page; then as before. */
    drawFinely(ratio: number, use: (canvases: HTMLCanvasElement[]) => void): void {
        this.leastRatio = ratio;
        this.draw();
        use(this.canvases);
        this.leastRatio = 1;
        this.draw();
    }

    private get height(): number {
        return this.element.clientHeight - 2;
    }

    /** The job at a place of the element, as a row. */
    jobAt(x: number, y: number): number | null {
        const second = this.scale.secondAt(x);
        const slack = 2 * (this.scale.secondAt(x + 1) - second);
        const unit = ((y - 1) / this.height) * this.run.units;
        const { start, end } = this.run.jobs;
        let best: number | null = null;
        let nearest = Infinity;
        for (let row = 0; row < this.run.pieces.length; row++) {
            const far = Math.max(start[row] - second, second - end[row], 0);
            if (!(far <= slack) || far >= nearest) continue;
            if (!this.run.pieces[row].some(({ from, to }) => from <= unit && unit < to)) continue;
            [best, nearest] = [row, far];
        }
        return best;
    }

    private pen(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
        const ratio = Math.max(this.leastRatio, devicePixelRatio);
        const [width, height] = [this.element.clientWidth, this.element.clientHeight];
        [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
        const pen = canvas.getContext("2d")!;
        pen.setTransform(ratio, 0, 0, ratio, 0, 0);
        return pen;
    }

    draw(): void {
        if (this.element.clientWidth === 0) return;
        const { context, run, scale, height } = this;
        const pen = this.pen(this.canvases[0]);
        const paint = paintOf(context.theme);
        pen.fillStyle = paint.idle;
        pen.fillRect(scale.left, 1, scale.width, height);
        this.drawGroups(pen);
        pen.save();
        pen.beginPath();
        pen.rect(scale.left, 0, scale.width, height + 2);
        pen.clip();
        const { colors, from, to } = context.state;
        const { start, end } = run.jobs;
        const edge = height / run.units > 5 ? 0.5 : 0;
        for (let row = 0; row < run.pieces.length; row++) {
            if (!(start[row] < to && end[row] > from)) continue;
            pen.fillStyle = context.colors.css(run, row, colors, context.theme);
            this.bars(pen, row, edge);
        }
        pen.restore();
        this.drawMarks();
    }

    private bars(pen: CanvasRenderingContext2D, row: number, edge: number): void {
        const { start, end } = this.run.jobs;
        const { scale } = this;
        const x = scale.x(start[row]);
        const width = Math.max(0.75, scale.x(end[row]) - x - (edge ? 0.5 : 0.25));
        for (const { from, to } of this.run.pieces[row]) {
            const y = this.y(from);
            pen.fillRect(x, y, width, Math.max(0.75, this.y(to) - y - edge));
        }
    }

    private y(unit: number): number {
        return 1 + (unit / this.run.units) * this.height;
    }

    /** Lines between groups of blocks with their names, or between numbers of nodes. */
    private drawGroups(pen: CanvasRenderingContext2D): void {
        const { scale, run, context } = this;
        const paint = paintOf(context.theme);
        pen.font = "11px system-ui, sans-serif";
        pen.textAlign = "right";
        pen.textBaseline = "middle";
        let free = -Infinity;
        for (const { from, to, text } of groupsOf(run)) {
            pen.fillStyle = paint.line;
            if (from > 0) pen.fillRect(scale.left - 6, this.y(from) - 0.5, scale.width + 6, 1);
            const middle = this.y((from + to) / 2);
            if (middle < free + 13) continue;
            free = middle;
            pen.fillStyle = paint.quiet;
            pen.fillText(text, scale.left - 8, middle);
        }
    }

    /** What is asked and what is under the pointer, with the wait before it. */
    private drawMarks(): void {
        if (this.element.clientWidth === 0) return;
        const { context, run, scale } = this;
        const pen = this.pen(this.canvases[1]);
        const { asked, hovered } = context.state;
        const paint = paintOf(context.theme);
        pen.beginPath();
        pen.rect(scale.left, 0, scale.width, this.height + 2);
        pen.clip();
        const unit = context.askedUnit(run);
        if (unit !== null) {
            pen.strokeStyle = paint.select;
            pen.strokeRect(scale.left, this.y(unit) - 0.5, scale.width, this.y(unit + 1) - this.y(unit) + 1);
        }
        const askedRow = asked && "job" in asked ? run.row(asked.job) : null;
        const focus = focusOf(context, this.index);
        const holders = focus?.waits ? [...focus.jobs] : [];
        const hoveredRow = hovered === null ? null : run.row(hovered);
        if (askedRow !== null) {
            pen.fillStyle = context.theme === "dark" ? "#0d111799" : "#ffffff99";
            pen.fillRect(scale.left, 0, scale.width, this.height + 2);
            for (const row of holders) this.drawJob(pen, row, paint.wanted, 1);
            this.drawWait(pen, askedRow);
            this.drawJob(pen, askedRow, paint.select, 1.5);
        }
        if (hoveredRow !== null && hoveredRow !== askedRow) this.drawJob(pen, hoveredRow, paint.select, 1);
    }

    private drawJob(pen: CanvasRenderingContext2D, row: number, color: string, wide: number): void {
        const { context, run, scale } = this;
        const { start, end } = run.jobs;
        pen.fillStyle = context.colors.css(run, row, context.state.colors, context.theme);
        pen.strokeStyle = color;
        pen.lineWidth = wide;
        this.bars(pen, row, 0);
        const x = scale.x(start[row]);
        const width = Math.max(1, scale.x(end[row]) - x);
        for (const { from, to } of run.pieces[row]) {
            const y = this.y(from);
            pen.strokeRect(x - 0.5, y - 0.5, width + 1, Math.max(1.5, this.y(to) - y) + 1);
        }
    }

    /** A dashed line from submission to start. */
    private drawWait(pen: CanvasRenderingContext2D, row: number): void {
        const { scale, run, context } = this;
        const { submit, start } = run.jobs;
        const piece = run.pieces[row][0];
        if (!piece || !(start[row] > submit[row])) return;
        const y = this.y((piece.from + piece.to) / 2);
        const x = scale.x(submit[row]);
        pen.strokeStyle = pen.fillStyle = paintOf(context.theme).wanted;
        pen.lineWidth = 1.5;
        pen.setLineDash([4, 3]);
        pen.beginPath();
        pen.moveTo(x, y);
        pen.lineTo(scale.x(start[row]), y);
        pen.stroke();
        pen.setLineDash([]);
        pen.fillRect(x - 1, y - 5, 2, 10);
    }
}

interface Group {
    from: number;
    to: number;
    text: string;
}

/** Blocks that begin alike and stand in a row of the table; on a plain machine, tenths or so of its nodes. */
function groupsOf(run: Schedule): Group[] {
    const { units, midplanes, room } = run;
    if (!room || midplanes.length === 0) return parts(units, (at) => `node ${at}`);
    if (room.is_switched) return parts(units, (at) => run.unitName(at));
    const texts =
        racksOf(midplanes)?.map(({ row }) => `Row ${row}`) ??
        midplanes.map(({ place }) => `${room.dimensions[0].name} ${place[0]}`);
    const groups: Group[] = [];
    texts.forEach((text, unit) => {
        const last = groups[groups.length - 1];
        if (last?.text === text) last.to = unit + 1;
        else groups.push({ from: unit, to: unit + 1, text });
    });
    const isWhole = new Set(groups.map(({ text }) => text)).size === groups.length;
    return isWhole ? groups : groups.map((group) => ({ ...group, text: racksText(run, group) }));
}

/** Half a row of racks: from the first rack to the last. */
function racksText({ midplanes }: Schedule, { from, to }: Group): string {
    const racks = midplanes.slice(from, to).map(({ name }) => name.split("-")[0]);
    racks.sort();
    return `${racks[0]}–${racks[racks.length - 1]}`;
}

function parts(units: number, text: (at: number) => string): Group[] {
    const step = [1, 2, 4, 5, 8, 10]
        .map((size) => size * 10 ** Math.floor(Math.log10(units / 4)))
        .find((size) => units / size <= 8)!;
    const whole = Math.max(1, Math.round(step));
    return Array.from({ length: Math.ceil(units / whole) }, (_, i) => {
        const from = i * whole;
        return { from, to: Math.min(units, from + whole), text: text(from) };
    });
}
