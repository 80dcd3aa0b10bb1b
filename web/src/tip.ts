/** What is under the pointer, next to it. */

import { h, replace } from "./dom.ts";

export class Tip {
    readonly element = h("div", { class: "tip", role: "status", hidden: true });

    /** At a place of the page. */
    show({ clientX, clientY }: { clientX: number; clientY: number }, lines: string[]): void {
        this.element.hidden = lines.length === 0;
        if (lines.length === 0) return;
        replace(this.element, ...lines.map((line) => h("div", {}, line)));
        const box = this.element.parentElement!.getBoundingClientRect();
        const { offsetWidth, offsetHeight } = this.element;
        const left = Math.min(clientX - box.left + 14, box.width - offsetWidth - 4);
        const isLow = clientY - box.top + 18 + offsetHeight > box.height;
        const top = clientY - box.top + (isLow ? -offsetHeight - 10 : 16);
        this.element.style.transform = `translate(${Math.max(0, left)}px, ${Math.max(0, top)}px)`;
    }

    hide(): void {
        this.element.hidden = true;
    }
}
