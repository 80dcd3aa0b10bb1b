/** Where seconds are drawn: the Gantt charts and the curves share it. */

import type { Context } from "./context.ts";

export const margins = { left: 62, right: 56 };

export class TimeScale {
    private readonly context: Context;
    private readonly element: HTMLElement;

    constructor(context: Context, element: HTMLElement) {
        this.context = context;
        this.element = element;
    }

    get left(): number {
        return margins.left;
    }

    get width(): number {
        return Math.max(1, this.element.clientWidth - margins.left - margins.right);
    }

    x(second: number): number {
        const { from, to } = this.context.state;
        return this.left + ((second - from) / (to - from)) * this.width;
    }

    secondAt(x: number): number {
        const { from, to } = this.context.state;
        return from + ((x - this.left) / this.width) * (to - from);
    }
}
