/** The head of the page: what run this is, how it ended, and what can be done with the picture. */

import { actions } from "./actions.ts";
import type { AddressBar } from "./address-bar.ts";
import { fileName } from "./caption.ts";
import type { Context } from "./context.ts";
import type { Page } from "./data/page.ts";
import type { RunData } from "./data/run.ts";
import { h } from "./dom.ts";
import { count } from "./format.ts";
import { help } from "./help.ts";
import { peakText } from "./panels/dimensions.ts";
import type { Picture } from "./picture/picture.ts";
import { fileParts } from "./run-caption.ts";
import { png, svgText } from "./save.ts";
import type { State } from "./state.ts";

export function header(context: Context, page: Page, picture: Picture, address: AddressBar<State> | null): HTMLElement {
    const { runs } = context;
    const texts = runs.map(inShort);
    const saved = {
        what: { png: "the picture", svg: "the picture" },
        file: (ending: string) => fileName(fileParts(context), ending),
        png: () => png(context, picture),
        svg: () => svgText(context, picture),
    };
    return h(
        "header",
        {},
        h("h1", { title: page.title }, runs.map(({ name }) => name).join(" and ")),
        h(
            "p",
            { class: "quiet", title: runs.map((run, i) => `${texts[i]}. ${peakText(run)}`).join("\n") },
            texts.join("  |  "),
        ),
        actions(context, saved, address, help()),
    );
}

/** Only what the summary has. */
function inShort(run: RunData): string {
    const { summary, machine } = run;
    const parts = [machine.facts.shape.join("x"), `${count(machine.nodes)} nodes`];
    if (typeof summary.outcome === "string") parts.push(summary.outcome);
    if (typeof summary.cycles === "number") parts.push(`${count(summary.cycles)} cycles`);
    if (typeof summary.percent_of_peak === "number") parts.push(`${summary.percent_of_peak.toFixed(1)} % of peak`);
    return parts.join(" · ");
}
