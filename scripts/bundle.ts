import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { transform } from '@swc/core';
import { build } from 'esbuild';
import { leaveOutUnreached } from './leave-out.ts';
import { shortenStatements } from './short-statements.ts';

const ROOT = dirname(import.meta.dirname);

/** What is off makes shorter code that is longer when it is gzipped. */
const COMPRESS = { passes: 3, collapse_vars: false, sequences: false, if_return: false };

/**
 * `npm run bundle`, which Wrangler calls before each deploy and after each change while it runs the Worker: writes the Worker
 * as one file, `dist/worker.js`. Tests give another entry and another file. esbuild puts together what is used, with the
 * options that Wrangler has for it; swc makes the rest shorter.
 */
async function main([entry = 'src/index.ts', to = 'dist/worker.js']: readonly string[]): Promise<void> {
  const file = resolve(ROOT, to);
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: file,
    write: false,
    bundle: true,
    minify: true,
    sourcemap: 'external',
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    plugins: [leaveOutUnreached, shortenStatements],
    define: { 'process.env.NODE_ENV': '"production"', 'navigator.userAgent': '"Cloudflare-Workers"' },
  });
  const bundled = (path: string): string => outputFiles.find((one) => one.path === path)?.text ?? '';
  const { code, map = '' } = await transform(bundled(file), {
    swcrc: false,
    isModule: true,
    inputSourceMap: bundled(`${file}.map`),
    sourceMaps: true,
    minify: true,
    jsc: { target: 'es2024', minify: { compress: COMPRESS, mangle: true } },
  });
  mkdirSync(dirname(file), { recursive: true });
  write(`${file}.map`, map);
  write(file, `${code}\n//# sourceMappingURL=${basename(file)}.map\n`);
}

/** In one step: another deploy may be reading the file. */
function write(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}

await main(process.argv.slice(2)).catch((thrown: unknown) => {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 1;
});
