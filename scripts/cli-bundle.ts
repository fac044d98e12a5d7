import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';
import { beginning, textOf, writeAtOnce } from './files.ts';

const ROOT = dirname(import.meta.dirname);
const TARGET = join(ROOT, 'dist', 'cli');
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
  const bundle = await rolldown({
    cwd: ROOT,
    input: 'cli/process.ts',
    platform: 'node',
    // The oldest that the package runs on. `cli/node20.ts` has what its library lacks.
    transform: { target: 'node20' },
    // Itself a bundle, which finds its parts beside it.
    external: ['wrangler'],
    // A slow machine is no fault of a plugin.
    checks: { bundlerTimings: false },
    plugins: [ownFolders],
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true, comments: false });
  const parsed = await bundle.watchFiles;
  await bundle.close();
  const files = output.map(
    (file) => [file.fileName, file.type === 'chunk' ? file.code : file.source] as const,
  );
  const digest = createHash('sha256');
  for (const [name, contents] of files) digest.update(name).update(contents);
  const folder = digest.digest('hex').slice(0, 16);
  mkdirSync(join(TARGET, folder), { recursive: true });
  for (const [name, contents] of files) writeAtOnce(join(TARGET, folder, name), contents);
  const own = parsed.map((file) => relative(ROOT, file)).filter((file) => !file.startsWith('node_modules'));
  const inputs = [...own, INSTALLED].map((file) => {
    const { mtimeMs, size } = statSync(join(ROOT, file));
    // One that was saved meanwhile may be missing in the bundle: with this time, it is out of date.
    return [file, mtimeMs < begun ? mtimeMs : 0, size];
  });
  // A package needs only the new bundle.
  const before = process.argv.includes('--package') ? null : bundleBefore();
  writeAtOnce(MANIFEST, `${JSON.stringify({ folder, inputs })}\n`);
  // A process that has just read the manifest may still be about to read the one before.
  for (const name of readdirSync(TARGET))
    if (![folder, before, basename(MANIFEST)].includes(name)) rmSync(join(TARGET, name), { recursive: true });
}

/** A file that reads others beside it finds them from the bundle, too. */
const ownFolders: Plugin = {
  name: 'hookbell:own-folders',
  transform: {
    filter: { id: /[/\\](cli|simulator)[/\\].*\.ts$/, code: 'import.meta.dirname' },
    handler: (code, id) => {
      const folder = relative(TARGET, dirname(id)).replaceAll('\\', '/');
      return code.replaceAll('import.meta.dirname', `(import.meta.dirname + '/../${folder}')`);
    },
  },
};

const bundleBefore = (): string | null => /"folder":"(\w+)"/.exec(textOf(MANIFEST) ?? '')?.[1] ?? null;

await main();
