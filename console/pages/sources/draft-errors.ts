import type { PlannedDocument } from '../../../shared/new-source/plan.ts';
import { NAME } from '../../../src/config/documents/name.ts';
import type { DocumentSet } from '../../api/types.ts';
import { secretNames } from './model.ts';

interface ErrorAtPath {
  readonly code?: string | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
}

/** The answer that an error is about, by the path that the API gives. */
export type DraftField = 'source' | 'account' | 'country' | 'locale' | 'timezone' | 'numbers' | 'quiet';

export function fieldAt(path: string, source: string): DraftField | null {
  if (path === `sources.${source}`) return 'source';
  const [first = '', , third = ''] = path.split('.');
  if (first === 'recipients') return third.startsWith('quiet') ? 'quiet' : 'numbers';
  const rest = path.startsWith(`sources.${source}.`) ? path.slice(`sources.${source}.`.length) : '';
  if (rest === 'account' || rest === 'locale' || rest === 'timezone') return rest;
  return rest === 'country' || rest.startsWith('countries') ? 'country' : null;
}

/** Returns the error of a single answer as a key of the texts; null: none. */
export function wrongName(source: string, set: DocumentSet): 'badName' | 'takenName' | null {
  if (!NAME.test(source)) return 'badName';
  return Object.hasOwn(set.sources, source) ? 'takenName' : null;
}

/** Splits the relay's errors about a planned source into the secrets that are not set and all other errors. */
export function missingIn<Some extends ErrorAtPath>(
  errors: readonly Some[],
  source: string,
  documents: readonly PlannedDocument[],
): { readonly missing: ReadonlySet<string>; readonly others: readonly Some[] } {
  const own = documents.find(({ kind, name }) => kind === 'sources' && name === source);
  const names = own === undefined ? [] : secretNames(own.value);
  const isAbout = (name: string, { code, params }: Some): boolean =>
    code === 'not-set' && params?.['name'] === name;
  const missing = names.filter((name) => errors.some((error) => isAbout(name, error)));
  return {
    missing: new Set(missing),
    others: errors.filter((error) => !missing.some((name) => isAbout(name, error))),
  };
}
