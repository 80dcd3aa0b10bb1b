/** Moves on in time by itself, with the button that starts and stops it. */

import { button, replace } from "./dom.ts";

export class Player {
    readonly button = button("▶", "Play (space)", () => this.toggle());
    private readonly stepsASecond: number;
    private readonly begin: () => void;
    private readonly next: () => boolean;
    private timer = 0;

    /** `begin` goes to where playing starts, and `next` a step on; it says whether there are more. */
    constructor(stepsASecond: number, begin: () => void, next: () => boolean) {
        this.stepsASecond = stepsASecond;
        this.begin = begin;
        this.next = next;
    }

    toggle(): void {
        if (this.timer) this.stop();
        else this.play();
    }

    stop(): void {
        window.clearInterval(this.timer);
        this.timer = 0;
        this.name("▶", "Play (space)");
    }

    private play(): void {
        this.begin();
        this.timer = window.setInterval(() => {
            if (!this.next()) this.stop();
        }, 1000 / this.stepsASecond);
        this.name("⏸", "Pause (space)");
    }

    private name(sign: string, title: string): void {
        replace(this.button, sign);
        this.button.title = this.button.ariaLabel = title;
    }
}
