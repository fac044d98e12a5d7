import * as z from 'zod';
import { CAPTURED_KINDS, providerSchema } from '../../config/documents/provider-file.ts';
import { templateSchema } from '../../config/documents/schema.ts';
import { CATEGORIES } from '../../provider/provider.ts';
import {
  component,
  pageOf,
  texts,
  written,
  writtenByName,
  type AnswerOf,
  flag,
  text,
  optional,
} from '../../schema/api-parts.ts';

const identity = {
  id: text('The value for `provider` of a source.'),
  name: z.string(),
  category: z.enum(CATEGORIES),
  popular: optional(z.int().min(1).max(100), 'Its place among those that lists show first.'),
  words: optional(z.array(z.string()), 'Other words that people search for.'),
};

export const providerPage = pageOf(
  component('ProviderSummary', 'A provider, in a list.', {
    ...identity,
    signs: flag('`false`: its webhooks do not prove their sender, so a source needs its own `verify`.'),
    own: optional(z.literal(true), 'It is a document of this configuration, and not built in.'),
  }),
  'ProviderPage',
  'All providers.',
);

const place = z.string().regex(/^(body|header|query):/s);
const lookups = z.array(z.union([place, z.array(place), z.object({ text: z.string() })]));

const condition = z.object({
  at: place,
  equals: z.string().optional(),
  absent: z.literal(true).optional(),
});

const sample = component('Sample', 'A request as the provider sends it, without its signature.', {
  name: text('The value for `sample` of a preview.'),
  silent: text(
    'The reason why it makes no message after the earlier samples. Absent: it makes one.',
  ).optional(),
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
  subject: text(
    'The line that describes its events in lists, as Liquid, unless a source has its own.',
  ).optional(),
  event_type: lookups.describe('The places of the type; the first one that is present counts.'),
  dedupe: lookups.describe('The place of the id that stays the same when a delivery is repeated.'),
  signed_body: optional(
    z.object({
      window: z.int().min(1_000).max(2_592_000_000),
      types: z.array(z.string()).optional(),
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
  handshakes: optional(
    z.array(z.looseObject({})),
    'Requests by which it checks an address before it uses it, and the responses.',
  ),
  answers: optional(
    z.array(
      z.object({
        when: z.array(condition).optional(),
        status: z.int().min(200).max(299),
        body: z.string().optional(),
        content_type: z.string().optional(),
      }),
    ),
    'The response that it expects for an accepted event.',
  ),
  body: optional(
    z.object({
      json_field: z.string().optional(),
      json_texts: z.array(z.string()).optional(),
      base64_texts: z.array(z.string()).optional(),
    }),
    'The differences between its body and its Content-Type.',
  ),
  chat_ids: optional(
    z.array(z.string()),
    'For a chat: where its ids are in the body, with `*` for each element of a list. They are receivers as they came.',
  ),
  exponents: optional(
    z.record(z.string(), z.int().min(0).max(4)),
    'The decimals of currencies whose minor unit it counts differently from ISO 4217; `money` uses them.',
  ),
  local_times: optional(
    z.literal(true),
    "Its times without a zone are those of the source's `timezone`, not UTC.",
  ),
  form: optional(
    z.literal(true),
    'It is a form on a page: a browser posts it, and its visitor sees the answer.',
  ),
  bare_refusals: optional(z.literal(true), 'Refused webhooks get a response without a body.'),
  document: optional(
    written(providerSchema, 'ProviderFile'),
    'The file as it was published, if it is a document of this configuration.',
  ),
  docs_url: text("The vendor's own page about its webhooks.").optional(),
  confidence: optional(
    z.object({ level: z.enum(['verified', 'reported', 'unconfirmed']), note: z.string() }),
    'The certainty of these facts.',
  ),
  captured: optional(
    z.object({ kind: z.enum(CAPTURED_KINDS), note: z.string().optional() }),
    'The protection that stops a captured request from being sent again as another event: a `signed-id`, a `signed-time`, a `digest` of what is signed, or nothing (`open`).',
  ),
  setup: text("The steps in the provider's settings, in Markdown.").optional(),
  further: optional(
    z.record(z.string(), z.string()),
    'The routes that a source begins without, and what each would do.',
  ),
  customers: optional(
    z.record(z.string(), z.string()),
    'The routes that go to customers, and what each does. A source has them only if somebody asks for them.',
  ),
  secret: optional(
    z.object({ name: z.string(), hint: z.string() }),
    'A name for the secret, and where to find its value.',
  ),
  source: optional(
    z.looseObject({}),
    'The further keys of its sources besides `provider`, `secrets` and `routes`, such as `verify`.',
  ),
  asks: optional(
    z.record(z.string(), z.object({ question: z.string(), example: z.string(), pattern: z.string() })),
    'Questions that only the owner of an account there can answer, such as its subdomain. `[[ask:name]]` in `routes`, `templates` and `source` stands for the answer; without one, leave out the line.',
  ),
  language: text('The language of the texts in `routes` and `templates`.').optional(),
  languages: optional(
    z.record(
      z.string(),
      z.object({
        setup: z.string().optional(),
        hint: z.string().optional(),
        asks: texts.optional(),
        samples: texts.optional(),
        sentences: texts.optional(),
      }),
    ),
    'What a person reads in other languages than English.',
  ),
  sentences: optional(texts, 'What a route is for, where its name does not say it.'),
  samples: z.array(sample),
  routes: optional(
    z.array(z.looseObject({})),
    'Starter routes, as a source has them, with `[[ask:name]]` for answers.',
  ),
  templates: optional(writtenByName(templateSchema, 'Template'), 'Templates that these routes name.'),
});

export type ProviderAnswer = AnswerOf<typeof provider>;
