import { unknownName } from '../../src/config/documents/unknown-name.ts';
import { isNeeded, isValue } from '../../src/config/documents/starter-texts.ts';
import { err, ok, type Result } from '../../src/lib/result.ts';
import type { Ask } from '../ask.ts';
import { misused, type CommandResult } from '../failure.ts';
import type { ProviderStarter } from './starters.ts';

/**
 * Collects the answers to a starter's questions, by their names (empty: there is none): given as `name=value`, or else
 * answered by a person. Without a terminal, the rest stays open: the lines of messages that need an answer are left out.
 * A question of the source itself cannot stay open.
 */
export async function askAnswers(
  given: readonly string[],
  ask: Ask | null,
  { provider, starter }: ProviderStarter,
): Promise<CommandResult<Readonly<Record<string, string>>>> {
  const { asks = {} } = starter;
  const known = readGiven(given);
  if (!known.ok) return misused(`--answer: ${known.error}`);
  const unknown = [...known.value.keys()].find((name) => !Object.hasOwn(asks, name));
  if (unknown !== undefined)
    return misused(
      Object.keys(asks).length === 0
        ? `--answer: the starter of ${provider.id} has no questions`
        : `--answer: ${unknownName('question', unknown, Object.keys(asks))}`,
    );
  const answers: Record<string, string> = {};
  for (const [name, { question, example, pattern }] of Object.entries(asks)) {
    const mustBe = isNeeded(name, starter);
    const text = known.value.get(name);
    if (mustBe && ask === null && (text ?? '') === '')
      return misused(`--answer ${name}=… is needed, such as ${name}=${example}: ${question}`);
    const without = isValue(name, starter) ? ` (empty: ${example})` : ' (empty: messages have no links)';
    const one = await answer(text, ask, {
      message: `${question}, such as ${example}${mustBe ? '' : without}`,
      read: (written) => {
        const meaning = written.trim();
        return (meaning === '' && !mustBe) || new RegExp(pattern).test(meaning)
          ? ok(meaning)
          : err(`does not look like ${example}`);
      },
    });
    if (!one.ok) return one;
    answers[name] = one.value;
  }
  return ok(answers);
}

/** Answers of the command line, `name=value` each. */
export function readGiven(given: readonly string[]): Result<ReadonlyMap<string, string>, string> {
  const known = new Map<string, string>();
  for (const one of given) {
    const at = one.indexOf('=');
    if (at < 1) return err(`\`${one}\` must be name=value, such as subdomain=acme`);
    known.set(one.slice(0, at).trim(), one.slice(at + 1).trim());
  }
  return ok(known);
}

interface Question<T> {
  readonly message: string;
  readonly initial?: string;
  /** Returns the meaning of an answer, or its error. */
  readonly read: (text: string) => Result<T, string>;
}

/** The given value, else a person's answer, else the likely value. */
export async function answer<T>(
  given: string | undefined,
  ask: Ask | null,
  { message, initial = '', read }: Question<T>,
): Promise<CommandResult<T>> {
  let text = given ?? initial;
  if (given === undefined && ask !== null) {
    const check = (written: string): string | undefined => {
      const value = read(meant(written));
      return value.ok ? undefined : value.error;
    };
    const written = await ask.text({ message, initial, check });
    if (!written.ok) return written;
    text = meant(written.value);
  }
  const value = read(text);
  return value.ok ? value : misused(`\`${text}\` ${value.error}`);
}

/** Enter takes the likely answer, so `-` means none. */
const meant = (written: string): string => (written.trim() === '-' ? '' : written);

export const GREETING = 'Creates a source from your answers. Nothing is written until the last one.';

/** The same person, greeted before the first question; not at all where nothing is asked. */
export function withGreeting(ask: Ask, greet: () => void): Ask {
  let isGreeted = false;
  const first = (): Ask => {
    if (!isGreeted) greet();
    isGreeted = true;
    return ask;
  };
  return {
    confirm: (message) => first().confirm(message),
    text: (question) => first().text(question),
    search: (message, choices) => first().search(message, choices),
  };
}
