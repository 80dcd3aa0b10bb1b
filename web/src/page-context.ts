/** What the contexts of all kinds of pages have: the state, and whether the page is dark or light. */

import type { Theme } from "./picture/colors.ts";
import type { PageState, Store } from "./state.ts";

export class PageContext<S extends PageState> {
    readonly store: Store<S>;
    private readonly darkPage = window.matchMedia("(prefers-color-scheme: dark)");
    private readonly announce = () => this.store.announce(new Set(["theme" as const]));

    constructor(store: Store<S>) {
        this.store = store;
        this.darkPage.addEventListener("change", this.announce);
    }

    get state(): S {
        return this.store.state;
    }

    /** As the reader chose, or else as the browser prefers. */
    get theme(): Theme {
        const { theme } = this.state;
        if (theme !== "auto") return theme;
        return this.darkPage.matches ? "dark" : "light";
    }

    toggleTheme(): void {
        const theme: Theme = this.theme === "dark" ? "light" : "dark";
        this.store.set({ theme } as Partial<S>);
    }

    dispose(): void {
        this.darkPage.removeEventListener("change", this.announce);
    }
}
