import * as z from 'zod';
import { documentRoutes, type ListedKind } from '../../src/admin/config/documents.ts';
import type { DocumentKind } from '../../src/config/documents/name.ts';
import { documentExamples } from '../examples/documents.ts';
import { publishedExamples } from '../examples/config.ts';
import { documents } from '../../src/admin/config/api-documents.ts';
import { receipt } from '../../src/admin/config/api-config.ts';
import { described, type ApiParameter, type RouteSpec } from '../spec.ts';

const WORDS = {
  sources: { one: 'source', a: 'a source', Id: 'Source', Ids: 'Sources', key: 'id' },
  templates: { one: 'template', a: 'a template', Id: 'Template', Ids: 'Templates', key: 'name' },
  recipients: {
    one: 'recipients list',
    a: 'a recipients list',
    Id: 'Recipients',
    Ids: 'RecipientsLists',
    key: 'name',
  },
  silences: { one: 'silence', a: 'a silence', Id: 'Silence', Ids: 'Silences', key: 'id' },
  accounts: { one: 'account', a: 'an account', Id: 'Account', Ids: 'Accounts', key: 'name' },
  providers: { one: 'provider', a: 'a provider', Id: 'Provider', Ids: 'Providers', key: 'id' },
} as const satisfies Record<DocumentKind, unknown>;

export const ETAG = { ETag: 'The active version, for `If-Match`.' };

export const ifMatch: readonly ApiParameter[] = [
  {
    name: 'If-Match',
    schema: z.string().optional(),
    description:
      'Only if this version is active: an `ETag` from this API, so that two people who publish at once do not overwrite each other.',
    example: '"7"',
  },
];

export const dryRun = {
  dry_run: '`true`: only check, and change nothing.',
  note: 'A note for the list of versions, on one line.',
} as const;

/** The reasons to refuse a publish, besides a set that is too large. */
export const PUBLISH_PROBLEMS = [
  'invalid-if-match',
  'managed',
  'precondition-failed',
  'invalid-configuration',
] as const;

const PUBLISHED = {
  description: 'The new set is active. With `dry_run=true`, it is valid, and nothing changed.',
  schema: receipt,
  examples: publishedExamples,
};

/** Describes a list, and reading, writing and deleting one document. */
export function documentProse(kind: DocumentKind) {
  const { one, a, key } = WORDS[kind];
  const examples = documentExamples[kind];
  return {
    list: {
      tag: kind,
      summary: `List all ${kind}`,
      description: `All of them at once: \`next_cursor\` is always null.`,
      answer: {
        description: `Each ${one} with its ${key}.`,
        schema: documents[kind].page,
        examples: examples.page,
        headers: ETAG,
      },
    },
    read: {
      tag: kind,
      summary: `Read ${a}`,
      answer: {
        description: 'The document as it was written.',
        schema: documents[kind].one,
        examples: examples.one,
        headers: ETAG,
      },
      problems: ['not-found'],
    },
    write: {
      tag: kind,
      summary: `Write ${a}`,
      description: `Publishes a version with this document, which replaces an earlier one with the same ${key}. The whole set is checked; if anything is wrong, nothing changes.`,
      query: dryRun,
      headers: ifMatch,
      body: examples.one,
      answer: PUBLISHED,
      problems: ['too-large', ...PUBLISH_PROBLEMS],
    },
    remove: {
      tag: kind,
      summary: `Delete ${a}`,
      description: 'Publishes a version without the document. Earlier versions keep it.',
      query: dryRun,
      headers: ifMatch,
      answer: PUBLISHED,
      problems: ['not-found', ...(kind === 'sources' ? [] : ['in-use' as const]), ...PUBLISH_PROBLEMS],
    },
  } as const;
}

/** Routes of one kind of document: list, read, write, delete. */
export function documentSpecs(kind: ListedKind): readonly RouteSpec[] {
  const { Id, Ids } = WORDS[kind];
  const routes = documentRoutes[kind];
  const prose = documentProse(kind);
  return [
    ...described({ [`list${Ids}`]: routes.list }, { [`list${Ids}`]: prose.list }),
    ...described({ [`get${Id}`]: routes.read }, { [`get${Id}`]: prose.read }),
    ...described({ [`put${Id}`]: routes.write }, { [`put${Id}`]: prose.write }),
    ...described({ [`delete${Id}`]: routes.remove }, { [`delete${Id}`]: prose.remove }),
  ];
}
