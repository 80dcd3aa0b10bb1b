/** What is seen of schedules, as plain data: what the address keeps, and where the pointer is. */

import type { PageState } from "../state.ts";

/** Jobs by their number in the log, so that it holds in both runs. */
export type Asked = { job: number } | { midplane: string } | { partition: string } | null;

export interface ScheduleState extends PageState {
    /** Second of the log. */
    time: number;
    /** The seconds that the time line shows. */
    from: number;
    to: number;
    /** The run that the queue and answers belong to. */
    run: number;
    asked: Asked;
    cables: "asked" | "used" | "all" | "none";
    colors: "job" | "user" | "nodes" | "wait";
    arrangement: "racks" | "places";
    /** A job under the pointer, by its number in the log; not kept by the address. */
    hovered: number | null;
}
