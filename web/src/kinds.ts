/** The kinds of pages. To add one: a function that fills an element, and its line here. */

import type { Page, ScheduleRun } from "./data/page.ts";
import { runPage } from "./run-page.ts";
import { schedulePage } from "./schedule/schedule-page.ts";
import type { MountOptions, View } from "./view.ts";

type Kind = (element: HTMLElement, page: Page, options: MountOptions) => Promise<View>;

export const kinds: Record<string, Kind> = {
    run: runPage,
    schedule: (element, page, options) => schedulePage(element, page as unknown as Page<ScheduleRun>, options),
};
