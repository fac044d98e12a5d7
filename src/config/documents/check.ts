import * as z from 'zod/mini';
import { ACCOUNT_NAME, KINDS, NAME, type DocumentKind } from './name.ts';
import { memoized } from '../../lib/cache.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import { issueErrors } from './issues.ts';
import { documentSchemas, type ConfigSet } from './schema.ts';
import { gatewayDigits } from '../../lib/numbers.ts';
import { shownKey } from '../../schema/parts.ts';

/** The documents of one kind. Each is checked by its schema when it is first read. */
export interface Documents<Document> {
  /** All names, including those of wrong documents. A reference to a wrong document is not reported again. */
  readonly names: readonly string[];
  readonly has: (name: string) => boolean;
  /** Undefined if there is no document with that name, or its schema refuses it. */
  readonly get: (name: string) => Document | undefined;
  readonly errors: (name: string) => readonly FieldError[];
}

export type SetDocuments = {
  readonly [Kind in DocumentKind]: Documents<z.output<(typeof documentSchemas)[Kind]>>;
};

export const documentsOf = (set: ConfigSet): SetDocuments =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each kind is checked by its own schema
  Object.fromEntries(KINDS.map((kind) => [kind, documentsOfKind(kind, set[kind])])) as SetDocuments;

function documentsOfKind(kind: DocumentKind, raw: ConfigSet[DocumentKind]): Documents<unknown> {
  const check = memoized((name) => checkDocument(kind, name, raw[name]));
  const has = (name: string): boolean => Object.hasOwn(raw, name);
  return {
    names: Object.keys(raw),
    has,
    get: (name) => (has(name) ? check(name).document : undefined),
    errors: (name) => (has(name) ? check(name).errors : []),
  };
}

export const rightOnes = <Document>({ names, get }: Documents<Document>): readonly [string, Document][] =>
  names.flatMap((name) => {
    const document = get(name);
    return document === undefined ? [] : [[name, document]];
  });

function checkDocument(kind: DocumentKind, name: string, document: unknown) {
  const path = `${kind}.${shownKey(name)}`;
  const wrongName = nameError(kind, name);
  if (wrongName !== null) return { errors: [fieldError(path, 'malformed', wrongName)] };
  const { data, error } = z.safeParse<z.core.$ZodType>(documentSchemas[kind], document, {
    reportInput: true,
  });
  return { document: data, errors: error?.issues.flatMap((issue) => issueErrors(path, issue)) ?? [] };
}

function nameError(kind: DocumentKind, name: string): string | null {
  const isAccount = kind === 'accounts';
  if (isAccount && !ACCOUNT_NAME.test(name))
    return 'the name of an account must be lower-case letters, digits, `-` and `_`, 32 at most, starting with a letter';
  if (!isAccount && !NAME.test(name))
    return 'the name must be letters, digits, `-` and `_`, 64 at most, starting with a letter or digit';
  // In `to`, such a name would be read as a number.
  return kind === 'recipients' && gatewayDigits.test(name)
    ? 'the name of a recipients list must not look like a number'
    : null;
}
