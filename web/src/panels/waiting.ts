/** Head packets that wait when the run ends. */

import type { RunData, Waiting } from "../data/run.ts";
import { scrolling, table } from "../dom.ts";
import { count } from "../format.ts";

/** More rows are of no use to a reader. */
const mostRows = 50;

export function waitingTable(run: RunData, isHere: (packet: Waiting) => boolean, caption: string): HTMLElement | null {
    const packets = run.waiting?.filter(isHere) ?? [];
    if (packets.length === 0) return null;
    const { machine, facts } = run;
    const rows = packets
        .slice(0, mostRows)
        .map((packet) => [
            `${machine.nodeName(packet.node)} from ${packet.receiver}`,
            facts.machine.vcs[packet.vc] ?? String(packet.vc),
            packet.toward,
            machine.nodeName(packet.target),
            `${count(packet.tokens)} of ${count(packet.needed)}`,
        ]);
    return scrolling(table(caption, ["Sits in", "VC", "Waits for", "Goes to", "Tokens"], rows));
}
