/** The buttons at the end of the head: what can be done with what is seen. */

import type { AddressBar } from "./address-bar.ts";
import { copyLinkButton } from "./copy-link.ts";
import { button, h } from "./dom.ts";
import type { PageContext } from "./page-context.ts";
import { download } from "./save.ts";
import type { PageState } from "./state.ts";

/** What is saved as a file: in words, its name, and how it is drawn. */
export interface Saved {
    what: { png: string; svg: string };
    file: (ending: string) => string;
    png: () => Promise<Blob>;
    svg: () => string;
}

/** `guide` is the dialog of keys and hints. */
export function actions<S extends PageState>(
    context: PageContext<S>,
    { what, file, png, svg }: Saved,
    address: AddressBar<S> | null,
    guide: HTMLDialogElement,
): HTMLElement {
    return h(
        "span",
        { class: "actions" },
        h("span", { class: "quiet" }, "Save"),
        button("PNG", `Save ${what.png} as PNG`, async () => download(await png(), file("png"))),
        button("SVG", `Save ${what.svg} as SVG`, () =>
            download(new Blob([svg()], { type: "image/svg+xml" }), file("svg")),
        ),
        address && copyLinkButton(address),
        button("◐", "Dark or light", () => context.toggleTheme()),
        button("?", "Keys and hints", () => guide.showModal()),
        guide,
    );
}
