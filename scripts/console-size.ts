import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '..');

/** Budgets of the console's files, in bytes of gzip: of all that is loaded before an editor is opened, and of the editor. */
const WITHOUT_EDITOR = 150 * 1_024;
const EDITOR = 130 * 1_024;

/** In the files that only the editor of a template loads: the editor itself, and the patch of a file that is kept in git. */
const OF_EDITORS: readonly string[] = ['/node_modules/@codemirror/', '/node_modules/yaml/'];

interface Built {
  readonly name: string;
  /** Gzipped. */
  readonly bytes: number;
  /** True if only an editor needs it. */
  readonly isEditor: boolean;
}

const kib = (bytes: number): string => (bytes / 1_024).toFixed(1);

/** Builds the console without writing it, and gives its files. */
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
      isEditor:
        file.type === 'chunk' &&
        !file.isEntry &&
        file.moduleIds.some((id) => OF_EDITORS.some((part) => id.includes(part))),
    }));
}

const sum = (files: readonly Built[]): number => files.reduce((all, { bytes }) => all + bytes, 0);

/** Prints how large the console is; fails when it is over a budget. */
async function main(): Promise<void> {
  const files = await buildFiles();
  for (const { name, bytes, isEditor } of files)
    process.stdout.write(`  ${name}: ${kib(bytes)} KiB${isEditor ? ', for editors' : ''}\n`);
  for (const [what, bytes, budget] of [
    ['console without its editor', sum(files.filter(({ isEditor }) => !isEditor)), WITHOUT_EDITOR],
    ['editor', sum(files.filter(({ isEditor }) => isEditor)), EDITOR],
  ] as const) {
    process.stdout.write(`${what}: gzipped ${kib(bytes)} KiB (budget ${kib(budget)} KiB)\n`);
    if (bytes > budget) process.exitCode = 1;
  }
}

await main();
