import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '..');

/** In the files that only the editor of a template loads: the editor itself, and the patch of a file that is kept in git. */
const OF_EDITORS: readonly string[] = ['/node_modules/@codemirror/', '/node_modules/yaml/'];

interface Built {
  readonly name: string;
  readonly bytes: number;
  readonly of: keyof typeof BUDGETS;
}

/** In bytes of gzip: all that is loaded before an editor is opened, and the editor. */
const BUDGETS = { 'console without its editor': 149 * 1_024, editor: 130 * 1_024 } as const;

const kib = (bytes: number): string => (bytes / 1_024).toFixed(1);

/** Builds the console without writing it, and returns its files. */
async function buildFiles(): Promise<readonly Built[]> {
  const built = await build({
    configFile: join(ROOT, 'console/vite.config.ts'),
    logLevel: 'error',
    build: { write: false },
  });
  const outputs = 'close' in built ? [] : [built].flat();
  return outputs
    .flatMap(({ output }) => output)
    .map((file) => ({
      name: file.fileName,
      bytes: gzipSync(file.type === 'chunk' ? file.code : file.source, { level: 9 }).byteLength,
      // By the modules in it, since a file's name is made from its content.
      of: file.type === 'chunk' && !file.isEntry ? partOf(file.moduleIds) : 'console without its editor',
    }));
}

const partOf = (modules: readonly string[]): Built['of'] =>
  modules.some((id) => OF_EDITORS.some((part) => id.includes(part)))
    ? 'editor'
    : 'console without its editor';

/** Prints the size of the console; fails when it is over a budget. */
async function main(): Promise<void> {
  const files = await buildFiles();
  for (const { name, bytes, of } of files) process.stdout.write(`  ${name}: ${kib(bytes)} KiB, ${of}\n`);
  for (const [what, budget] of Object.entries(BUDGETS)) {
    const bytes = files.reduce((all, one) => all + (one.of === what ? one.bytes : 0), 0);
    process.stdout.write(`${what}: gzipped ${kib(bytes)} KiB (budget ${kib(budget)} KiB)\n`);
    if (bytes > budget) process.exitCode = 1;
  }
}

await main();
