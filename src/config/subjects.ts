import { SingleFlight } from '../lib/single-flight.ts';
import { describeError, log } from '../lib/log.ts';
import { memoized } from '../lib/memoized.ts';
import { parseOwnJson } from '../lib/own-json.ts';
import { compileText, type CompiledText } from '../template/text.ts';
import { assetText } from './asset-text.ts';
import type { Source } from './config.ts';

/** The lines by which lists show events of a provider, by its id: Liquid. */
export type Subjects = Readonly<Record<string, string>>;

/** The time for which a read is shared and waited for, in ms. */
const READ_MS = 2_000;

const reading = new SingleFlight<void>(READ_MS, 'the subjects of events did not arrive in time');

let compiled: ((provider: string) => CompiledText | null) | null = null;

/** Has events shown by these lines from now on: `assets/subjects.json`. */
export function useSubjects(subjects: Subjects): void {
  compiled = memoized((provider) => {
    const text = Object.hasOwn(subjects, provider) ? compileText(subjects[provider] ?? '') : null;
    return text?.ok === true ? text.value : null;
  });
}

/**
 * Reads the subjects, once for all that run in this isolate; null: they are there. They are for people's eyes: without them an
 * event is accepted all the same, and lists show its type.
 */
export function readSubjects(env: Pick<Env, 'ASSETS'>, now: number): Promise<void> | null {
  if (compiled !== null) return null;
  return reading.run(now, () => read(env)).catch(() => undefined);
}

async function read({ ASSETS }: Pick<Env, 'ASSETS'>): Promise<void> {
  try {
    useSubjects(parseOwnJson<Subjects>(await assetText(ASSETS, 'subjects.json')));
  } catch (thrown) {
    log('warn', 'subjects.read.failed', { error: describeError(thrown) });
  }
}

/** The line by which lists show events of a source: its own, or its provider's. */
export const subjectOf = ({ subject, provider }: Pick<Source, 'subject' | 'provider'>): CompiledText | null =>
  subject ?? compiled?.(provider.id) ?? null;

/** The same of a provider's sources that have none of their own, as Liquid. */
export const providerSubject = (id: string): string | undefined => compiled?.(id)?.source;
