/** A plain machine: its nodes in lines, in the order in which jobs are placed. */

import { svg } from "../dom.ts";
import { type Box, Scene } from "./scene.ts";

/** Machines of up to so many nodes have nodes that can be counted. */
const mostSquares = 1200;

interface Lines {
    count: number;
    perLine: number;
    box(from: number, to: number, line: number): Box;
}

export class Nodes extends Scene {
    draw(): SVGElement[] {
        const lines = this.lines();
        const { nodes } = this.run.facts;
        const { idle, idleLine } = this.paint;
        const ground = Array.from({ length: lines.count }, (_, l) => {
            const box = lines.box(l * lines.perLine, Math.min(nodes, (l + 1) * lines.perLine), l);
            return svg("rect", { ...box, fill: idle, stroke: idleLine });
        });
        return [...ground, ...this.now.running.flatMap((row) => this.job(row, lines)), ...this.between(lines)];
    }

    private lines(): Lines {
        const { nodes } = this.run.facts;
        const [left, top] = [14, 8];
        const [width, height] = [this.width - 2 * left, this.height - 2 * top];
        const isSmall = nodes <= mostSquares;
        const across = Math.ceil(Math.sqrt((nodes * width) / height));
        const count = isSmall ? Math.ceil(nodes / across) : Math.max(1, Math.floor(height / 36));
        const perLine = Math.ceil(nodes / count);
        const step = Math.min(height / count, 60);
        const box = (from: number, to: number, line: number) => ({
            x: left + ((from - line * perLine) / perLine) * width,
            y: top + line * step,
            width: ((to - from) / perLine) * width,
            height: step - 3,
        });
        return { count, perLine, box };
    }

    private job(row: number, { perLine, box }: Lines): SVGElement[] {
        const opacity = this.isBack(row) ? 0.28 : 1;
        const isAsked = this.context.askedRow(this.run) === row;
        const style = {
            rx: 2,
            fill: this.color(row),
            opacity,
            stroke: isAsked ? this.paint.select : this.paint.ground,
            "stroke-width": isAsked ? 2 : 1,
        };
        return this.now.stay(row).pieces.flatMap(({ from, to }) => {
            const shapes: SVGElement[] = [];
            for (let line = Math.floor(from / perLine); line * perLine < to; line++) {
                const part = box(Math.max(from, line * perLine), Math.min(to, (line + 1) * perLine), line);
                shapes.push(
                    svg("rect", { ...part, ...style, "data-job": row }),
                    ...this.jobLabel(row, part, false, {}),
                );
            }
            return shapes;
        });
    }

    /** Lines between nodes, where they are wide enough to count. */
    private between({ perLine, box }: Lines): SVGElement[] {
        if (box(0, 1, 0).width < 6) return [];
        const parts: string[] = [];
        for (let node = 0; node < this.run.facts.nodes; node++) {
            if (node % perLine === 0) continue;
            const { x, y, height } = box(node, node + 1, Math.floor(node / perLine));
            parts.push(`M${x.toFixed(1)},${y.toFixed(1)}v${height.toFixed(1)}`);
        }
        const style = { stroke: this.paint.ground, "stroke-opacity": 0.35, "pointer-events": "none" };
        return [svg("path", { d: parts.join(""), ...style })];
    }
}
