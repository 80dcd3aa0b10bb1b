/** Nodes as discs; dead ones as crosses. */

import { BufferAttribute, BufferGeometry, GLSL3, Points, RawShaderMaterial } from "three";
import type { Projection } from "./camera.ts";
import { float, type Words } from "./types.ts";

export const disc = { largest: 0.36, leastPixels: 1.5 };

const vertexShader = `
precision highp float;
uniform mat4 projectionMatrix;
uniform mat4 viewMatrix;
uniform float scale;
uniform float pixels;
in vec3 position;
in vec4 paint;
in float isCross;
out vec4 color;
void main() {
    color = vec4(paint.rgb, isCross);
    vec4 seen = viewMatrix * vec4(position, 1.0);
    seen.z += 0.12; // before the links that end at it
    gl_Position = projectionMatrix * seen;
    if (paint.a == 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    float size = paint.a * ${float(disc.largest)} * scale / gl_Position.w;
    gl_PointSize = clamp(max(size, ${float(disc.leastPixels)} * (1.0 + 3.0 * isCross)) * pixels, 1.0, 200.0);
}`;

const fragmentShader = `
precision mediump float;
in vec4 color;
out vec4 fragment;
void main() {
    vec2 at = 2.0 * gl_PointCoord - 1.0;
    if (color.a > 0.5) {
        if (abs(abs(at.x) - abs(at.y)) > 0.3) discard;
    } else if (dot(at, at) > 1.0) discard;
    fragment = vec4(color.rgb, 1.0);
}`;

export class NodePoints {
    readonly points: Points<BufferGeometry, RawShaderMaterial>;
    words: Words = new Uint32Array(0);
    isCross: Uint8Array<ArrayBuffer> = new Uint8Array(0);
    /** Counts how often they were set. */
    edition = 0;

    constructor() {
        const material = new RawShaderMaterial({
            glslVersion: GLSL3,
            vertexShader,
            fragmentShader,
            uniforms: { scale: { value: 1 }, pixels: { value: 1 } },
        });
        this.points = new Points(new BufferGeometry(), material);
        this.points.frustumCulled = false;
        this.points.renderOrder = 1;
    }

    set(positions: Float32Array, words: Words, isCross: Uint8Array<ArrayBuffer>): void {
        this.words = words;
        this.isCross = isCross;
        this.points.geometry.dispose();
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(positions, 3));
        geometry.setAttribute("paint", new BufferAttribute(new Uint8Array(words.buffer), 4, true));
        geometry.setAttribute("isCross", new BufferAttribute(isCross, 1));
        this.points.geometry = geometry;
        this.edition++;
    }

    aim(projection: Projection, pixelRatio: number): void {
        this.points.material.uniforms.scale.value = projection.scale;
        this.points.material.uniforms.pixels.value = pixelRatio;
    }

    dispose(): void {
        this.points.geometry.dispose();
        this.points.material.dispose();
    }
}
