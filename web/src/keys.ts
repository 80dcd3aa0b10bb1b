/** Keys of a page: what listens for them, and the dialog that tells what they do. */

import { h, table } from "./dom.ts";

export interface Key {
    key: string;
    what: string;
}

/** What keys do, by the names that events give them. */
export type Actions = Record<string, (event: KeyboardEvent) => void>;

/** Listens until the function that it returns is called. */
export function listen(element: HTMLElement, actions: Actions): () => void {
    const onKey = (event: KeyboardEvent) => {
        if (isShortcut(event) || hasOwnUse(event)) return;
        if (!Object.hasOwn(actions, event.key)) return;
        actions[event.key](event);
        event.preventDefault();
    };
    element.addEventListener("keydown", onKey);
    return () => element.removeEventListener("keydown", onKey);
}

type Modified = Pick<KeyboardEvent, "key" | "ctrlKey" | "altKey" | "metaKey">;

/** Keys of the browser or the system. Some keyboards need Alt, or Ctrl and Alt, for signs such as brackets. */
export function isShortcut({ key, ctrlKey, altKey, metaKey }: Modified): boolean {
    const isSign = /^[^\p{L}\p{N}\s]$/u.test(key);
    return metaKey || (altKey ? !isSign : ctrlKey);
}

/** Fields take what is typed, and space presses a button. */
function hasOwnUse({ target, key }: KeyboardEvent): boolean {
    const element = target as Element;
    const isTyped = element.closest("input[type=text], select, dialog") !== null;
    return isTyped || (key === " " && element.matches("button, summary"));
}

/** The member of a ring that comes after one, or before it. From outside, that is the first or the last. */
export function nextOf<T>(ring: T[], member: T | null, by: 1 | -1): T | undefined {
    const at = member === null ? -1 : ring.indexOf(member);
    if (at < 0) return ring.at(by > 0 ? 0 : -1);
    return ring[(at + by + ring.length) % ring.length];
}

export function helpDialog(title: string, hints: string[], caption: string, keys: Key[]): HTMLDialogElement {
    return h(
        "dialog",
        { "aria-label": "Keys and hints" },
        h("h2", {}, title),
        ...hints.map((hint) => h("p", {}, hint)),
        table(
            caption,
            ["Key", "What it does"],
            keys.map(({ key, what }) => [key, what]),
        ),
        h("form", { method: "dialog" }, h("button", { title: "Close" }, "Close")),
    );
}
