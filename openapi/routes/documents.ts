import * as z from 'zod';
import { publishQuery } from '../../src/admin/config/publish.ts';
import type { DocumentKind } from '../../src/config/kinds.ts';
import { documentSchemas } from '../../src/config/schema.ts';
import { documentExamples } from '../examples/documents.ts';
import { publishedExamples } from '../examples/config.ts';
import { documents } from '../schemas/documents.ts';
import { receipt } from '../schemas/config.ts';
import { queryOf, type Parameter, type RouteSpec } from '../spec.ts';

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
} as const satisfies Record<DocumentKind, unknown>;

export const ETAG = { ETag: 'The version that is in force, for `If-Match`.' };

export const ifMatch: readonly Parameter[] = [
  {
    name: 'If-Match',
    schema: z.string().optional(),
    description:
      'Only if this version is in force: an `ETag` of this API, so that two people who publish at once do not undo what the other did.',
    example: '"7"',
  },
];

export const dryRun = queryOf(publishQuery, {
  dry_run: '`true`: it is only checked, and nothing is changed.',
  note: 'What the list of versions says about it, on one line.',
});

/** What every publish can be refused for, besides a set that is too large. */
export const PUBLISH_PROBLEMS = [
  'invalid-if-match',
  'managed',
  'precondition-failed',
  'invalid',
  'invalid-configuration',
] as const;

const PUBLISHED = {
  200: { description: 'It is active, or could be.', schema: receipt, examples: publishedExamples },
};

/** Routes of one kind of document: list, read, write, delete. */
export function documentRoutes(kind: DocumentKind): readonly RouteSpec[] {
  const { one, a, Id, Ids, key } = WORDS[kind];
  const path = `/${kind}/{${key}}`;
  const examples = documentExamples[kind];
  return [
    {
      method: 'get',
      path: `/${kind}`,
      id: `list${Ids}`,
      tag: kind,
      summary: `List all ${kind}`,
      description: `All of them at once: \`next_cursor\` is always null.`,
      answers: {
        200: {
          description: `Each ${one} with its ${key}.`,
          schema: documents[kind].page,
          examples: examples.page,
          headers: ETAG,
        },
      },
      problems: ['invalid'],
    },
    {
      method: 'get',
      path,
      id: `get${Id}`,
      tag: kind,
      summary: `Read ${a}`,
      answers: {
        200: {
          description: 'The document as it was written.',
          schema: documents[kind].one,
          examples: examples.one,
          headers: ETAG,
        },
      },
      problems: ['not-found'],
    },
    {
      method: 'put',
      path,
      id: `put${Id}`,
      tag: kind,
      summary: `Write ${a}`,
      description: `Publishes a version with this document in it, in place of an earlier one of its ${key}. The whole set is checked; if anything is wrong, nothing changes.`,
      query: dryRun,
      headers: ifMatch,
      body: { schema: documentSchemas[kind], examples: examples.one },
      answers: PUBLISHED,
      problems: ['too-large', ...PUBLISH_PROBLEMS],
    },
    {
      method: 'delete',
      path,
      id: `delete${Id}`,
      tag: kind,
      summary: `Delete ${a}`,
      description: 'Publishes a version without the document. Earlier versions keep it.',
      query: dryRun,
      headers: ifMatch,
      answers: PUBLISHED,
      problems: [
        'not-found',
        ...(kind === 'sources' || kind === 'silences' ? [] : ['in-use' as const]),
        ...PUBLISH_PROBLEMS,
      ],
    },
  ];
}
