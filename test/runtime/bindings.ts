import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const TESTS = join(import.meta.dirname, '..');
const IMPORT = /from '(\.[^']+\.ts)'|^import '(\.[^']+\.ts)'/gm;

const BINDINGS = /from '(?:cloudflare:test|cloudflare:workers)'|import\('cloudflare:/;

/**
 * What a deployment has one of: its front door, its registry and what that publishes, outboxes by the names of accounts, what
 * the Worker remembers between requests; and what ends or empties all objects at once.
 */
const DEPLOYMENT =
  /\bexports\b[^;]*from 'cloudflare:workers'|getByName\('|registry\(env|CURRENT_KEY|recordRejection|abortAllDurableObjects|\breset\b[^;]*from 'cloudflare:test'/;

/** The file's text, and those of the tests' helpers that it imports. */
function textsOf(file: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const helpers = [...text.matchAll(IMPORT)]
    .map(([, from, alone]) => join(dirname(file), from ?? alone ?? ''))
    .filter((imported) => imported.startsWith(TESTS) && !imported.startsWith(import.meta.dirname));
  return [text, ...helpers.flatMap((helper) => textsOf(helper, seen))];
}

/**
 * What a test file uses of the runtime: nothing but its language; objects under names of its own; or the deployment, of which
 * there is one in each runtime.
 */
export function usesOf(file: string): 'language' | 'objects' | 'deployment' {
  const texts = textsOf(file);
  if (!texts.some((text) => BINDINGS.test(text))) return 'language';
  return texts.some((text) => DEPLOYMENT.test(text)) ? 'deployment' : 'objects';
}
