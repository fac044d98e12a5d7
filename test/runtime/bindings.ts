import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const TESTS = join(import.meta.dirname, '..');
const IMPORT = /from '(\.[^']+\.ts)'|^import '(\.[^']+\.ts)'/gm;

/**
 * Finds code that uses what a deployment has only once: its front door, its registry and what that publishes,
 * outboxes by the names of accounts, what the Worker remembers between requests; or that ends or empties all objects
 * at once.
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

/** True: the file uses what there is one of in each runtime. Others use objects under names of their own, or only the language. */
export const usesDeployment = (file: string): boolean => textsOf(file).some((text) => DEPLOYMENT.test(text));
