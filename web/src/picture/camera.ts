/** A camera that turns around the middle of the picture, and the projection that drawing, picking and saving share. */

import { Matrix4, PerspectiveCamera } from "three";
import type { CameraState } from "../state.ts";
import type { Point } from "./types.ts";

const fieldOfView = 30;
const half = Math.tan((fieldOfView * Math.PI) / 360);

export interface Box {
    low: Point;
    high: Point;
}

/** A part of the canvas, in CSS pixels from its upper left corner. */
export interface Area {
    x: number;
    y: number;
    width: number;
    height: number;
}

/** From above for flat machines, else from the front, a little from the right and from above. */
export function homeCamera(isFlat: boolean): CameraState {
    const [yaw, pitch] = isFlat ? [-Math.PI / 2, Math.PI / 2] : [-Math.PI / 2 + 0.55, 0.42];
    return { yaw, pitch, zoom: 1, shift: [0, 0, 0] };
}

function basis({ yaw, pitch }: { yaw: number; pitch: number }): { right: Point; up: Point; back: Point } {
    const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
    return { right: [-sy, cy, 0], up: [-sp * cy, -sp * sy, cp], back: [cp * cy, cp * sy, sp] };
}

const dot = (a: Point, b: Point) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Pixels at each side for what is written there. */
const margin = { x: 44, y: 30 };

/** The distance from which a box just fits into an area. */
function fittingDistance(box: Box, home: CameraState, { width, height }: Area): number {
    const halfHeight = half * Math.max(0.3, 1 - (2 * margin.y) / height);
    const halfWidth = half * (width / height) * Math.max(0.3, 1 - (2 * margin.x) / width);
    const { right, up, back } = basis(home);
    const size = [0, 1, 2].map((k) => (box.high[k] - box.low[k]) / 2 + 0.5);
    let distance = 1;
    for (let corner = 0; corner < 8; corner++) {
        const at = size.map((s, k) => (corner & (1 << k) ? s : -s)) as unknown as Point;
        const away = Math.max(Math.abs(dot(at, up)) / halfHeight, Math.abs(dot(at, right)) / halfWidth);
        distance = Math.max(distance, away + dot(at, back));
    }
    return distance;
}

export class Orbit {
    readonly camera = new PerspectiveCamera(fieldOfView, 1, 0.1, 1000);
    private readonly home: CameraState;
    private box: Box = { low: [0, 0, 0], high: [1, 1, 1] };

    constructor(home: CameraState) {
        this.home = home;
        this.camera.matrixAutoUpdate = false;
    }

    show(box: Box): void {
        this.box = box;
    }

    /** Places the camera, and returns the projection to an area. */
    place(state: CameraState, area: Area): Projection {
        const { camera, box } = this;
        const aspect = area.width / Math.max(1, area.height);
        const { right, up, back } = basis(state);
        const fit = fittingDistance(box, this.home, area);
        const distance = fit * state.zoom;
        const eye = [0, 1, 2].map((k) => (box.low[k] + box.high[k]) / 2 + state.shift[k] * fit + back[k] * distance);
        camera.matrixWorld.set(
            ...[right[0], up[0], back[0], eye[0]],
            ...([right[1], up[1], back[1], eye[1]] as const),
            ...([right[2], up[2], back[2], eye[2]] as const),
            ...([0, 0, 0, 1] as const),
        );
        camera.matrixWorldInverse.copy(camera.matrixWorld).invert();
        const diagonal = Math.hypot(...[0, 1, 2].map((k) => box.high[k] - box.low[k])) + 4;
        camera.aspect = aspect;
        camera.near = Math.max(0.05, distance - 2 * diagonal);
        camera.far = distance + 2 * diagonal + 10;
        camera.updateProjectionMatrix();
        const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
        return new Projection(matrix.elements, area);
    }

    /** Moves the picture by pixels. */
    static pan(state: CameraState, dx: number, dy: number, height: number): CameraState {
        const { right, up } = basis(state);
        const unit = (2 * half * state.zoom) / height;
        const shift = state.shift.map((s, k) => s - right[k] * dx * unit + up[k] * dy * unit);
        return { ...state, shift: shift as CameraState["shift"] };
    }

    static turn(state: CameraState, dx: number, dy: number): CameraState {
        const pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, state.pitch + dy * 0.006));
        return { ...state, yaw: state.yaw - dx * 0.006, pitch };
    }

    static zoom(state: CameraState, factor: number): CameraState {
        return { ...state, zoom: Math.min(4, Math.max(0.02, state.zoom * factor)) };
    }
}

export class Projection {
    readonly area: Area;
    readonly elements: ArrayLike<number>;
    /** Pixels of a unit of length at distance 1. */
    readonly scale: number;

    constructor(elements: ArrayLike<number>, area: Area) {
        this.elements = elements;
        this.area = area;
        this.scale = area.height / 2 / half;
    }

    /** Pixels from the canvas's upper left corner, and the distance; null behind the camera. */
    project(x: number, y: number, z: number): [number, number, number] | null {
        const e = this.elements;
        const w = e[3] * x + e[7] * y + e[11] * z + e[15];
        if (w < 0.05) return null;
        const cx = (e[0] * x + e[4] * y + e[8] * z + e[12]) / w;
        const cy = (e[1] * x + e[5] * y + e[9] * z + e[13]) / w;
        const { area } = this;
        return [area.x + ((cx + 1) / 2) * area.width, area.y + ((1 - cy) / 2) * area.height, w];
    }
}
