/** The page's address: it follows the state, and the state follows it when a reader changes it. */

import type { Store } from "./state.ts";

export class AddressBar<S extends object> {
    private readonly store: Store<S>;
    private readonly format: (state: S) => string;
    private readonly parse: () => S;
    private writing = 0;

    /** `parse` reads the address of the page. */
    constructor(store: Store<S>, format: (state: S) => string, parse: () => S) {
        this.store = store;
        this.format = format;
        this.parse = parse;
        window.addEventListener("hashchange", this.read);
    }

    /** The whole address of what is seen. */
    get url(): string {
        const [page] = location.href.split("#");
        return this.text ? `${page}#${this.text}` : page;
    }

    /** Soon, and not at each step of a drag: browsers limit how often an address may change. */
    write(): void {
        window.clearTimeout(this.writing);
        this.writing = window.setTimeout(() => {
            if (this.text !== location.hash.slice(1)) history.replaceState(null, "", `#${this.text}`);
        }, 150);
    }

    dispose(): void {
        window.clearTimeout(this.writing);
        window.removeEventListener("hashchange", this.read);
    }

    private get text(): string {
        return this.format(this.store.state);
    }

    private readonly read = () => {
        const state = this.parse();
        if (this.format(state) !== this.text) this.store.set(state);
    };
}
