import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const TESTS = join(import.meta.dirname, '..');
const RUNTIME = /from '(?:cloudflare:test|cloudflare:workers)'|import\('cloudflare:/;
const IMPORT = /from '(\.[^']+\.ts)'|^import '(\.[^']+\.ts)'/gm;

/** Whether a test file uses objects, KV or the Worker's front door: it, or a helper of the tests that it imports. */
export function usesBindings(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  if (RUNTIME.test(text)) return true;
  return [...text.matchAll(IMPORT)]
    .map(([, from, alone]) => join(dirname(file), from ?? alone ?? ''))
    .some((imported) => imported.startsWith(TESTS) && usesBindings(imported, seen));
}
