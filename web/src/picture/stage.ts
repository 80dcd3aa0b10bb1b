/** The picture of one run: links, nodes, and marks above them, from values that others choose. */

import { type Camera, Scene, type WebGLRenderer } from "three";
import type { RunData } from "../data/run.ts";
import type { Projection } from "./camera.ts";
import { fixed, paint, type Theme } from "./colors.ts";
import { type Layout, layOut, position } from "./layout.ts";
import { type Hit, pick } from "./pick.ts";
import { arc, type Path, PieceList, pathOfLink, piecesOfLinks } from "./pieces.ts";
import { NodePoints } from "./points.ts";
import { Recolored } from "./recolored.ts";
import { Ribbons } from "./ribbons.ts";
import type { Point, Rgb, View, Words } from "./types.ts";

/** Something drawn above links: a link again, or an arc from node to node. */
export type Mark = { color: Rgb; width: number } & ({ link: number } | { from: number; to: number });

export class Stage {
    readonly run: RunData;
    readonly scene = new Scene();
    readonly links = new Ribbons({ isOnTop: false });
    readonly marks = new Ribbons({ isOnTop: true });
    readonly nodes = new NodePoints();
    layout!: Layout;
    private readonly recolored = new Recolored(this.links, this.nodes);
    private view!: View;

    constructor(run: RunData) {
        this.run = run;
        this.scene.add(this.recolored.mesh, this.links.mesh, this.nodes.points, this.marks.mesh);
        this.scene.matrixWorldAutoUpdate = false;
    }

    /** Places nodes and links; words and marks have to be set again. */
    arrange(view: View): void {
        this.view = view;
        this.layout = layOut(this.run.machine, view);
        this.links.setPieces(piecesOfLinks(this.run.machine, this.layout, view, (link) => this.run.isDead(link)));
    }

    setGround(color: Rgb): void {
        this.links.setGround(color);
        this.marks.setGround(color);
    }

    /** Words of color and width: for each link, and for each node. */
    paintLinks(words: Words): void {
        this.links.setWords(words);
    }

    paintNodes(words: Words, theme: Theme): void {
        const { machine } = this.run;
        const isCross = new Uint8Array(machine.nodes);
        for (const node of machine.deadNodes) {
            isCross[node] = 1;
            if (this.layout.shown[node]) words[node] = paint(fixed[theme].dead, 1);
        }
        for (let node = 0; node < machine.nodes; node++) if (!this.layout.shown[node]) words[node] = 0;
        this.nodes.set(this.layout.positions, words, isCross);
    }

    setMarks(marks: Mark[]): void {
        const list = new PieceList(marks.length + 16);
        const words = new Uint32Array(marks.length);
        marks.forEach((mark, i) => {
            const path = this.pathOf(mark);
            if (!path) return;
            list.addPath(i, path);
            words[i] = paint(mark.color, mark.width);
        });
        this.marks.setPieces(list.done());
        this.marks.setWords(words);
    }

    /** The way of a link as it is drawn; links that are hidden have none. */
    pathOfLink(link: number): Path | null {
        return pathOfLink(this.run.machine, this.layout, this.view, link);
    }

    private pathOf(mark: Mark): Path | null {
        if ("link" in mark) return this.pathOfLink(mark.link);
        if (!this.layout.shown[mark.from] || !this.layout.shown[mark.to]) return null;
        const [from, to] = [position(this.layout, mark.from), position(this.layout, mark.to)];
        return arc(from, to, sideways(from, to), [0, 0, 0], 10);
    }

    aim(projection: Projection, pixelRatio: number): void {
        this.links.aim(projection);
        this.marks.aim(projection);
        this.nodes.aim(projection, pixelRatio);
    }

    /** Before a drawing on a canvas whose edges are not smoothed, after `aim`. */
    recolor(renderer: WebGLRenderer, camera: Camera, projection: Projection): void {
        this.recolored.prepare(renderer, camera, projection);
    }

    pick(projection: Projection, x: number, y: number): Hit | null {
        const things = {
            layout: this.layout,
            pieces: this.links.pieces,
            linkWords: this.links.words,
            nodeWords: this.nodes.words,
        };
        return pick(things, projection, x, y);
    }

    dispose(): void {
        this.recolored.dispose();
        this.links.dispose();
        this.marks.dispose();
        this.nodes.dispose();
    }
}

/** Arcs of messages bend to one side by their direction, so that an answer does not cover its question. */
function sideways(from: Point, to: Point): Point {
    const [dx, dy, dz] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
    const length = Math.hypot(dx, dy, dz);
    return [-0.16 * dy, 0.16 * dx, dx === 0 && dy === 0 ? 0 : 0.1 * length];
}
