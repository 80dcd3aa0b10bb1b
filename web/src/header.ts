/** The head of the page: what run this is, how it ended, and what can be done with the picture. */

import { fileName } from "./caption.ts";
import type { Context, Panel } from "./context.ts";
import { copyLinkButton } from "./copy-link.ts";
import type { Page } from "./data/page.ts";
import type { RunData } from "./data/run.ts";
import { button, h } from "./dom.ts";
import { count } from "./format.ts";
import { help } from "./help.ts";
import { peakText } from "./panels/dimensions.ts";
import type { Picture } from "./picture/picture.ts";
import { fileParts } from "./run-caption.ts";
import { download, png, svgText } from "./save.ts";

export function header(context: Context, page: Page, picture: Picture, address: (() => string) | null): Panel {
    const names = context.runs.map(({ name }) => name).join(" and ");
    const file = (ending: string) => fileName(fileParts(context), ending);
    const savePng = button("PNG", "Save the picture as PNG", async () =>
        download(await png(context, picture), file("png")),
    );
    const saveSvg = button("SVG", "Save the picture as SVG", () =>
        download(new Blob([svgText(context, picture)], { type: "image/svg+xml" }), file("svg")),
    );
    const theme = button("◐", "Dark or light", () =>
        context.store.set({ theme: context.theme === "dark" ? "light" : "dark" }),
    );
    const guide = help();
    const ask = button("?", "Keys and hints", () => guide.showModal());
    const element = h(
        "header",
        {},
        h("h1", { title: page.title }, names),
        h(
            "p",
            { class: "quiet", title: context.runs.map(peakText).join(" ") },
            context.runs.map(inShort).join("  |  "),
        ),
        h(
            "span",
            { class: "actions" },
            h("span", { class: "quiet" }, "Save"),
            savePng,
            saveSvg,
            copyLinkButton(address),
            theme,
            ask,
        ),
        guide,
    );
    return { element, update: () => {} };
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
