import * as z from 'zod/mini';
import type { FieldError } from '../lib/problem.ts';
import { issueErrors } from './issues.ts';
import type { DocumentKind } from './kinds.ts';
import {
  documentSchemas,
  NAME,
  type AccountDocument,
  type ConfigSet,
  type RecipientsDocument,
  type SourceDocument,
  type TemplateDocument,
} from './schema.ts';
import { gatewayDigits, shownKey } from './schema-parts.ts';

/** The documents of a set that are right in themselves; `…Names` are all there are, so that a reference can be told apart. */
export interface CheckedSet {
  readonly sources: ReadonlyMap<string, SourceDocument>;
  readonly templates: ReadonlyMap<string, TemplateDocument>;
  readonly recipients: ReadonlyMap<string, RecipientsDocument>;
  readonly accounts: ReadonlyMap<string, AccountDocument>;
  readonly templateNames: readonly string[];
  readonly recipientsNames: readonly string[];
  readonly accountNames: readonly string[];
}

/** Checks each document by its schema. */
export function checkDocuments(set: ConfigSet): { checked: CheckedSet; errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const checkAll = <Output>(
    kind: DocumentKind,
    schema: z.core.$ZodType<Output>,
  ): ReadonlyMap<string, Output> => {
    const good = new Map<string, Output>();
    for (const [name, document] of Object.entries(set[kind])) {
      const result = checkDocument(kind, name, schema, document);
      if (Array.isArray(result)) errors.push(...result);
      else good.set(name, result.document);
    }
    return good;
  };
  const checked = {
    sources: checkAll('sources', documentSchemas.sources),
    templates: checkAll('templates', documentSchemas.templates),
    recipients: checkAll('recipients', documentSchemas.recipients),
    accounts: checkAll('accounts', documentSchemas.accounts),
    templateNames: Object.keys(set.templates),
    recipientsNames: Object.keys(set.recipients),
    accountNames: Object.keys(set.accounts),
  };
  return { checked, errors };
}

function checkDocument<Output>(
  kind: DocumentKind,
  name: string,
  schema: z.core.$ZodType<Output>,
  document: unknown,
): FieldError[] | { document: Output } {
  const path = `${kind}.${shownKey(name)}`;
  const wrongName = nameError(kind, name);
  if (wrongName !== null) return [{ path, message: wrongName }];
  const result = z.safeParse(schema, document);
  return result.success
    ? { document: result.data }
    : result.error.issues.flatMap((issue) => issueErrors(path, issue));
}

/** An account's name becomes part of the names of its secrets. */
const ACCOUNT_NAME = /^[a-z][a-z0-9_-]{0,31}$/;

function nameError(kind: DocumentKind, name: string): string | null {
  if (kind === 'accounts') {
    return ACCOUNT_NAME.test(name)
      ? null
      : 'the name of an account must be small letters, digits, `-` and `_`, 32 at most, starting with a letter';
  }
  if (!NAME.test(name))
    return 'the name must be letters, digits, `-` and `_`, 64 at most, starting with a letter or digit';
  // In `to` it would be taken for a number.
  return kind === 'recipients' && gatewayDigits.test(name)
    ? 'the name of a recipients list must not look like a number'
    : null;
}
