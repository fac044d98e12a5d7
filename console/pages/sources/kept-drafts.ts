import type { SessionInfo } from '../../api/session.ts';
import { readStored, store } from '../../lib/stored.ts';
import { NO_ANSWERS, type Answers } from './draft.ts';
import { isObject } from '../../../src/lib/json.ts';

export interface KeptDraft {
  readonly provider: string;
  readonly source: string;
  readonly answers: Answers;
  /** The secrets that were not set when it was kept. */
  readonly missing: readonly string[];
}

type Person = Pick<SessionInfo, 'actor' | 'role'>;

const PREFIX = 'hookbell:new-source:';

const prefixOf = ({ actor, role }: Person): string => `${PREFIX}${role}:${encodeURIComponent(actor)}:`;

/** Keeps a draft in this browser, of this relay's address; null: forgets it. */
export const keepDraft = (person: Person, provider: string, draft: KeptDraft | null): void =>
  store(localStorage, prefixOf(person) + provider, draft);

export const readDraft = (person: Person, provider: string): KeptDraft | null =>
  draftAt(prefixOf(person) + provider);

/** A person's drafts, by the names of their sources. */
export function draftsOf(person: Person): readonly KeptDraft[] {
  const prefix = prefixOf(person);
  return keys()
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => draftAt(key) ?? [])
    .toSorted((a, b) => (a.source < b.source ? -1 : 1));
}

/** They hold numbers, so whoever signs out leaves none behind. */
export const forgetDrafts = (): void =>
  keys()
    .filter((key) => key.startsWith(PREFIX))
    .forEach((key) => localStorage.removeItem(key));

function keys(): readonly string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

const draftAt = (key: string): KeptDraft | null => readKept(readStored(localStorage, key));

/** A draft, which another version of the console may have kept. Null if it is not one. */
export function readKept(value: unknown): KeptDraft | null {
  if (!isObject(value)) return null;
  const { provider, source, answers, missing } = value;
  if (typeof provider !== 'string' || typeof source !== 'string' || !isObject(answers)) return null;
  const asked = isObject(answers['asked']) ? answers['asked'] : {};
  const text = (name: keyof Answers): string | null => {
    const one = answers[name];
    return typeof one === 'string' ? one : null;
  };
  return {
    provider,
    source,
    missing: texts(missing) ?? [],
    answers: {
      ...NO_ANSWERS,
      source: text('source'),
      account: text('account') ?? '',
      list: text('list'),
      numbers: text('numbers') ?? '',
      addresses: text('addresses') ?? '',
      country: text('country'),
      locale: text('locale'),
      timezone: text('timezone'),
      quietFrom: text('quietFrom') ?? '',
      quietTo: text('quietTo') ?? '',
      outagesWait: answers['outagesWait'] === true,
      asked: Object.fromEntries(
        Object.entries(asked).flatMap(([name, one]) => (typeof one === 'string' ? [[name, one]] : [])),
      ),
      without: texts(answers['without']),
    },
  };
}

const texts = (value: unknown): readonly string[] | null =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : null;
