// Makes the page's script and style, byte for byte the same from the same sources and lock file.
// `node build.mjs [FOLDER]`; by default where the Python package has them.
import { readFile, writeFile, mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "..", "pytest_todeval", "viewer", "built");

const made = await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx" },
  outdir: "/built",
  bundle: true,
  minify: true,
  write: false,
  format: "iife",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "ascii",
  legalComments: "none",
  metafile: true,
});

await mkdir(out, { recursive: true });
for (const file of made.outputFiles) {
  await writeFile(join(out, file.path.split(/[\\/]/).pop()), file.contents);
}
await writeFile(join(out, "LICENSES.txt"), await licenses(Object.keys(made.metafile.inputs)));

/** The licence of each package of which the script has a part. */
async function licenses(inputs) {
  const names = inputs.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const texts = [];
  for (const name of [...new Set(names)].filter(Boolean).sort()) {
    const folder = join(here, "node_modules", name);
    const about = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
    const text = file ? await readFile(join(folder, file), "utf8") : `Licence: ${about.license}\n`;
    texts.push(`${name} ${about.version} (${about.license})\n\n${text.replace(/\r/g, "").trim()}\n`);
  }
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}
