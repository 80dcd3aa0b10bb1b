/** Keys and hints of the page of runs. */

import { keys } from "./keyboard.ts";
import { helpDialog } from "./keys.ts";

const hints = [
    "Drag to turn, drag with shift or the right button to move, scroll to zoom. Point at a link for its number, click it for all that is known of it.",
    "“Hottest links” at the right names where it is busiest and when. A flow in the answer shows the ways of its pair. The page’s address keeps what you see: time, slice, camera and what is asked. “Copy link” copies it, to share the view or to come back.",
];

export function help(): HTMLDialogElement {
    return helpDialog("How to look at a torus", hints, "Keys, when the picture has the focus", keys);
}
