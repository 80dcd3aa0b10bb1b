/** Colors and widths of links and nodes, from the values that the state chooses. */

import type { Context } from "../context.ts";
import type { RunData } from "../data/run.ts";
import { colorAt, fixed, groupColor, paint, paintTable, type Theme } from "./colors.ts";
import type { Rgb, Words } from "./types.ts";

/** How far links step back toward the ground when something is drawn above them. */
const steppedBack = 0.72;

export function linkWords(context: Context, run: RunData, values: Float64Array, isBack: boolean): Words {
    const { scale, theme } = context;
    const table = paintTable(scale.isDifference ? "differences" : "values", theme);
    const dead = new Uint32Array([paint(fixed[theme].dead, 0.3)]);
    if (isBack) for (const words of [table, dead]) stepBack(words, theme);
    const words = new Uint32Array(values.length);
    const factor = 255 / (scale.high - scale.low);
    const { threshold } = context;
    const { low } = scale;
    for (let link = 0; link < values.length; link++) {
        const value = values[link];
        if (threshold > 0 && Math.abs(value) < threshold) continue;
        const place = ((value - low) * factor + 0.5) | 0; // rounded; 0 for dead links, which have no value
        words[link] = table[Math.min(255, Math.max(0, place))];
    }
    // A link that is dead in one of two runs has no difference.
    for (const { deadLinks } of context.isDifference ? context.runs : [run]) {
        for (const link of deadLinks) words[link] = dead[0];
    }
    return words;
}

function stepBack(words: Words, theme: Theme): void {
    const ground = fixed[theme].ground;
    words.forEach((word, i) => {
        const mixed = [0, 1, 2].map((k) => {
            const part = (word >>> (8 * k)) & 255;
            return Math.round(part + (ground[k] - part) * steppedBack);
        }) as unknown as Rgb;
        words[i] = paint(mixed, (word >>> 24) / 255);
    });
}

export function nodeWords(context: Context, run: RunData): Words {
    const { theme, state } = context;
    const words = new Uint32Array(run.machine.nodes);
    if (state.nodes === "hidden") return words;
    const color = nodeColors(run, state.nodes, theme);
    for (let node = 0; node < words.length; node++) {
        const own = color(node);
        words[node] = paint(own ?? fixed[theme].node, own ? 1 : 0.5);
    }
    return words;
}

/** The color of a node, or null where it has none of its own. */
function nodeColors(run: RunData, by: string, theme: Theme): (node: number) => Rgb | null {
    const { ranks, nodes } = run;
    if (by === "rank" && ranks) {
        const last = Math.max(1, ranks.node.length - 1);
        return (node) => {
            const first = ranks.on.get(node)?.[0];
            return first === undefined ? null : colorAt("values", theme, first / last);
        };
    }
    if (by === "group" && ranks) {
        return (node) => {
            const first = ranks.on.get(node)?.[0];
            return first === undefined ? null : groupColor(ranks.group[first]);
        };
    }
    if ((by === "injected" || by === "delivered") && nodes) {
        const counts = nodes[by];
        const most = counts.reduce((a, b) => Math.max(a, b), 1);
        return (node) => colorAt("values", theme, counts[node] / most);
    }
    return () => null;
}
