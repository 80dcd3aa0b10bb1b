/** What the colors of nodes mean, for the legend of the page and for that of saved pictures. */

import type { Context } from "./context.ts";
import { count } from "./format.ts";
import { groupColor, groupColors } from "./picture/colors.ts";
import type { Rgb } from "./picture/types.ts";

export interface NodeKey {
    text: string;
    items: { color: Rgb; name: string }[];
}

/** Null where nodes have one color. */
export function nodeKeyOf({ run, state }: Context): NodeKey | null {
    const { ranks, nodes } = run;
    if (state.nodes === "group" && ranks) {
        const all = [...new Set(ranks.group)].sort((a, b) => a - b);
        const shown = all.slice(0, groupColors.length);
        const again = all.length > shown.length ? ` (colors repeat after ${shown.length})` : "";
        return {
            text: `Nodes by ${ranks.areOfOneProgram ? "group" : "job"}${again}: `,
            items: shown.map((group) => ({ color: groupColor(group), name: ranks.groupName(group) })),
        };
    }
    if (state.nodes === "rank" && ranks) {
        return { text: `Nodes by first rank: 0 to ${count(ranks.count - 1)}, in the colors of links`, items: [] };
    }
    if ((state.nodes === "injected" || state.nodes === "delivered") && nodes) {
        const most = nodes[state.nodes].reduce((a, b) => Math.max(a, b), 0);
        return { text: `Nodes by packets ${state.nodes}: 0 to ${count(most)}, in the colors of links`, items: [] };
    }
    return null;
}
