import { SourceMap, type SourceMapPayload } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT, WORKER_FILE } from '../../cli/built.ts';
import { table } from '../../scripts/docs/page.ts';
import { parseOwnJson } from '../../src/lib/json.ts';
import { writePage } from './page.ts';

const file = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const kib = (text: string | Uint8Array): string => (text.length / 1_024).toFixed(1);

/** `npx node test/bench/bundle.ts`: which library or folder the bytes of the bundle are of, by its source map. */
const map = new SourceMap(parseOwnJson<SourceMapPayload>(file(`${WORKER_FILE}.map`)));
const parts = new Map<string, string>();
for (const [row, line] of file(WORKER_FILE).split('\n').entries())
  for (let at = 0; at < line.length; at += 1) {
    const entry = map.findEntry(row, at);
    const source = 'originalSource' in entry ? entry.originalSource : '';
    const name = /(?:node_modules\/(?:@[^/]+\/)?|src\/)[^/]+/.exec(source)?.[0] ?? 'the bundler';
    parts.set(name, `${parts.get(name) ?? ''}${line.charAt(at)}`);
  }
const rows = [...parts].toSorted(([, a], [, b]) => b.length - a.length);
const sizes = rows.map(([name, text]) => [name, kib(text), kib(gzipSync(text, { level: 9 }))]);
await writePage({ bundle: table(['', 'KiB', 'KiB, gzipped'], sizes) });
