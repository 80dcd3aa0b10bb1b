/** A button that copies the page's address, which keeps what is seen. */

import { button, replace } from "./dom.ts";

export function copyLinkButton(address: { url: string }): HTMLButtonElement {
    const name = "Copy link";
    const said = (text: string) => {
        replace(copy, text);
        window.setTimeout(() => replace(copy, name), 1500);
    };
    const copy = button(name, "Copy the page's address: it keeps what you see, for others and for later", async () =>
        said((await copied(address.url)) ? "Copied" : "Not copied"),
    );
    return copy;
}

async function copied(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return copiedFromField(text);
    }
}

/** Browsers deny the clipboard to some pages, but not what is selected in them. */
function copiedFromField(text: string): boolean {
    const focused = document.activeElement as HTMLElement | null;
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    focused?.focus();
    return isCopied;
}
