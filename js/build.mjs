// Builds what the wheel ships into nbask/static/: card.js, card.css, stub.js, inbox.js, inbox.css.
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { minify } from "terser";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "nbask", "static");
const PLACEHOLDER = "nbask:build";
const LIMITS = {
  "card.js": 40 * 1024,
  "card.css": 10 * 1024,
  "stub.js": 1_200,
  "inbox.js": 6 * 1024,
  "inbox.css": 2 * 1024,
};

/** One entry point, bundled and minified, as text. */
async function bundle(entry) {
  const result = await esbuild.build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: entry.endsWith(".css"),
    minifySyntax: true,
    write: false,
    format: "esm",
    target: "es2022",
    // Plain h() calls are a kilobyte smaller than the automatic runtime that tsc and the tests use.
    tsconfigRaw: { compilerOptions: { jsx: "react", jsxFactory: "h", jsxFragmentFactory: "Fragment" } },
    inject: entry === "index.ts" ? [join(here, "jsx.mjs")] : [],
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
  });
  const text = result.outputFiles[0].text;
  // Terser in place of esbuild's own minifier makes the card a kilobyte smaller.
  const options = { module: true, ecma: 2022, compress: { passes: 3 }, format: { comments: false } };
  return (entry.endsWith(".css") ? text : (await minify(text, options)).code).trim();
}

/** The bundle under its content hash: pages find the code of an earlier card by it. */
async function build() {
  const entries = ["index.ts", "style.css", "stub.ts", "inbox.ts", "inbox.css"];
  const [card, styles, stub, inbox, look] = await Promise.all(entries.map(bundle));
  // The minifier leaves the values of custom properties as they are written.
  const css = styles.replaceAll(/(--[\w-]+): /g, "$1:").replaceAll(", ", ",");
  const hash = createHash("sha256").update(card).update(css).update(stub).digest("hex").slice(0, 12);
  const stamped = (text) => `/* nbask ${hash} */\n${text.replaceAll(PLACEHOLDER, hash)}\n`;
  const files = {
    "card.js": stamped(card),
    "card.css": `${css}\n`,
    "stub.js": stamped(stub),
    "inbox.js": `${inbox}\n`,
    "inbox.css": `${look}\n`,
  };
  for (const [name, text] of Object.entries(files)) {
    // Stamped after it was minified: that it still parses is not a matter of course.
    await esbuild.transform(text, { loader: name.endsWith(".css") ? "css" : "js" });
    const bytes = Buffer.byteLength(text);
    if (bytes > LIMITS[name]) throw new Error(`${name} is ${bytes} bytes; at most ${LIMITS[name]} are allowed`);
    console.log(`${name.padEnd(9)} ${String(bytes).padStart(6)} bytes`);
  }
  // All or none: a card.js without its own stub.js would never be found in the page.
  await mkdir(out, { recursive: true });
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(out, name), text)));
  console.log(`build     ${hash}`);
}

await build();

if (process.argv.includes("--watch")) {
  const { watch } = await import("node:fs");
  let timer;
  watch(join(here, "src"), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => build().catch((error) => console.error(error.message)), 100);
  });
}
