import type * as z from 'zod';
import type { FieldError } from '../lib/problem.ts';
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
  const checkAll = <Output>(kind: DocumentKind, schema: z.ZodType<Output>): ReadonlyMap<string, Output> => {
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
  schema: z.ZodType<Output>,
  document: unknown,
): FieldError[] | { document: Output } {
  const path = `${kind}.${name}`;
  const pattern = kind === 'accounts' ? ACCOUNT_NAME : NAME;
  if (!pattern.test(name)) {
    return [
      {
        path,
        message: 'the name must be letters, digits, `-` and `_`, 64 at most, starting with a letter or digit',
      },
    ];
  }
  const result = schema.safeParse(document);
  return result.success
    ? { document: result.data }
    : result.error.issues.flatMap((issue) => issueErrors(path, issue));
}

/** An account's name becomes part of the names of its secrets. */
const ACCOUNT_NAME = /^[a-z][a-z0-9_-]{0,31}$/;

/** A union's issue hides what is wrong behind "invalid input": the member that came furthest says it better. */
function issueErrors(path: string, issue: z.core.$ZodIssue): FieldError[] {
  const here = path + issue.path.map(pathPart).join('');
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const best = issue.errors.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)[0];
    if (best !== undefined && depth(best) > 0) return best.flatMap((inner) => issueErrors(here, inner));
  }
  if (issue.code === 'unrecognized_keys') {
    const messages = issue.message.split('. ');
    return issue.keys.map((key, index) => ({
      path: `${here}.${key}`,
      message: messages[index] ?? issue.message,
    }));
  }
  return [{ path: here, message: issue.message }];
}

const depth = (issues: readonly z.core.$ZodIssue[]): number =>
  Math.max(0, ...issues.map(({ path, code }) => path.length + (code === 'unrecognized_keys' ? 1 : 0)));

const pathPart = (part: PropertyKey): string => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`);
