import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { defineConfig } from "vite";

// The licenses of what is bundled ask for their notice in copies: it stands at the head of the built file.
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const notices = Object.keys(manifest.dependencies).map((name) => {
    const license = readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim();
    return `${name} ${manifest.dependencies[name]}\n\n${license}`;
});

// The built file names its sources: tests see without Node whether it is that of these.
const sources = createHash("sha256");
const isSource = (path: string) => statSync(path).isFile() && !path.endsWith(".test.ts");
const files = readdirSync("src", { recursive: true }).map((path) => `src/${path}`);
for (const path of [...files, "package-lock.json"].filter(isSource).sort())
    sources.update(`${path}\n`).update(readFileSync(path));
const banner = [
    `/*! torusim view, Apache 2.0, built from sources ${sources.digest("hex")}. It contains:`,
    ...notices,
    "*/",
].join("\n\n");

export default defineConfig({
    // Not `build.lib`, which leaves the white space of ES modules.
    build: {
        outDir: "../python/torusim/viewer",
        emptyOutDir: false,
        target: "es2022",
        modulePreload: false,
        rollupOptions: {
            input: "src/main.ts",
            preserveEntrySignatures: "strict",
            output: { format: "es", entryFileNames: "viewer.js", postBanner: banner },
        },
    },
});
