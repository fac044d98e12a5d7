import type { SessionInfo } from '../../api/types.ts';
import { readStored, store } from '../../lib/stored.ts';
import type { Answers } from './draft.ts';

interface KeptDraft {
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
  readStored(localStorage, prefixOf(person) + provider);

const keysOf = (prefix: string): readonly string[] =>
  Object.keys(localStorage).filter((key) => key.startsWith(prefix));

/** A person's drafts, by the names of their sources. */
export const draftsOf = (person: Person): readonly KeptDraft[] =>
  keysOf(prefixOf(person))
    .flatMap((key) => readStored<KeptDraft>(localStorage, key) ?? [])
    .toSorted((a, b) => (a.source < b.source ? -1 : 1));

/** They hold numbers, so whoever signs out leaves none behind. */
export const forgetDrafts = (): void => keysOf(PREFIX).forEach((key) => localStorage.removeItem(key));
