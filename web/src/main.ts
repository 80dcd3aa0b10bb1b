/** The module's entries: a page that mounts itself, `mount` for others, and a widget of notebooks (anywidget). */

import uplotStyle from "uplot/dist/uPlot.min.css?inline";
import type { Page, Source } from "./data/page.ts";
import { h, replace } from "./dom.ts";
import { kinds } from "./kinds.ts";
import scheduleStyle from "./schedule/style.css?inline";
import style from "./style.css?inline";
import type { MountOptions, View } from "./view.ts";

/** Fills an element with the view of a page. */
export async function mount(
    element: HTMLElement,
    page: Page,
    options: MountOptions = { hasAddress: false },
): Promise<View> {
    addStyle();
    element.classList.add("torusim");
    try {
        if (page.schema_version !== 1)
            throw new Error(`this viewer reads schema version 1, not ${page.schema_version}`);
        const kind = Object.hasOwn(kinds, page.kind) ? kinds[page.kind] : null;
        if (!kind) throw new Error(`this viewer knows no page of kind ${page.kind}`);
        return await kind(element, page, options);
    } catch (error) {
        replace(element, h("p", { class: "failure", role: "alert" }, `The view cannot be shown: ${messageOf(error)}.`));
        throw error;
    }
}

function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

function addStyle(): void {
    if (document.getElementById("torusim-style")) return;
    document.head.append(h("style", { id: "torusim-style" }, uplotStyle, style, scheduleStyle));
}

interface Model {
    get(name: "page"): string;
    get(name: "tables"): Record<string, Record<string, DataView>>;
    get(name: "height"): number | undefined;
}

/** `page` is the page as JSON text, `tables` the Parquet files by the run's number and the table's name. */
async function render({ model, el }: { model: Model; el: HTMLElement }): Promise<() => void> {
    const page = JSON.parse(model.get("page")) as Page;
    const tables = model.get("tables") ?? {};
    for (const [run, byName] of Object.entries(tables)) {
        const sources = Object.entries(byName).map(([name, bytes]): [string, Source] => [name, { bytes }]);
        page.runs[Number(run)].tables = { ...page.runs[Number(run)].tables, ...Object.fromEntries(sources) };
    }
    const element = h("div", { style: `height: ${Number(model.get("height") ?? 720)}px` });
    el.append(element);
    const view = await mount(element, page);
    return () => view.dispose();
}

export default { render };

/** A saved page holds its data in the document. */
async function mountItself(): Promise<void> {
    const data = document.getElementById("torusim-view");
    if (!data?.textContent) return;
    const element = h("div", { class: "full-page" });
    document.body.append(element);
    const page = JSON.parse(data.textContent) as Page;
    document.title = page.title;
    // For those who look at the page from outside: consoles, and tests in a browser.
    Object.assign(globalThis, {
        torusimView: await mount(element, page, { hasAddress: location.protocol !== "about:" }),
    });
}

if (typeof document !== "undefined") void mountItself();
