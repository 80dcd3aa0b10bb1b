/** Elements in a line. All text goes in as text, never as HTML: names of runs and jobs can hold anything. */

type Child = Node | string | number | null | undefined | false;
type Handler = (event: never) => void;
type Properties = Record<string, string | number | boolean | Handler | null | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    properties: Properties = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (value === null || value === undefined || value === false) continue;
        if (typeof value === "function") element.addEventListener(name.slice(2).toLowerCase(), value as EventListener);
        else element.setAttribute(name, value === true ? "" : String(value));
    }
    append(element, children);
    return element;
}

export function append(element: Element, children: Child[]): void {
    for (const child of children) {
        if (child === null || child === undefined || child === false) continue;
        element.append(typeof child === "number" ? String(child) : child);
    }
}

/** Puts children in the place of others. Who walks by keys keeps the place. */
export function replace(element: Element, ...children: Child[]): void {
    const focused = element.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
    const place = focused ? pressable(element).indexOf(focused) : -1;
    element.replaceChildren();
    append(element, children);
    if (!focused || place < 0) return;
    const all = pressable(element);
    const same = all.find(({ textContent }) => textContent === focused.textContent) ?? all[place];
    same?.focus({ preventScroll: true });
}

function pressable(element: Element): HTMLElement[] {
    return [...element.querySelectorAll<HTMLElement>("button, input, select, summary")];
}

export function svg(tag: string, attributes: Record<string, string | number> = {}, text = ""): SVGElement {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    if (text) element.textContent = text;
    return element;
}

export interface Option {
    value: string;
    text: string;
}

/** A labeled choice from a list. */
export function choice(label: string, hint: string, options: Option[], onChange: (value: string) => void) {
    const select = h("select", { title: hint, onchange: () => onChange(select.value) });
    let shown = "";
    const setOptions = (list: Option[]) => {
        const wanted = JSON.stringify(list);
        if (wanted === shown) return; // an open list stays open
        shown = wanted;
        replace(select, ...list.map(({ value, text }) => h("option", { value }, text)));
    };
    setOptions(options);
    const element = h("label", { class: "field", title: hint }, h("span", {}, label), select);
    return { element, select, setOptions };
}

export function button(text: string, title: string, onClick: () => void, className = ""): HTMLButtonElement {
    const name = /\w/.test(text) ? null : title; // signs such as arrows have no name
    return h("button", { type: "button", title, "aria-label": name, class: className, onclick: onClick }, text);
}

/** A table that can be wider than its place: it scrolls inside. */
export function scrolling(element: HTMLElement): HTMLElement {
    return h("div", { class: "scrolling" }, element);
}

/** A table of plain rows, which screen readers can read and keys can walk. */
export function table(caption: string, heads: string[], rows: Child[][], className = ""): HTMLTableElement {
    return h(
        "table",
        { class: className },
        h("caption", {}, caption),
        h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, cell))))),
    );
}
