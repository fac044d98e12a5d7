import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSync } from 'recheck';
import { parseSync, Visitor } from 'rolldown/utils';
import known from './regexes.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '..');
/** A person's reason why each regular expression of `src` is cheap that is not proved to take linear time. */
const LIST = join(import.meta.dirname, 'regexes.json');

const WITHOUT_REASON = 'WRITE WHY';

interface FoundRegex {
  readonly file: string;
  /** As it is written: `/a+$/g`, or the arguments of `new RegExp`. */
  readonly text: string;
  /** Null: it is put together when the code runs. */
  readonly literal: { readonly pattern: string; readonly flags: string } | null;
}

/** All regular expressions in `src`, each once, in the order of their files; of `api-*.ts` the Worker has only types. */
export function findRegexes(): readonly FoundRegex[] {
  const found = new Map<string, FoundRegex>();
  const add = (one: FoundRegex) => found.has(one.text) || found.set(one.text, one);
  for (const file of globSync('src/**/*.ts', { cwd: ROOT, exclude: ['**/api-*.ts'] }).toSorted()) {
    const source = readFileSync(join(ROOT, file), 'utf8');
    new Visitor({
      Literal: (node) => {
        if ('regex' in node) add({ file, text: node.raw ?? '', literal: node.regex });
      },
      NewExpression: ({ callee, start, end }) => {
        if (callee.type === 'Identifier' && callee.name === 'RegExp')
          add({ file, text: source.slice(start, end).replaceAll(/\s+/g, ' '), literal: null });
      },
    }).visit(parseSync(file, source).program);
  }
  return [...found.values()];
}

/**
 * Returns the regular expressions that need a reason why they are cheap: the reasons that are known, and a request for each
 * of the others that is not proved to take linear time.
 */
export function reasonsFor(found: readonly FoundRegex[]): Readonly<Record<string, string>> {
  const reasons = new Map(Object.entries(known));
  const judged = found.map((one) => [one.text, reasons.get(one.text) ?? judge(one)] as const);
  return Object.fromEntries(judged.flatMap(([text, why]) => (why === null ? [] : [[text, why]])));
}

/**
 * Returns null if recheck proves that a regular expression takes linear time on every text, else a request for a reason why
 * it is cheap. recheck tries texts on what it cannot prove, and a search that finds no slow text proves nothing.
 */
export function judge({ file, literal }: FoundRegex): string | null {
  if (literal === null) return `${WITHOUT_REASON}: it is put together when it runs (${file})`;
  const { status, checker, ...checked } = checkSync(literal.pattern, literal.flags, { timeout: 600_000 });
  if (status === 'safe')
    return checker === 'automaton' ? null : `${WITHOUT_REASON}: nobody has proved it to be linear (${file})`;
  const attack = 'attack' in checked ? checked.attack?.pattern : undefined;
  return `${WITHOUT_REASON}: ${status}${attack === undefined ? '' : `, for example ${attack}`} (${file})`;
}

/**
 * `npm run regexes`: adds each regular expression of the Worker that needs a reason and is not in the list yet, with a
 * reason to be written. Removes those that are gone.
 */
function main(): void {
  const found = findRegexes();
  const list = reasonsFor(found);
  writeFileSync(LIST, `${JSON.stringify(list, null, 2)}\n`);
  const open = Object.entries(list).filter(([, why]) => why.startsWith(WITHOUT_REASON));
  for (const [text, why] of open) process.stdout.write(`${text}\n  ${why}\n`);
  process.stdout.write(`${found.length} regular expressions, ${open.length} without a reason\n`);
  if (open.length > 0) process.exitCode = 1;
}

if (import.meta.main) main();
