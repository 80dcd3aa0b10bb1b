/**
 * The canvas: draws stages side by side with one camera, only when something has changed, and tells what is pointed at.
 */

import { WebGLRenderer } from "three";
import { h, replace, svg } from "../dom.ts";
import type { CameraState } from "../state.ts";
import { type Area, type Box, Orbit, type Projection } from "./camera.ts";
import type { Label } from "./labels.ts";
import type { Hit } from "./pick.ts";
import type { Stage } from "./stage.ts";
import type { Point, Rgb } from "./types.ts";

export interface Pointed {
    stage: number;
    hit: Hit;
    x: number;
    y: number;
}

export interface PictureEvents {
    onHover(pointed: Pointed | null): void;
    onPick(pointed: Pointed | null): void;
    onCamera(camera: CameraState): void;
}

export interface Halo {
    at: Point;
    radius: number;
}

/** A stage with what is written over it. */
export interface Scenery {
    stage: Stage;
    labels: Label[];
    halos: Halo[];
    title: string;
}

/** Above this many links, software WebGL takes too long to smooth edges. */
const mostSmoothedInSoftware = 12_000;

export class Picture {
    readonly element: HTMLElement;
    readonly canvas: HTMLCanvasElement;
    readonly ground = { color: [13, 17, 23] as Rgb };
    readonly isSoftware = isSoftwareWebGl();
    sceneries: Scenery[] = [];
    projections: Projection[] = [];
    private readonly isSmoothed: boolean;
    private readonly renderer: WebGLRenderer;
    private readonly overlay: SVGElement;
    private readonly orbit: Orbit;
    private readonly events: PictureEvents;
    private readonly resizing: ResizeObserver;
    private camera: CameraState;
    private frame = 0;

    constructor(home: CameraState, links: number, events: PictureEvents) {
        this.orbit = new Orbit(home);
        this.camera = home;
        this.events = events;
        this.isSmoothed = !this.isSoftware || links <= mostSmoothedInSoftware;
        this.canvas = h("canvas", {});
        this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: this.isSmoothed, alpha: true });
        this.renderer.setPixelRatio(this.isSoftware ? 1 : Math.min(2, window.devicePixelRatio));
        this.renderer.autoClear = false;
        this.renderer.info.autoReset = true;
        this.overlay = svg("svg", { class: "overlay", "aria-hidden": "true" });
        this.element = h("div", { class: "picture", tabindex: 0, role: "application" }, this.canvas);
        this.element.append(this.overlay);
        this.resizing = new ResizeObserver(() => this.resize());
        this.resizing.observe(this.element);
        this.listen();
    }

    setCamera(camera: CameraState): void {
        this.camera = camera;
        this.request();
    }

    setSceneries(sceneries: Scenery[]): void {
        this.sceneries = sceneries;
        const boxes = sceneries.map(({ stage }) => stage.layout).filter((layout) => !layout.isEmpty);
        if (boxes.length > 0) this.orbit.show(boxAround(boxes));
        this.request();
    }

    request(): void {
        this.frame ||= requestAnimationFrame(() => this.draw());
    }

    /** Draws at once. */
    draw(): void {
        cancelAnimationFrame(this.frame);
        this.frame = 0;
        const { renderer, orbit } = this;
        renderer.setScissorTest(false);
        renderer.clear();
        renderer.setScissorTest(true);
        const height = this.element.clientHeight;
        this.projections = this.areas().map((area, i) => {
            const projection = orbit.place(this.camera, area);
            const { stage } = this.sceneries[i];
            stage.aim(projection, renderer.getPixelRatio());
            if (!this.isSmoothed) stage.recolor(renderer, orbit.camera, projection);
            const bottom = height - area.y - area.height;
            renderer.setViewport(area.x, bottom, area.width, area.height);
            renderer.setScissor(area.x, bottom, area.width, area.height);
            renderer.render(stage.scene, orbit.camera);
            return projection;
        });
        this.write();
    }

    /** Draws for a moment with at least so many pixels for each of the page; then as before. */
    drawFinely(ratio: number, use: (canvas: HTMLCanvasElement) => void): void {
        const { renderer, element } = this;
        const usual = renderer.getPixelRatio();
        const setRatio = (to: number) => {
            renderer.setPixelRatio(to);
            renderer.setSize(element.clientWidth, element.clientHeight, false);
            this.draw();
        };
        setRatio(Math.max(usual, ratio));
        use(this.canvas);
        setRatio(usual);
    }

    /** Draws and waits until the graphics have finished, to measure. */
    drawAndWait(): void {
        this.draw();
        const gl = this.renderer.getContext();
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    }

    private areas(): Area[] {
        const { clientWidth: width, clientHeight: height } = this.element;
        const count = this.sceneries.length;
        const share = width / Math.max(1, count);
        return this.sceneries.map((_, i) => ({ x: i * share, y: 0, width: share, height }));
    }

    private resize(): void {
        const { clientWidth, clientHeight } = this.element;
        if (clientWidth === 0 || clientHeight === 0) return;
        this.events.onHover(null);
        this.renderer.setSize(clientWidth, clientHeight, false);
        this.draw();
    }

    /** Labels and halos at their places. */
    private write(): void {
        replace(this.overlay, ...this.overlayParts());
    }

    overlayParts(): SVGElement[] {
        return this.sceneries.flatMap(({ labels, halos, title }, i) => {
            const projection = this.projections[i];
            const parts = placed(labels, projection).map(({ label, place: [x, y] }) =>
                svg("text", { x: x.toFixed(1), y: y.toFixed(1), class: label.kind }, label.text),
            );
            const circles = halos.map(({ at, radius }) => {
                const place = projection.project(...at);
                const pixels = place && Math.max(7, (radius * projection.scale) / place[2]);
                return place && svg("circle", { cx: place[0], cy: place[1], r: pixels!.toFixed(1), class: "halo" });
            });
            const { area } = projection;
            const name = title ? [svg("text", { x: area.x + area.width / 2, y: 24, class: "title" }, title)] : [];
            const line =
                i > 0 ? [svg("line", { x1: area.x, x2: area.x, y1: 0, y2: area.height, class: "divider" })] : [];
            return [...parts, ...circles, ...name, ...line].filter((part) => part !== null);
        });
    }

    pointedAt(x: number, y: number): Pointed | null {
        const stage = this.projections.findIndex(({ area }) => x >= area.x && x < area.x + area.width);
        const hit = stage < 0 ? null : this.sceneries[stage].stage.pick(this.projections[stage], x, y);
        return hit && { stage, hit, x, y };
    }

    private listen(): void {
        const { element } = this;
        const pointers = new Map<number, PointerEvent>();
        let moved = 0;
        element.addEventListener("pointerdown", (event) => {
            element.setPointerCapture(event.pointerId);
            pointers.set(event.pointerId, event);
            moved = 0;
        });
        element.addEventListener("pointermove", (event) => {
            const before = pointers.get(event.pointerId);
            if (!before) {
                this.hover(event);
                return;
            }
            const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
            moved += Math.abs(dx) + Math.abs(dy);
            if (moved > 4) this.drag(pointers, event, dx, dy);
            pointers.set(event.pointerId, event);
        });
        element.addEventListener("pointerup", (event) => {
            pointers.delete(event.pointerId);
            if (moved <= 4) this.events.onPick(this.pointedAt(...this.placeOf(event)));
        });
        element.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
        element.addEventListener("pointerleave", () => this.events.onHover(null));
        element.addEventListener("contextmenu", (event) => event.preventDefault());
        element.addEventListener("wheel", (event) => {
            event.preventDefault();
            this.zoomAt(event, Math.exp(event.deltaY * 0.0012));
        });
    }

    private drag(pointers: Map<number, PointerEvent>, event: PointerEvent, dx: number, dy: number): void {
        this.events.onHover(null);
        if (pointers.size === 2) {
            this.pinch(pointers, event);
            return;
        }
        const isPan = event.shiftKey || (event.buttons & 6) !== 0;
        const height = this.element.clientHeight;
        this.events.onCamera(isPan ? Orbit.pan(this.camera, dx, dy, height) : Orbit.turn(this.camera, dx, dy));
    }

    private pinch(pointers: Map<number, PointerEvent>, event: PointerEvent): void {
        const distance = () => {
            const [a, b] = [...pointers.values()];
            return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
        };
        const before = distance();
        pointers.set(event.pointerId, event);
        this.events.onCamera(Orbit.zoom(this.camera, before / Math.max(1, distance())));
    }

    /** The place under the pointer stays there. */
    private zoomAt(event: WheelEvent, factor: number): void {
        const [x, y] = this.placeOf(event);
        const area = this.projections.find(({ area }) => x >= area.x && x < area.x + area.width)?.area;
        if (!area) return;
        const [dx, dy] = [area.x + area.width / 2 - x, area.y + area.height / 2 - y];
        const zoomed = Orbit.zoom(this.camera, factor);
        const kept = 1 - zoomed.zoom / this.camera.zoom;
        const shifted = Orbit.pan(this.camera, dx * kept, dy * kept, area.height);
        this.events.onCamera({ ...shifted, zoom: zoomed.zoom });
    }

    private hovering = 0;

    private hover(event: PointerEvent): void {
        cancelAnimationFrame(this.hovering);
        const place = this.placeOf(event);
        this.hovering = requestAnimationFrame(() => this.events.onHover(this.pointedAt(...place)));
    }

    private placeOf(event: MouseEvent): [number, number] {
        const box = this.element.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
    }

    dispose(): void {
        this.resizing.disconnect();
        cancelAnimationFrame(this.frame);
        for (const { stage } of this.sceneries) stage.dispose();
        this.renderer.dispose();
    }
}

interface Placed {
    label: Label;
    place: [number, number];
}

/** Labels at their places; the names of what is selected move aside from others. */
function placed(labels: Label[], projection: Projection): Placed[] {
    const done: Placed[] = [];
    for (const label of labels) {
        const place = placeOfLabel(projection, label);
        if (!place) continue;
        const [x, y] = place;
        const aside = label.kind === "selected" ? asideOf(label.text) : [];
        const free = aside
            .map(([dx, dy]): Placed => ({ label, place: [x + dx, y + dy] }))
            .find((candidate) => !done.some((other) => overlaps(candidate, other)));
        done.push(free ?? { label, place });
    }
    return done;
}

/** Where a name can stand, the nearest to the usual place first. */
function asideOf(text: string): [number, number][] {
    const far = halfWidth(text) + 14;
    const all = [0, -30, 30, -48, 48].flatMap((dy): [number, number][] => [0, far, -far].map((dx) => [dx, dy]));
    return all.sort((a, b) => Math.hypot(...a) - Math.hypot(...b));
}

function halfWidth(text: string): number {
    return 3.6 * text.length + 3;
}

function overlaps(a: Placed, b: Placed): boolean {
    const [dx, dy] = [a.place[0] - b.place[0], a.place[1] - b.place[1]];
    return Math.abs(dx) < halfWidth(a.label.text) + halfWidth(b.label.text) && Math.abs(dy) < 14;
}

function placeOfLabel(projection: Projection, { at, away, pixels }: Label): [number, number] | null {
    const place = projection.project(...at);
    const outside = projection.project(at[0] + away[0] * 0.1, at[1] + away[1] * 0.1, at[2] + away[2] * 0.1);
    if (!place || !outside) return null;
    const [dx, dy] = [outside[0] - place[0], outside[1] - place[1]];
    const length = Math.hypot(dx, dy) || 1;
    // Beyond short ends of links, but not far away when the picture is large.
    const distance = pixels + Math.min(40, (0.4 * projection.scale) / place[2]);
    return [place[0] + (dx / length) * distance, place[1] + (dy / length) * distance];
}

function boxAround(boxes: Box[]): Box {
    const reach = (k: number, best: (...values: number[]) => number, end: "low" | "high") =>
        best(...boxes.map((box) => box[end][k]));
    const corner = (best: (...values: number[]) => number, end: "low" | "high") =>
        [reach(0, best, end), reach(1, best, end), reach(2, best, end)] as unknown as Point;
    return { low: corner(Math.min, "low"), high: corner(Math.max, "high") };
}

function isSoftwareWebGl(): boolean {
    const gl = document.createElement("canvas").getContext("webgl2");
    if (!gl) return true;
    const known = gl.getExtension("WEBGL_debug_renderer_info");
    const name = String(gl.getParameter(known ? known.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    gl.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
