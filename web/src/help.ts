/** Keys and hints, in a dialog. */

import { h, table } from "./dom.ts";
import { keys } from "./keyboard.ts";

export function help(): HTMLDialogElement {
    const dialog = h(
        "dialog",
        { "aria-label": "Keys and hints" },
        h("h2", {}, "How to look at a torus"),
        h(
            "p",
            {},
            "Drag to turn, drag with shift or the right button to move, scroll to zoom. Point at a link for its number, click it for all that is known of it.",
        ),
        h(
            "p",
            {},
            "“Hottest links” at the right names where it is busiest and when. A flow in the answer shows the ways of its pair. The page’s address keeps what you see: time, slice, camera and what is asked. “Copy link” copies it, to share the view or to come back.",
        ),
        table(
            "Keys, when the picture has the focus",
            ["Key", "What it does"],
            keys.map(({ key, what }) => [key, what]),
        ),
        h("form", { method: "dialog" }, h("button", { title: "Close" }, "Close")),
    );
    return dialog;
}
