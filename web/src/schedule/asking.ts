/** What a text asks: a job's number, or the name of a block or partition. */

import type { Schedule } from "./data.ts";
import type { Asked } from "./state.ts";

export function parseQuestion(text: string, runs: Schedule[]): Asked | { problem: string } {
    const wanted = text.trim();
    const job = wanted.match(/^(?:job\s*)?(\d+)$/i);
    if (job) {
        const id = Number(job[1]);
        return runs.some((run) => run.row(id) !== null) ? { job: id } : { problem: `There is no job ${id}.` };
    }
    const lower = wanted.toLowerCase();
    const same = ({ name }: { name: string }) => name.toLowerCase() === lower;
    for (const run of runs) {
        const midplane = run.midplanes.find(same);
        if (midplane) return { midplane: midplane.name };
        const partition = run.partitions.find(same);
        if (partition) return { partition: partition.name };
    }
    const [run] = runs;
    const blocks = run.midplanes.length > 0 ? `, or a ${run.unit}, such as ${run.midplanes[0].name}` : "";
    return { problem: `Ask a job by its number, such as ${run.jobs.id[0]}${blocks}.` };
}
