import * as z from 'zod';
import * as mini from 'zod/mini';
import { silencePage } from '../../answers/api-registry.ts';
import { accountSchema } from '../../config/documents/account-schema.ts';
import { recipientsSchema, silenceSchema } from '../../config/documents/alerting-schema.ts';
import type { DocumentKind } from '../../config/documents/name.ts';
import { CAPTURED_KINDS, providerSchema } from '../../config/documents/provider-file.ts';
import { sourceSchema, templateSchema, messageOf, templateKeys } from '../../config/documents/schema.ts';
import { CATEGORIES } from '../../provider/provider.ts';
import {
  component,
  configVersion,
  count,
  fieldErrors,
  flag,
  optional,
  pageOf,
  text,
  texts,
  time,
  written,
  writtenByName,
  type AnswerOf,
} from '../../schema/api-parts.ts';

export const warnings = fieldErrors.describe('Warnings: valid, but perhaps not intended.');

export const activated = component('Published', 'It was published.', {
  version: configVersion.describe('The active version.'),
  warnings,
});

const checked = component('Checked', 'The result of `dry_run=true`, which changes nothing.', {
  dry_run: z.literal(true),
  warnings,
});

export const receipt = z.union([activated, checked]).meta({ id: 'Receipt' });

export type PublishAnswer = AnswerOf<typeof receipt>;

export const configSet = component('ConfigSet', 'The whole configuration: all documents by their names.', {
  sources: writtenByName(sourceSchema, 'Source'),
  templates: writtenByName(templateSchema, 'Template'),
  recipients: writtenByName(recipientsSchema, 'Recipients'),
  accounts: writtenByName(accountSchema, 'Account'),
  silences: writtenByName(silenceSchema, 'Silence'),
  providers: writtenByName(providerSchema, 'ProviderFile'),
});

export const takenOver = activated
  .extend({ managed: z.null().describe('It is no longer managed in git.') })
  .meta({ id: 'TakenOver', description: 'The same documents, under a new version.' });

const path = text('The path in the folder.');

export const keptFiles = z
  .union([
    component('KeptFile', 'A file of the last push.', { path, text: z.string() }),
    pageOf(z.object({ path, bytes: count }), 'KeptFilePage', 'The files that the set was made of.'),
  ])
  .meta({ id: 'KeptFiles' });

export type KeptFiles = AnswerOf<typeof keptFiles>;

const called = text('The name of the document.');

const named = { name: called };

/** The answers about a kind of document. `item`: a document as a list of `them` shows it, with its name. */
function answersOf(schema: z.core.$ZodType, component: string, item: z.core.$ZodType, them: string) {
  mini.globalRegistry.add(item, {
    id: `Listed${component}`,
    description: `One of the ${them}, with what it is called.`,
  });
  return { one: written(schema, component), page: pageOf(item, `${component}Page`, `All ${them}.`), item };
}

const yes = z.literal(true);
const said = z.string().optional();
const wording = texts.optional();
const list = z.array(z.string());

const identity = {
  id: text('The value for `provider` of a source.'),
  name: z.string(),
  category: z.enum(CATEGORIES),
  popular: optional(z.int().min(1).max(100), 'Its place among those that lists show first.'),
  words: optional(list, 'Other words that people search for.'),
};

export const providerPage = pageOf(
  component('ProviderSummary', 'A provider, in a list.', {
    ...identity,
    signs: flag('`false`: its webhooks do not prove their sender, so a source needs its own `verify`.'),
    own: optional(yes, 'It is a document of this configuration, and not built in.'),
  }),
  'ProviderPage',
  'All providers.',
);

const place = z.string().regex(/^(body|header|query):/s);
const lookups = z.array(z.union([place, z.array(place), z.object({ text: z.string() })]));

const condition = z.object({ at: place, equals: said, absent: yes.optional() });

const sample = component('Sample', 'A request as the provider sends it, without its signature.', {
  name: text('The value for `sample` of a preview.'),
  silent: text('Why it makes no message after the earlier samples. Absent: it makes one.').optional(),
  content_type: z.string(),
  headers: texts,
  query: texts,
  body: text('The body of the request.'),
});

export const provider = component('Provider', 'A provider: of this configuration, or built in.', {
  ...identity,
  verify: z
    .looseObject({ scheme: z.string() })
    .nullable()
    .describe(
      'The verification of its requests: a `verify` block with all defaults filled in and durations in milliseconds. Null: a source needs its own `verify`.',
    ),
  subject: text('The line for its events in lists, as Liquid, unless a source has its own.').optional(),
  event_type: lookups.describe('The places of the type; the first one that is present counts.'),
  dedupe: lookups.describe('The place of the id that stays the same when a delivery is repeated.'),
  signed_body: optional(
    z.object({
      window: z.int().min(1_000).max(2_592_000_000),
      types: list.optional(),
      changing: z.array(z.array(condition)),
    }),
    'Equal signed bodies within `window` milliseconds are duplicates, even if ids outside the body differ. Each of `types` is compared separately, since one body is posted under several types. Only bodies that meet all conditions of a list in `changing` are compared: these hold a time or a counter. Others may be posted again for other events.',
  ),
  items: optional(
    z.object({ at: z.string(), id: lookups }),
    'For a provider that posts several events at once: where the list is, and the id of an element.',
  ),
  left_out: optional(
    z.union([
      z.object({ list: z.string(), count: z.string() }),
      z.object({ list: z.string(), total: z.string() }),
    ]),
    'For a provider that posts only a part of a list: where the list is, and the number of elements that it lacks (`count`) or would have (`total`).',
  ),
  size_setting: text('The setting at the provider that makes its webhooks smaller.').optional(),
  handshakes: optional(z.array(z.looseObject({})), 'How it checks an address before it uses it.'),
  answers: optional(
    z.array(
      z.object({
        when: z.array(condition).optional(),
        status: z.int().min(200).max(299),
        body: said,
        content_type: said,
      }),
    ),
    'The response that it expects for an accepted event.',
  ),
  body: optional(
    z.object({ json_field: said, json_texts: list.optional(), base64_texts: list.optional() }),
    'The differences between its body and its Content-Type.',
  ),
  chat_ids: optional(
    list,
    'For a chat: where its ids are in the body, with `*` for each element of a list. They are receivers as they came.',
  ),
  exponents: optional(
    z.record(z.string(), z.int().min(0).max(4)),
    'The decimals of currencies whose minor unit it counts differently from ISO 4217; `money` uses them.',
  ),
  local_times: optional(yes, "Its times without a zone are those of the source's `timezone`, not UTC."),
  form: optional(yes, 'It is a form on a page: a browser posts it, and its visitor sees the answer.'),
  bare_refusals: optional(yes, 'Refused webhooks get a response without a body.'),
  document: optional(written(providerSchema, 'ProviderFile'), 'Its file, if it is not built in.'),
  docs_url: text("The vendor's own page about its webhooks.").optional(),
  confidence: optional(
    z.object({ level: z.enum(['verified', 'reported', 'unconfirmed']), note: z.string() }),
    'The certainty of these facts.',
  ),
  captured: optional(
    z.object({ kind: z.enum(CAPTURED_KINDS), note: said }),
    'The protection that stops a captured request from being sent again as another event: a `signed-id`, a `signed-time`, a `digest` of what is signed, or nothing (`open`).',
  ),
  setup: text("The steps in the provider's settings, in Markdown.").optional(),
  further: optional(texts, 'The routes that a source begins without, and what each would do.'),
  customers: optional(texts, 'The routes to customers, which a source has if somebody asks for them.'),
  secret: optional(
    z.object({ name: z.string(), hint: z.string() }),
    'A name for the secret, and where to find its value.',
  ),
  source: optional(z.looseObject({}), 'The further keys of its sources, such as `verify`.'),
  asks: optional(
    z.record(z.string(), z.object({ question: z.string(), example: z.string(), pattern: z.string() })),
    'Questions that only the owner of an account there can answer, such as its subdomain. `[[ask:name]]` in `routes`, `templates` and `source` stands for the answer; without one, leave out the line.',
  ),
  language: text('The language of the texts in `routes` and `templates`.').optional(),
  languages: optional(
    z.record(
      z.string(),
      z.object({ setup: said, hint: said, asks: wording, samples: wording, sentences: wording }),
    ),
    'What a person reads in other languages than English.',
  ),
  sentences: optional(texts, 'What a route is for, where its name does not say it.'),
  samples: z.array(sample),
  routes: optional(z.array(z.looseObject({})), 'Starter routes, with `[[ask:name]]` for answers.'),
  templates: optional(writtenByName(templateSchema, 'Template'), 'Templates that these routes name.'),
});

export type ProviderAnswer = AnswerOf<typeof provider>;

const span = component('OnCallSpan', 'The time for which a person is on call.', {
  person: text('Their name in the list.'),
  since: time.nullable().describe('null: they have been on call for as long as can be seen.'),
  until: time.nullable().describe('null: they are on call for as long as can be seen.'),
});

const calendar = text(
  'The secret link of an iCalendar feed, 60 days ahead. Whoever has it sees who is on call; `hidden` for a viewer.',
);

const times = {
  person: text('The person who takes over.'),
  from: text("Its start, in the rotation's time zone."),
  to: text("Its end, in the rotation's time zone."),
  since: time,
  until: time,
};

const byHand = {
  id: text('The id of one that was made by hand.'),
  by: text('Who made it: the name given at sign-in, `token` or `operator`, or what Access says.'),
  created_at: time,
  list: text('The list.'),
};
const ended = {
  ended_at: optional(time, 'The time when it was ended early.'),
  is_gone: flag(
    'True if a publish removed the person. It is listed for as long as it was to last.',
  ).optional(),
};

export const overrideByHand = component('OverrideByHand', 'An override that was made by hand.', {
  origin: z.enum(['hand']),
  ...byHand,
  ...times,
  ...ended,
});

const listed = z
  .object({ origin: z.enum(['document', 'hand']), ...times, ...ended })
  .extend(z.object(byHand).partial().shape)
  .meta({ id: 'OnCallOverride', description: 'An override of a rotation.' });

export const endedOverride = z
  .union([overrideByHand, activated])
  .meta({ id: 'EndedOverride', description: 'The override that was ended.' });

export type ShownOverride = AnswerOf<typeof listed>;

export const onCall = component('OnCall', 'The people on call in a list.', {
  name: text('The list.'),
  timezone: text('The time zone of its rotation.'),
  at: time.describe('The time that `now` and `next` are about.'),
  now: span,
  next: span.nullable().describe('null: nobody else will be on call.'),
  spans: z.array(span).describe('All spans of the range, at most 1,000.'),
  overrides: z.array(listed).describe('The overrides that have not ended, in order.'),
  calendar,
});

export const onCallCalendar = component('OnCallCalendar', 'The new link of a calendar.', { calendar });

export const documents = {
  sources: answersOf(sourceSchema, 'Source', mini.extend(sourceSchema, { id: called }), 'sources'),
  templates: answersOf(templateSchema, 'Template', messageOf({ ...templateKeys, ...named }), 'templates'),
  recipients: answersOf(
    recipientsSchema,
    'Recipients',
    mini.extend(recipientsSchema, named),
    'recipients lists',
  ),
  accounts: answersOf(
    accountSchema,
    'Account',
    mini.extend(accountSchema, named),
    'accounts that have a document',
  ),
  silences: { one: written(silenceSchema, 'Silence'), page: silencePage },
  providers: { one: written(providerSchema, 'ProviderFile'), page: providerPage },
} as const satisfies Record<DocumentKind, unknown>;
