/** The key of curves: the time that its numbers are of, and for each curve its line, name and value. */

import { h, replace, svg } from "./dom.ts";

export interface KeyItem {
    label: string;
    value: string;
    color: string;
    dash: readonly number[];
}

export class ChartKey {
    readonly element = h("div", { class: "chart-key" });

    /** `when` says what the values are: a mean, and of what time. */
    show(when: string, items: KeyItem[]): void {
        const parts = items.map((item) =>
            h("span", { class: "item" }, sampleOf(item), `${item.label} `, h("strong", {}, item.value)),
        );
        replace(this.element, h("span", { class: "when" }, when), ...parts);
    }
}

function sampleOf({ color, dash }: KeyItem): SVGElement {
    const line = {
        x1: 0,
        x2: 18,
        y1: 4,
        y2: 4,
        stroke: color,
        "stroke-width": 2.5,
        "stroke-dasharray": dash.join(" "),
    };
    const sample = svg("svg", { class: "sample", width: 18, height: 8, "aria-hidden": "true" });
    sample.append(svg("line", line));
    return sample;
}
