/** What colors and widths mean, with numbers and units. */

import type { Context, Panel } from "../context.ts";
import { h, replace } from "../dom.ts";
import { count, partsOf, tickText } from "../format.ts";
import { type NodeKey, nodeKeyOf } from "../node-key.ts";
import { colorAt, css, fixed } from "../picture/colors.ts";

export function legend(context: Context): Panel {
    const element = h("div", { class: "legend" });
    const update = () => replace(element, ...parts(context));
    return { element, update };
}

function parts(context: Context): (HTMLElement | null)[] {
    const { quantity, scale, runs } = context;
    const what = scale.isDifference ? `${quantity.label}: second run minus first` : quantity.label;
    const when = context.isOfTime ? "at the slider's time" : quantity.when;
    const unit = { share: "%", cycles: "cycles", count: "" }[quantity.unit];
    const hasDead = runs.some((run) => run.deadLinks.size > 0 || run.machine.deadNodes.size > 0);
    return [
        h(
            "div",
            { class: "legend-title" },
            h("b", {}, what),
            unit && ` (${unit})`,
            h("span", { class: "quiet when" }, when),
        ),
        h("div", { class: "bar", style: `background: ${gradient(context)}` }),
        h("div", { class: "ticks" }, ...ticksOf(context).map((text) => h("span", {}, text))),
        h("div", { class: "quiet" }, "Wider is more. Each direction has its own line, wide where it begins."),
        hasDead
            ? h(
                  "div",
                  {},
                  h("span", { class: "dead-key", style: `--dead: ${css(fixed[context.theme].dead)}` }),
                  " dead link, ✕ dead node",
              )
            : null,
        nodeKey(context),
    ];
}

function ticksOf({ quantity, scale }: Context): string[] {
    const isShare = quantity.unit === "share";
    const parts = isShare ? 4 : partsOf(scale.high);
    // A difference has its zero in the middle.
    const steps = scale.isDifference && parts !== 4 ? 2 : parts;
    const values = Array.from({ length: steps + 1 }, (_, i) => scale.low + (i / steps) * (scale.high - scale.low));
    return values.map((value) => (isShare ? count(Math.round(1000 * value) / 10) : tickText(value, scale.high)));
}

export function gradient(context: Context): string {
    const map = context.scale.isDifference ? "differences" : "values";
    const stops = Array.from({ length: 11 }, (_, i) => css(colorAt(map, context.theme, i / 10)));
    return `linear-gradient(to right, ${stops.join(", ")})`;
}

function nodeKey(context: Context): HTMLElement | null {
    const key = nodeKeyOf(context);
    if (!key) return null;
    const item = ({ color, name }: NodeKey["items"][number]) =>
        h("span", { class: "item" }, h("i", { style: `background: ${css(color)}` }), ` ${name}`);
    return h("div", { class: "node-key" }, key.text, ...key.items.map(item));
}
