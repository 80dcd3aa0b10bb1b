/**
 * Links as flat ribbons that face the camera: wide where they begin, narrow where they end.
 *
 *     A ▬▬▬▬▬▭▭▭▭▭ B      A to B is drawn to the right of its way, and B to A to the right of its own,
 *       ▭▭▭▭▭▬▬▬▬▬        so that the two directions of a wire lie side by side
 *
 * Each piece is four vertices of one plain geometry. Instances would need a quarter of the memory, but software WebGL
 * draws each instance as a call of its own, which takes seconds for 200,000. Color and width are one word of four bytes
 * a vertex, the only thing that a step of the slider writes.
 */

import {
    BufferAttribute,
    BufferGeometry,
    DoubleSide,
    DynamicDrawUsage,
    GLSL3,
    Mesh,
    RawShaderMaterial,
    Vector2,
} from "three";
import type { Projection } from "./camera.ts";
import type { Pieces } from "./pieces.ts";
import type { Words } from "./types.ts";

/** In units of the distance of neighbors; pixels are the least. */
export const ribbon = { widest: 0.15, gap: 0.02, end: 0.4, leastPixels: 1.1, leastGapPixels: 0.4 };

const vertexShader = `
precision highp float;
uniform mat4 projectionMatrix;
uniform mat4 viewMatrix;
uniform vec2 area;
uniform float scale;
uniform float centered;
in vec4 start;
in vec4 finish;
in vec4 paint;
out vec3 color;
const float nearest = 0.05;
void main() {
    color = paint.rgb;
    if (paint.a == 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    mat4 all = projectionMatrix * viewMatrix;
    vec4 a = all * vec4(start.xyz, 1.0);
    vec4 b = all * vec4(finish.xyz, 1.0);
    if (a.w < nearest && b.w < nearest) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    if (a.w < nearest) a = mix(a, b, (nearest - a.w) / (b.w - a.w));
    if (b.w < nearest) b = mix(b, a, (nearest - b.w) / (a.w - b.w));
    vec2 way = (b.xy / b.w - a.xy / a.w) * area;
    vec2 right = dot(way, way) < 1e-6 ? vec2(0.0) : normalize(vec2(way.y, -way.x));
    int corner = gl_VertexID & 3;
    bool atStart = corner == 0 || corner == 3;
    vec4 at = atStart ? a : b;
    float along = atStart ? start.w : finish.w;
    float unit = scale / at.w;
    float width = max(paint.a * ${ribbon.widest} * unit * mix(1.0, ${ribbon.end}, along), ${ribbon.leastPixels});
    float gap = max(${ribbon.gap} * unit, ${ribbon.leastGapPixels});
    float from = mix(gap, -0.5 * width, centered);
    float offset = from + (corner < 2 ? 0.0 : width);
    at.xy += 2.0 * offset * right / area * at.w;
    gl_Position = at;
}`;

const fragmentShader = `
precision mediump float;
in vec3 color;
out vec4 fragment;
void main() { fragment = vec4(color, 1.0); }`;

export interface RibbonOptions {
    /** Drawn above everything, on the middle of its way. */
    isOnTop: boolean;
}

export class Ribbons {
    readonly mesh: Mesh<BufferGeometry, RawShaderMaterial>;
    pieces: Pieces = { count: 0, start: new Float32Array(), finish: new Float32Array(), link: new Int32Array() };
    /** The word of each link, for picking and saving. */
    words: Words = new Uint32Array(0);
    private paint: Words = new Uint32Array(0);
    private index = new Uint32Array();
    private isWhole = false;

    constructor({ isOnTop }: RibbonOptions) {
        const material = new RawShaderMaterial({
            glslVersion: GLSL3,
            vertexShader,
            fragmentShader,
            side: DoubleSide,
            depthTest: !isOnTop,
            depthWrite: !isOnTop,
            uniforms: { area: { value: new Vector2() }, scale: { value: 1 }, centered: { value: isOnTop ? 1 : 0 } },
        });
        this.mesh = new Mesh(new BufferGeometry(), material);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = isOnTop ? 2 : 0;
    }

    setPieces(pieces: Pieces): void {
        this.pieces = pieces;
        const { count } = pieces;
        this.mesh.geometry.dispose();
        const geometry = new BufferGeometry();
        geometry.setAttribute("start", new BufferAttribute(fourTimes(pieces.start, count), 4));
        geometry.setAttribute("finish", new BufferAttribute(fourTimes(pieces.finish, count), 4));
        this.paint = new Uint32Array(4 * count);
        const bytes = new Uint8Array(this.paint.buffer);
        geometry.setAttribute("paint", new BufferAttribute(bytes, 4, true).setUsage(DynamicDrawUsage));
        this.index = new Uint32Array(6 * count);
        geometry.setIndex(new BufferAttribute(this.index, 1).setUsage(DynamicDrawUsage));
        this.mesh.geometry = geometry;
        this.isWhole = false;
    }

    /** One word a link: color and width, 0 for links that are hidden. Only pieces that are shown are drawn. */
    setWords(words: Words): void {
        this.words = words;
        const { pieces, paint } = this;
        let shown = 0;
        for (let piece = 0; piece < pieces.count; piece++) {
            const word = words[pieces.link[piece]];
            paint[4 * piece] = word;
            paint[4 * piece + 1] = word;
            paint[4 * piece + 2] = word;
            paint[4 * piece + 3] = word;
            if (word !== 0) shown++;
        }
        this.mesh.geometry.getAttribute("paint").needsUpdate = true;
        if (!(this.isWhole && shown === pieces.count)) this.writeIndex(shown);
    }

    private writeIndex(shown: number): void {
        const { pieces, paint, index } = this;
        let at = 0;
        for (let piece = 0; piece < pieces.count; piece++) {
            const v = 4 * piece;
            if (paint[v] === 0) continue;
            index[at] = index[at + 3] = v;
            index[at + 1] = v + 1;
            index[at + 2] = index[at + 4] = v + 2;
            index[at + 5] = v + 3;
            at += 6;
        }
        const attribute = this.mesh.geometry.getIndex()!;
        attribute.clearUpdateRanges();
        attribute.addUpdateRange(0, at);
        attribute.needsUpdate = true;
        this.mesh.geometry.setDrawRange(0, at);
        this.isWhole = shown === pieces.count;
    }

    /** Before a drawing: what the shader needs to know of the projection. */
    aim(projection: Projection): void {
        const { uniforms } = this.mesh.material;
        uniforms.area.value.set(projection.area.width, projection.area.height);
        uniforms.scale.value = projection.scale;
    }

    dispose(): void {
        this.mesh.geometry.dispose();
        this.mesh.material.dispose();
    }
}

/** Each four numbers for each of four vertices. */
function fourTimes(values: Float32Array, count: number): Float32Array {
    const all = new Float32Array(16 * count);
    for (let i = 0; i < count; i++) {
        for (let k = 0; k < 4; k++) {
            const value = values[4 * i + k];
            const at = 16 * i + k;
            all[at] = all[at + 4] = all[at + 8] = all[at + 12] = value;
        }
    }
    return all;
}
