/** What the pages of runs offer, as far as the runs have it. */

import { haveSameLinks } from "./context.ts";
import type { RunData } from "./data/run.ts";
import type { Option } from "./dom.ts";
import type { State } from "./state.ts";

interface Choice<T extends string> extends Option {
    value: T;
}

/** What gives nodes their color: all that one of the runs has, since the choice is for the pictures of all. */
export function nodeChoices(runs: RunData[]): Choice<State["nodes"]>[] {
    const byValue = new Map(runs.flatMap(choicesOf).map((choice) => [choice.value, choice]));
    return [...byValue.values()];
}

function choicesOf({ ranks, nodes }: RunData): Choice<State["nodes"]>[] {
    const choices: (Choice<State["nodes"]> | null)[] = [
        { value: "plain", text: "nothing" },
        ranks?.areOfOneProgram ? { value: "rank", text: "rank" } : null,
        ranks?.hasGroups ? { value: "group", text: ranks.areOfOneProgram ? "group of ranks" : "job" } : null,
        nodes && { value: "injected", text: "packets injected" },
        nodes && { value: "delivered", text: "packets delivered" },
        { value: "hidden", text: "hidden" },
    ];
    return choices.filter((choice) => choice !== null);
}

/** Which of the runs are drawn. */
export function compareChoices(runs: RunData[]): Choice<State["compare"]>[] {
    const both: Choice<State["compare"]> = { value: "both", text: "Both, side by side" };
    if (runs.length < 2) return [both];
    return [
        both,
        { value: "first", text: `First: ${runs[0].name}` },
        { value: "second", text: `Second: ${runs[1].name}` },
        ...(haveSameLinks(runs) ? [{ value: "difference" as const, text: "Second minus first" }] : []),
    ];
}
