/**
 * Links and nodes that are drawn once, and then only colored again.
 *
 * At most steps of the slider all stay where they are, and only colors of links change; but drawing 200,000 wedges takes
 * software WebGL nearly all of a step. So when the same is drawn from the same place a second time, the number of the
 * piece at each pixel is drawn into a buffer. From then on a step is one pass over the pixels, which looks up the color
 * of each, and copies the depth for what is drawn later.
 *
 * The width of a link changes too, where the eye is near. In the buffer each wedge has the least width. Those that are
 * wider cover the same pixels and some more: they are drawn again as ever, and few while all of the machine is seen.
 *
 * While the eye moves, or links appear and vanish, a buffer would serve one picture only: all is drawn as ever. So it is
 * where edges are smoothed, since numbers cannot be mixed, and where links are few.
 */

import {
    BufferGeometry,
    type Camera,
    DepthTexture,
    GLSL3,
    Mesh,
    RawShaderMaterial,
    type WebGLRenderer,
    WebGLRenderTarget,
} from "three";
import type { Projection } from "./camera.ts";
import type { NodePoints } from "./points.ts";
import { type Ribbons, sharesOfLeastWidth, wordOfPiece } from "./ribbons.ts";

/** One triangle around the whole area. */
const vertexShader = `
precision highp float;
out vec2 place;
void main() {
    place = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
    gl_Position = vec4(2.0 * place - 1.0, 0.0, 1.0);
}`;

/** Nodes have their colors in the buffer: they are opaque there. */
const fragmentShader = `
precision highp float;
precision highp int;
uniform sampler2D numbers;
uniform highp sampler2D depths;
${wordOfPiece}
in vec2 place;
out vec4 fragment;
void main() {
    ivec2 at = ivec2(place * vec2(textureSize(numbers, 0)));
    vec4 own = texelFetch(numbers, at, 0);
    if (own.a == 0.0) discard;
    ivec3 digits = ivec3(round(255.0 * own.rgb));
    int piece = digits.r + 256 * digits.g + 65536 * digits.b;
    fragment = vec4(own.a == 1.0 ? own.rgb : wordOf(piece).rgb, 1.0);
    gl_FragDepth = texelFetch(depths, at, 0).r;
}`;

export class Recolored {
    /** The pass over the pixels. */
    readonly mesh: Mesh<BufferGeometry, RawShaderMaterial>;
    private readonly links: Ribbons;
    private readonly nodes: NodePoints;
    private readonly buffer = new WebGLRenderTarget(1, 1, { depthTexture: new DepthTexture(1, 1) });
    /** What was drawn last, from where. */
    private drawn = "";
    /** Whether the buffer holds it. */
    private isNumbered = false;
    private shares = new Uint8Array();

    constructor(links: Ribbons, nodes: NodePoints) {
        this.links = links;
        this.nodes = nodes;
        const material = new RawShaderMaterial({
            glslVersion: GLSL3,
            vertexShader,
            fragmentShader,
            uniforms: {
                numbers: { value: this.buffer.texture },
                depths: { value: this.buffer.depthTexture },
                words: links.mesh.material.uniforms.words,
            },
        });
        this.mesh = new Mesh(new BufferGeometry(), material);
        this.mesh.geometry.setDrawRange(0, 3);
        this.mesh.frustumCulled = false;
        this.mesh.visible = false;
        this.mesh.renderOrder = -1;
    }

    /** Before a drawing: decides between drawing all and coloring again. */
    prepare(renderer: WebGLRenderer, camera: Camera, projection: Projection): void {
        const { links, nodes } = this;
        const { area, elements } = projection;
        const [width, height] = [area.width, area.height].map((length) => pixelsOf(length, renderer));
        const toDraw = [links.edition, nodes.edition, width, height, ...Array.from(elements)].join();
        const isSame = links.areWedges && toDraw === this.drawn;
        this.drawn = toDraw;
        if (isSame && !this.isNumbered) {
            this.buffer.setSize(width, height);
            this.drawNumbers(renderer, camera);
            this.shares = sharesOfLeastWidth(links.pieces, projection);
        }
        if (isSame) links.chooseWiderThan(this.shares);
        else if (this.isNumbered) links.chooseShown();
        this.isNumbered = isSame;
        this.mesh.visible = isSame;
        nodes.points.visible = !isSame;
    }

    private drawNumbers(renderer: WebGLRenderer, camera: Camera): void {
        const { links, nodes } = this;
        links.tellNumbers(true);
        renderer.setRenderTarget(this.buffer);
        renderer.clear();
        renderer.render(links.mesh, camera);
        renderer.render(nodes.points, camera);
        renderer.setRenderTarget(null);
        links.tellNumbers(false);
    }

    dispose(): void {
        this.mesh.geometry.dispose();
        this.mesh.material.dispose();
        this.buffer.dispose();
    }
}

/** As the renderer rounds them for its viewport; of a page that is not shown yet there are none. */
function pixelsOf(length: number, renderer: WebGLRenderer): number {
    return Math.max(1, Math.round(length * renderer.getPixelRatio()));
}
