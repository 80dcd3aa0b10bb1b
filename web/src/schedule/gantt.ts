/** Jobs as bars over the units of the machine: a canvas for all, and one above it for those that stand out. */

import { h } from "../dom.ts";
import type { Changed } from "../state.ts";
import type { Context } from "./context.ts";
import type { Schedule } from "./data.ts";
import { focusOf } from "./focus.ts";
import { racksOf } from "./layout.ts";
import type { Outage } from "./outages.ts";
import { paintOf } from "./paint.ts";
import type { ScheduleState } from "./state.ts";
import type { JobStay } from "./stays.ts";
import type { TimeScale } from "./time-scale.ts";

const sizeOfCross = 5;

/** So near to the middle of a cross, in pixels, the pointer is on it. */
const reachOfEnd = 5;

export class Gantt {
    readonly element = h("div", { class: "gantt" });
    private readonly context: Context;
    private readonly index: number;
    private readonly run: Schedule;
    private readonly stays: JobStay[];
    private readonly outages: (Outage & { unit: number })[];
    private readonly scale: TimeScale;
    private leastRatio = 1;
    private readonly canvases = [0, 1].map(() => h("canvas", {}));

    constructor(context: Context, index: number, scale: TimeScale) {
        this.context = context;
        this.index = index;
        this.run = context.runs[index];
        this.stays = this.run.stays.flat();
        this.outages = this.run.outages.filter((each): each is Outage & { unit: number } => each.unit !== null);
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

    /** The run of a job at a place of the element. A cross lies on bars of other jobs, and is meant before them. */
    stayAt(x: number, y: number): JobStay | null {
        const ended = this.stays.find(
            (stay) => stay.isEnded && this.ends(stay).some((at) => Math.hypot(x - at.x, y - at.y) < reachOfEnd),
        );
        return ended ?? this.barAt(x, y);
    }

    private barAt(x: number, y: number): JobStay | null {
        const second = this.scale.secondAt(x);
        const slack = 2 * (this.scale.secondAt(x + 1) - second);
        const unit = this.unitAt(y);
        let best: JobStay | null = null;
        let nearest = Infinity;
        for (const stay of this.stays) {
            const far = Math.max(stay.start - second, second - stay.end, 0);
            if (far > slack || far >= nearest) continue;
            if (!stay.pieces.some(({ from, to }) => from <= unit && unit < to)) continue;
            [best, nearest] = [stay, far];
        }
        return best;
    }

    outageAt(x: number, y: number): Outage | null {
        const second = this.scale.secondAt(x);
        const at = this.outages.filter(({ from, until }) => from <= second && second < until);
        return at.find(({ unit }) => Math.abs(y - this.y(unit + 0.5)) <= this.bandHeight / 2) ?? null;
    }

    private unitAt(y: number): number {
        return ((y - 1) / this.height) * this.run.units;
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
        this.drawOutages(pen);
        const edge = height / run.units > 5 ? 0.5 : 0;
        const seen = this.stays.filter(({ start, end }) => start < to && end > from);
        for (const stay of seen) {
            pen.fillStyle = context.colors.css(run, stay.row, colors, context.theme);
            this.bars(pen, stay, edge);
        }
        for (const stay of seen) if (stay.isEnded) this.drawEnd(pen, stay);
        pen.restore();
        this.drawMarks();
    }

    private bars(pen: CanvasRenderingContext2D, { start, end, pieces }: JobStay, edge: number): void {
        const { scale } = this;
        const x = scale.x(start);
        const width = Math.max(0.75, scale.x(end) - x - (edge ? 0.5 : 0.25));
        for (const { from, to } of pieces) {
            const y = this.y(from);
            pen.fillRect(x, y, width, Math.max(0.75, this.y(to) - y - edge));
        }
    }

    /** Bands of crossed lines, or of stripes where rows are too low for crosses. */
    private drawOutages(pen: CanvasRenderingContext2D): void {
        const { from: first, to: last } = this.context.state;
        pen.fillStyle = this.bandHeight < sizeOfCross ? this.stripes(pen) : this.crosses(pen);
        for (const { unit, from, until } of this.outages) {
            if (!(from < last && until > first)) continue;
            const x = this.scale.x(from);
            const end = this.scale.x(Math.min(until, last));
            pen.fillRect(x, this.y(unit + 0.5) - this.bandHeight / 2, Math.max(0.75, end - x), this.bandHeight);
        }
    }

    /** Where rows are lower, what is out of service reaches into those next to it, below their bars. */
    private get bandHeight(): number {
        return Math.max(3, this.height / this.run.units);
    }

    private crosses(pen: CanvasRenderingContext2D): CanvasPattern {
        const size = sizeOfCross;
        const tile = h("canvas", { width: size, height: size });
        const inTile = tile.getContext("2d")!;
        inTile.strokeStyle = inTile.fillStyle = paintOf(this.context.theme).quiet;
        inTile.globalAlpha = 0.3;
        inTile.fillRect(0, 0, size, size);
        inTile.globalAlpha = 1;
        inTile.stroke(new Path2D(`M0,0L${size},${size}M${size},0L0,${size}`));
        return pen.createPattern(tile, "repeat")!;
    }

    /** No bar of a job has stripes, and few rows of pixels are enough to see them. */
    private stripes(pen: CanvasRenderingContext2D): CanvasPattern {
        const tile = h("canvas", { width: 4, height: 1 });
        const inTile = tile.getContext("2d")!;
        const paint = paintOf(this.context.theme);
        inTile.fillStyle = paint.ground;
        inTile.fillRect(0, 0, 4, 1);
        inTile.fillStyle = paint.ink;
        inTile.fillRect(0, 0, 2, 1);
        return pen.createPattern(tile, "repeat")!;
    }

    /** A cross where an outage ended a run. */
    private drawEnd(pen: CanvasRenderingContext2D, stay: JobStay): void {
        const paint = paintOf(this.context.theme);
        for (const { x, y } of this.ends(stay)) {
            const cross = new Path2D(`M${x - 3},${y - 3}l6,6m0,-6l-6,6`);
            for (const [color, wide] of [[paint.ground, 4] as const, [paint.ink, 1.5] as const]) {
                pen.strokeStyle = color;
                pen.lineWidth = wide;
                pen.stroke(cross);
            }
        }
    }

    /** Where its crosses are. */
    private ends({ end, pieces }: JobStay): { x: number; y: number }[] {
        return pieces.map(({ from, to }) => ({ x: this.scale.x(end), y: this.y((from + to) / 2) }));
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
            for (const stay of run.stays[askedRow]) this.drawWait(pen, stay);
            this.drawJob(pen, askedRow, paint.select, 1.5);
        }
        if (hoveredRow !== null && hoveredRow !== askedRow) this.drawJob(pen, hoveredRow, paint.select, 1);
    }

    /** All its runs. */

    private drawJob(pen: CanvasRenderingContext2D, row: number, color: string, wide: number): void {
        for (const stay of this.run.stays[row]) this.drawStay(pen, stay, color, wide);
    }

    private drawStay(pen: CanvasRenderingContext2D, stay: JobStay, color: string, wide: number): void {
        const { context, run, scale } = this;
        pen.fillStyle = context.colors.css(run, stay.row, context.state.colors, context.theme);
        pen.strokeStyle = color;
        pen.lineWidth = wide;
        this.bars(pen, stay, 0);
        const x = scale.x(stay.start);
        const width = Math.max(1, scale.x(stay.end) - x);
        for (const { from, to } of stay.pieces) {
            const y = this.y(from);
            pen.strokeRect(x - 0.5, y - 0.5, width + 1, Math.max(1.5, this.y(to) - y) + 1);
        }
        if (stay.isEnded) this.drawEnd(pen, stay);
    }

    /** A dashed line from submission, or from the end of the run before, to the start. */
    private drawWait(pen: CanvasRenderingContext2D, { since, start, pieces }: JobStay): void {
        const { scale, context } = this;
        const [piece] = pieces;
        if (!piece || !(start > since)) return;
        const y = this.y((piece.from + piece.to) / 2);
        const x = scale.x(since);
        pen.strokeStyle = pen.fillStyle = paintOf(context.theme).wanted;
        pen.lineWidth = 1.5;
        pen.setLineDash([4, 3]);
        pen.beginPath();
        pen.moveTo(x, y);
        pen.lineTo(scale.x(start), y);
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
