import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { beginning } from './if-stale.ts';

const ROOT = dirname(import.meta.dirname);
const TARGET = join(ROOT, 'dist', 'cli');
/** The file that `bin/hookbell.mjs` reads. */
const MANIFEST = join(TARGET, 'bundle.json');
/** Changes whenever npm installs anything. */
const INSTALLED = 'node_modules/.package-lock.json';

/**
 * Writes the command line as few files of JavaScript, `dist/cli/<digest>/`: a Node reads those in a fraction of the time that
 * some hundred files of TypeScript take. The manifest says what they were made of, so that `bin/hookbell.mjs` never runs
 * one that is out of date.
 */
async function main(): Promise<void> {
  const begun = beginning().getTime();
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['cli/process.ts'],
    outdir: TARGET,
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    // The oldest that the package runs on. `cli/node20.ts` has what its library lacks.
    target: 'node20',
    // Itself a bundle, which finds its parts beside it.
    external: ['wrangler'],
    legalComments: 'none',
    plugins: [ownFolders],
    banner: { js: BANNER },
  });
  const digest = createHash('sha256');
  for (const { path, contents } of outputFiles) digest.update(basename(path)).update(contents);
  const folder = digest.digest('hex').slice(0, 16);
  mkdirSync(join(TARGET, folder), { recursive: true });
  for (const { path, contents } of outputFiles) write(join(TARGET, folder, basename(path)), contents);
  const own = Object.keys(metafile.inputs).filter((file) => !file.startsWith('node_modules/'));
  const inputs = [...own, INSTALLED].map((file) => {
    const { mtimeMs, size } = statSync(join(ROOT, file));
    // One that was saved meanwhile may be missing in the bundle: with this time, it is out of date.
    return [file, mtimeMs < begun ? mtimeMs : 0, size];
  });
  // A package needs only the new bundle.
  const before = process.argv.includes('--package') ? null : bundleBefore();
  write(MANIFEST, `${JSON.stringify({ folder, inputs })}\n`);
  // A process that has just read the manifest may still be about to read the one before.
  for (const name of readdirSync(TARGET))
    if (![folder, before, basename(MANIFEST)].includes(name)) rmSync(join(TARGET, name), { recursive: true });
}

/** For packages that are CommonJS, and for {@link ownFolders}. */
const BANNER = `import { createRequire as __require } from 'node:module';
import { join as __join } from 'node:path';
const require = __require(import.meta.url), __root = __join(import.meta.dirname, '..', '..', '..');`;

/** A file that reads others beside it finds them from the bundle, too. */
const ownFolders: Plugin = {
  name: 'own-folders',
  setup: (bundler) =>
    bundler.onLoad({ filter: /[/\\](cli|simulator)[/\\].*\.ts$/ }, ({ path }) => {
      const folder = JSON.stringify(relative(ROOT, dirname(path)));
      const text = readFileSync(path, 'utf8');
      return { loader: 'ts', contents: text.replaceAll('import.meta.dirname', `__join(__root, ${folder})`) };
    }),
};

function bundleBefore(): string | null {
  try {
    const text = readFileSync(MANIFEST, 'utf8');
    return /"folder":"(\w+)"/.exec(text)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** In one step: a process may be reading the file. */
function write(file: string, contents: string | Uint8Array): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, contents);
  renameSync(unfinished, file);
}

await main();
