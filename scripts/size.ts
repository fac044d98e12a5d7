import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const ROOT = dirname(import.meta.dirname);

/** In KiB of gzip: what a deploy uploads, all of the console that is loaded before an editor is opened, and the editor. */
const BUDGETS = { bundle: 270, 'console without its editor': 149, editor: 130 } as const;

/** In the files that only the editor of a template loads: the editor itself, and the patch of a file that is kept in git. */
const OF_EDITORS: readonly string[] = ['/node_modules/@codemirror/', '/node_modules/yaml/'];

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

const kib = (bytes: number): string => (bytes / 1_024).toFixed(1);

const zipped = (contents: string | Uint8Array): number => gzipSync(contents, { level: 9 }).byteLength;

function judge(what: keyof typeof BUDGETS, bytes: number): void {
  print(`${what}: gzipped ${kib(bytes)} KiB (budget ${BUDGETS[what]} KiB)`);
  if (bytes > BUDGETS[what] * 1_024) process.exitCode = 1;
}

function measureWorker(): void {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-bundle-'));
  try {
    const args = ['node_modules/wrangler/bin/wrangler.js', 'deploy', '--dry-run', '--outdir', folder];
    execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'pipe' });
    judge('bundle', zipped(readFileSync(join(folder, 'index.js'))));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureConsole(): Promise<void> {
  const built = await build({
    configFile: join(ROOT, 'console/vite.config.ts'),
    logLevel: 'error',
    build: { write: false },
  });
  const sums = { 'console without its editor': 0, editor: 0 };
  for (const { output } of 'close' in built ? [] : [built].flat())
    for (const file of output) {
      // By the modules in it, since a file's name is made from its content.
      const isOfEditor =
        file.type === 'chunk' &&
        !file.isEntry &&
        file.moduleIds.some((id) => OF_EDITORS.some((part) => id.includes(part)));
      const of = isOfEditor ? 'editor' : 'console without its editor';
      const bytes = zipped(file.type === 'chunk' ? file.code : file.source);
      print(`  ${file.fileName}: ${kib(bytes)} KiB, ${of}`);
      sums[of] += bytes;
    }
  judge('console without its editor', sums['console without its editor']);
  judge('editor', sums.editor);
}

measureWorker();
await measureConsole();
