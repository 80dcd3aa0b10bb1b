/** Keys and hints of the page of schedules. */

import { helpDialog } from "../keys.ts";
import { keys } from "./keyboard.ts";

const hints = [
    "Above, the machine at the cursor's time: each block has the color of the job that holds it, stripes where cables of a job pass through, and crossed lines while it is out of service. Below, jobs as bars over time, and the curves.",
    "Scroll over the charts to zoom, drag the bars to move, drag with shift to choose a range, press in the curves to move the cursor, or type its time.",
    "Select a waiting job in the queue: the room marks the partition that will be free first, and who holds it. The page’s address keeps what you see: “Copy link” copies it, to share the view or to come back.",
];

export function help(): HTMLDialogElement {
    return helpDialog("How to look at a schedule", hints, "Keys", keys);
}
