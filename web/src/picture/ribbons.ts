/**
 * Links as flat ribbons that face the camera: wide where they begin, narrow where they end.
 *
 *     A ▬▬▬▬▬▭▭▭▭▭ B      A to B is drawn to the right of its way, and B to A to the right of its own,
 *       ▭▭▭▭▭▬▬▬▬▬        so that the two directions of a wire lie side by side
 *
 * All are one plain geometry. Instances would need a quarter of the memory, but software WebGL draws each instance as a
 * call of its own, which takes seconds for 200,000. Color and width are one word of four bytes a piece in a texture, the
 * only thing that a step of the slider writes.
 *
 * Where there are many, a ribbon is a wedge of three corners instead of four: software WebGL then needs half of the
 * time, and lines of one or two pixels look the same. `recolored.ts` does not even draw these again at each step.
 */

import {
    BufferAttribute,
    BufferGeometry,
    DataTexture,
    DoubleSide,
    DynamicDrawUsage,
    GLSL3,
    Matrix4,
    Mesh,
    RawShaderMaterial,
    Vector2,
    Vector3,
} from "three";
import type { Projection } from "./camera.ts";
import type { Pieces } from "./pieces.ts";
import { float, type Rgb, type Words } from "./types.ts";

/** Corners of a piece, and the triangles between them. */
interface Form {
    corners: number;
    triangles: number[];
}

const band: Form = { corners: 4, triangles: [0, 1, 2, 0, 2, 3] };
const wedge: Form = { corners: 3, triangles: [0, 1, 2] };

/** From so many pieces on they are wedges. */
const manyPieces = 60_000;

/**
 * In units of the distance of neighbors, or in pixels where the name says so. The halo has the color of the ground: it
 * shows which of two lines that cross is in front, as in engravings, and leaves the color itself as it is.
 */
export const ribbon = {
    widest: 0.13,
    end: 0.4,
    gap: 0.02,
    halo: 1.5,
    leastPixels: 1.1,
    mostPixels: 13,
    leastGapPixels: 0.4,
};

/** Pixels of a ribbon at an end, and of its halo and its gap to the middle of the wire, as the shader has them. */
export function ribbonPixels(share: number, along: number, unit: number): { width: number; halo: number; gap: number } {
    const wanted = share * Math.min(ribbon.widest * unit, ribbon.mostPixels) * (1 + (ribbon.end - 1) * along);
    const width = Math.max(wanted, ribbon.leastPixels);
    const halo = Math.min(ribbon.halo, Math.max(0, 0.3 * (width - ribbon.leastPixels)));
    return { width, halo, gap: Math.max(ribbon.gap * unit, halo, ribbon.leastGapPixels) };
}

/**
 * A wedge is wider where it begins than a band, since it ends in a point. Its width goes in steps, so that those of a
 * large torus, which differ by less than can be seen, have the least.
 */
const wedgeWidth = { factor: 1.6, leastPixels: 2, stepPixels: 0.5 };

/** For each piece, the share of width in 255ths up to which its wedge has the least width. */
export function sharesOfLeastWidth(
    { count, start }: Pieces,
    { elements: e, scale }: Projection,
): Uint8Array<ArrayBuffer> {
    const { factor, leastPixels, stepPixels } = wedgeWidth;
    const shares = new Uint8Array(count);
    for (let piece = 0; piece < count; piece++) {
        const at = 4 * piece;
        const distance = e[3] * start[at] + e[7] * start[at + 1] + e[11] * start[at + 2] + e[15];
        const most = factor * Math.min((ribbon.widest * scale) / distance, ribbon.mostPixels);
        // Behind the eye is nothing to draw.
        const next = (255 * (leastPixels + stepPixels)) / most;
        shares[piece] = distance > 0 ? Math.min(255, Math.ceil(next) - 1) : 255;
    }
    return shares;
}

/** Words in a row of their texture, and the same as a power of two: software WebGL is slow in dividing integers. */
const rowOfWords = 1024;
const bitsOfRow = Math.log2(rowOfWords);

/** For shaders: the word of a piece. */
export const wordOfPiece = `
uniform sampler2D words;
vec4 wordOf(int piece) {
    return texelFetch(words, ivec2(piece & ${rowOfWords - 1}, piece >> ${bitsOfRow}), 0);
}`;

const [widest, end, gap, halo, leastPixels, mostPixels, leastGapPixels] = Object.values(ribbon).map(float);
const [wedgeFactor, leastWedgePixels, stepOfWedge] = Object.values(wedgeWidth).map(float);

/** With NUMBERS the color tells the number of the piece, and the width is the least. */
const vertexShader = `
precision highp float;
${wordOfPiece}
uniform mat4 projection;
uniform vec2 area;
uniform float scale;
uniform float centered;
in vec4 start;
in vec4 finish;
out vec3 color;
#if CORNERS == 4
out vec2 edge;
#endif
const float nearest = 0.05;
void main() {
    int piece = gl_VertexID / CORNERS;
#ifdef NUMBERS
    color = vec3(piece & 255, (piece >> 8) & 255, piece >> 16) / 255.0;
    float share = 0.0;
#else
    vec4 word = wordOf(piece);
    color = word.rgb;
    float share = word.a;
#endif
    vec4 a = projection * vec4(start.xyz, 1.0);
    vec4 b = projection * vec4(finish.xyz, 1.0);
#if CORNERS == 3
    if (a.w < nearest || b.w < nearest) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
#else
    if (a.w < nearest && b.w < nearest) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    if (a.w < nearest) a = mix(a, b, (nearest - a.w) / (b.w - a.w));
    if (b.w < nearest) b = mix(b, a, (nearest - b.w) / (a.w - b.w));
#endif
    vec2 way = (b.xy / b.w - a.xy / a.w) * area;
    vec2 right = dot(way, way) < 1e-6 ? vec2(0.0) : normalize(vec2(way.y, -way.x));
    int corner = gl_VertexID - CORNERS * piece;
#if CORNERS == 3
    vec4 at = corner == 1 ? b : a;
    float unit = scale / at.w;
    float wanted = share * min(${widest} * unit, ${mostPixels}) * ${wedgeFactor};
    float width = max(${stepOfWedge} * floor(wanted / ${stepOfWedge}), ${leastWedgePixels});
    float offset = max(${gap} * unit, ${leastGapPixels}) + (corner == 2 ? width : 0.0);
#else
    bool atStart = corner == 0 || corner == 3;
    vec4 at = atStart ? a : b;
    float along = atStart ? start.w : finish.w;
    float unit = scale / at.w;
    float width = max(share * min(${widest} * unit, ${mostPixels}) * mix(1.0, ${end}, along), ${leastPixels});
    float halo = clamp(0.3 * (width - ${leastPixels}), 0.0, ${halo});
    float gap = max(${gap} * unit, max(halo, ${leastGapPixels}));
    float offset = mix(gap, -0.5 * width, centered) + (corner < 2 ? -halo : width + halo);
    edge = vec2(corner < 2 ? -1.0 : 1.0, width / (width + 2.0 * halo));
#endif
    at.xy += 2.0 * offset * right / area * at.w;
    gl_Position = at;
}`;

const fragmentShader = `
precision mediump float;
uniform vec3 ground;
in vec3 color;
#if CORNERS == 4
in vec2 edge;
#endif
out vec4 fragment;
void main() {
#if defined(NUMBERS)
    fragment = vec4(color, 0.5); // nodes, which have colors there, are opaque
#elif CORNERS == 3
    fragment = vec4(color, 1.0);
#else
    fragment = vec4(abs(edge.x) > edge.y ? ground : color, 1.0);
#endif
}`;

export interface RibbonOptions {
    /** Drawn above everything, on the middle of its way. */
    isOnTop: boolean;
}

export class Ribbons {
    readonly mesh: Mesh<BufferGeometry, RawShaderMaterial>;
    pieces: Pieces = { count: 0, start: new Float32Array(), finish: new Float32Array(), link: new Int32Array() };
    /** The word of each link, for picking and saving. */
    words: Words = new Uint32Array(0);
    /** Counts the sets of pieces that have been shown one after another. */
    edition = 0;
    private form = band;
    /** The word of each piece, and the same as a texture. */
    private paint: Words = new Uint32Array(rowOfWords);
    private texture = textureOf(this.paint);
    private index = new Uint32Array();

    constructor({ isOnTop }: RibbonOptions) {
        const material = new RawShaderMaterial({
            glslVersion: GLSL3,
            vertexShader,
            fragmentShader,
            defines: { CORNERS: band.corners },
            side: DoubleSide,
            depthTest: !isOnTop,
            depthWrite: !isOnTop,
            uniforms: {
                projection: { value: new Matrix4() },
                area: { value: new Vector2() },
                scale: { value: 1 },
                centered: { value: isOnTop ? 1 : 0 },
                ground: { value: new Vector3() },
                words: { value: this.texture },
            },
        });
        this.mesh = new Mesh(new BufferGeometry(), material);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = isOnTop ? 2 : 0;
    }

    get areWedges(): boolean {
        return this.form === wedge;
    }

    setPieces(pieces: Pieces): void {
        const { count } = pieces;
        const form = count < manyPieces ? band : wedge;
        this.pieces = pieces;
        if (form !== this.form) this.mesh.material.needsUpdate = true;
        this.mesh.material.defines = { CORNERS: form.corners };
        this.form = form;
        this.mesh.geometry.dispose();
        const geometry = new BufferGeometry();
        geometry.setAttribute("start", new BufferAttribute(forEachCorner(pieces.start, count, form.corners), 4));
        geometry.setAttribute("finish", new BufferAttribute(forEachCorner(pieces.finish, count, form.corners), 4));
        this.index = new Uint32Array(form.triangles.length * count);
        geometry.setIndex(new BufferAttribute(this.index, 1).setUsage(DynamicDrawUsage));
        geometry.setDrawRange(0, 0);
        this.mesh.geometry = geometry;
        this.texture.dispose();
        this.paint = new Uint32Array(rowOfWords * Math.max(1, Math.ceil(count / rowOfWords)));
        this.texture = textureOf(this.paint);
        this.mesh.material.uniforms.words.value = this.texture;
        this.edition++;
    }

    /** One word a link: color and width, 0 for links that are hidden. Only pieces that are shown are drawn. */
    setWords(words: Words): void {
        this.words = words;
        const { pieces, paint } = this;
        let areOthers = false;
        for (let piece = 0; piece < pieces.count; piece++) {
            const word = words[pieces.link[piece]];
            if ((word === 0) !== (paint[piece] === 0)) areOthers = true;
            paint[piece] = word;
        }
        this.texture.needsUpdate = true;
        if (!areOthers) return;
        this.chooseShown();
        this.edition++;
    }

    /** The next drawings have all pieces that are not hidden. */
    chooseShown(): void {
        this.writeIndex((word) => word !== 0);
    }

    /** The next drawings have only pieces that are wider than shares of width, in 255ths. */
    chooseWiderThan(shares: Uint8Array): void {
        this.writeIndex((word, piece) => word >>> 24 > shares[piece]);
    }

    private writeIndex(isChosen: (word: number, piece: number) => boolean): void {
        const { pieces, paint, index } = this;
        const { corners, triangles } = this.form;
        let at = 0;
        for (let piece = 0; piece < pieces.count; piece++) {
            if (!isChosen(paint[piece], piece)) continue;
            const first = corners * piece;
            for (let k = 0; k < triangles.length; k++) index[at++] = first + triangles[k];
        }
        const attribute = this.mesh.geometry.getIndex()!;
        attribute.clearUpdateRanges();
        attribute.addUpdateRange(0, at);
        attribute.needsUpdate = true;
        this.mesh.geometry.setDrawRange(0, at);
    }

    /** Whether the next drawings have numbers in the place of colors. The material keeps the programs of both. */
    tellNumbers(isOn: boolean): void {
        const { material } = this.mesh;
        material.defines = { CORNERS: this.form.corners, ...(isOn ? { NUMBERS: "" } : {}) };
        material.needsUpdate = true;
    }

    setGround([r, g, b]: Rgb): void {
        this.mesh.material.uniforms.ground.value.set(r / 255, g / 255, b / 255);
    }

    /** Before a drawing: what the shader needs to know of the projection. */
    aim(projection: Projection): void {
        const { uniforms } = this.mesh.material;
        uniforms.projection.value.fromArray(projection.elements);
        uniforms.area.value.set(projection.area.width, projection.area.height);
        uniforms.scale.value = projection.scale;
    }

    dispose(): void {
        this.texture.dispose();
        this.mesh.geometry.dispose();
        this.mesh.material.dispose();
    }
}

function textureOf(words: Words): DataTexture {
    return new DataTexture(new Uint8Array(words.buffer), rowOfWords, words.length / rowOfWords);
}

/** Each four numbers for each of the corners. */
function forEachCorner(values: Float32Array, count: number, corners: number): Float32Array {
    const all = new Float32Array(4 * corners * count);
    let at = 0;
    for (let i = 0; i < count; i++) {
        for (let corner = 0; corner < corners; corner++) {
            for (let k = 0; k < 4; k++) all[at++] = values[4 * i + k];
        }
    }
    return all;
}
