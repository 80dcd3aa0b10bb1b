/** What all drawings of a run's machine know: who runs, what stands out, and colors. */

import { svg } from "../dom.ts";
import { inkOn } from "./colors.ts";
import type { Context } from "./context.ts";
import type { Schedule } from "./data.ts";
import { type Focus, focusOf } from "./focus.ts";
import type { Instant } from "./instant.ts";
import { type Paint, paintOf } from "./paint.ts";

export interface Box {
    x: number;
    y: number;
    width: number;
    height: number;
}

export const font = "system-ui, sans-serif";

export class Scene {
    readonly context: Context;
    readonly run: Schedule;
    readonly now: Instant;
    readonly focus: Focus | null;
    readonly paint: Paint;
    readonly width: number;
    readonly height: number;

    constructor(context: Context, index: number, width: number, height: number) {
        this.context = context;
        this.run = context.runs[index];
        this.now = context.at(index);
        this.focus = focusOf(context, index);
        this.paint = paintOf(context.theme);
        this.width = width;
        this.height = height;
    }

    color(row: number): string {
        return this.context.colors.css(this.run, row, this.context.state.colors, this.context.theme);
    }

    ink(row: number): string {
        return inkOn(this.context.colors.of(this.run, row, this.context.state.colors, this.context.theme));
    }

    isBack(row: number): boolean {
        return this.focus !== null && !this.focus.isSoft && !this.focus.jobs.has(row);
    }

    /** The job's number, where it can be read; below the block's name where there is one. */
    jobLabel(row: number, box: Box, isBelowName: boolean, hit: Record<string, number>): SVGElement[] {
        const id = String(this.run.jobs.id[row]);
        const size = Math.min(12, box.height - 4, (box.width - 4) / (id.length * 0.64));
        if (size < 8) return [];
        const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 + size * (isBelowName ? 0.75 : 0.36) };
        const style = { fill: this.ink(row), "font-size": size, "font-family": font, "font-weight": 650 };
        const rest = { ...hit, "data-job": row, opacity: this.isBack(row) ? 0.4 : 1 };
        return [svg("text", { ...at, ...style, ...rest, "text-anchor": "middle" }, id)];
    }
}

/** Whether a block has room for its name above the job. */
export function hasNames({ width, height }: Box): boolean {
    return width >= 44 && height >= 34;
}
