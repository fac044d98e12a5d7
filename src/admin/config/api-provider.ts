import * as z from 'zod';
import { CAPTURED_KINDS, providerSchema } from '../../config/documents/provider-schema.ts';
import { templateSchema } from '../../config/documents/schema.ts';
import { CATEGORIES } from '../../provider/provider.ts';
import { pageOf, texts, written, writtenByName, type AnswerOf } from '../../schema/api-parts.ts';

const identity = {
  id: z.string().meta({ description: 'The value for `provider` of a source.' }),
  name: z.string(),
  category: z.enum(CATEGORIES),
  popular: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Its place among those that lists show first.' }),
  words: z.array(z.string()).optional().meta({ description: 'Other words that people search for.' }),
};

export const providerPage = pageOf(
  z
    .object({
      ...identity,
      signs: z.boolean().meta({
        description: '`false`: its webhooks do not prove their sender, so a source needs its own `verify`.',
      }),
      own: z
        .literal(true)
        .optional()
        .meta({ description: 'It is a document of this configuration, and not built in.' }),
    })
    .meta({ id: 'ProviderSummary', description: 'A provider, in a list.' }),
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

const sample = z
  .object({
    name: z.string().meta({ description: 'The value for `sample` of a preview.' }),
    silent: z.string().optional().meta({
      description: 'The reason why it makes no message after the earlier samples. Absent: it makes one.',
    }),
    content_type: z.string(),
    headers: texts,
    query: texts,
    body: z.string().meta({ description: 'The body of the request.' }),
  })
  .meta({ id: 'Sample', description: 'A request as the provider sends it, without its signature.' });

export const provider = z
  .object({
    ...identity,
    verify: z.looseObject({ scheme: z.string() }).nullable().meta({
      description:
        'The verification of its requests: a `verify` block with all defaults filled in and durations in milliseconds. Null: a source needs its own `verify`.',
    }),
    subject: z.string().optional().meta({
      description: 'The line that describes its events in lists, as Liquid, unless a source has its own.',
    }),
    event_type: lookups.meta({
      description: 'The places of the type; the first one that is present counts.',
    }),
    dedupe: lookups.meta({
      description: 'The place of the id that stays the same when a delivery is repeated.',
    }),
    signed_body: z
      .object({
        window: z.int().min(1_000).max(2_592_000_000),
        types: z.array(z.string()).optional(),
        changing: z.array(z.array(condition)),
      })
      .optional()
      .meta({
        description:
          'Equal signed bodies within `window` milliseconds are duplicates, even if ids outside the body differ. Each of `types` is compared separately, since one body is posted under several types. Only bodies that meet all conditions of a list in `changing` are compared: these hold a time or a counter. Others may be posted again for other events.',
      }),
    items: z.object({ at: z.string(), id: lookups }).optional().meta({
      description:
        'For a provider that posts several events at once: where the list is, and the id of an element.',
    }),
    left_out: z
      .union([
        z.object({ list: z.string(), count: z.string() }),
        z.object({ list: z.string(), total: z.string() }),
      ])
      .optional()
      .meta({
        description:
          'For a provider that posts only a part of a list: where the list is, and the number of elements that it lacks (`count`) or would have (`total`).',
      }),
    size_setting: z
      .string()
      .optional()
      .meta({ description: 'The setting at the provider that makes its webhooks smaller.' }),
    handshakes: z.array(z.looseObject({})).optional().meta({
      description: 'Requests by which it checks an address before it uses it, and the responses.',
    }),
    answers: z
      .array(
        z.object({
          when: z.array(condition).optional(),
          status: z.int().min(200).max(299),
          body: z.string().optional(),
          content_type: z.string().optional(),
        }),
      )
      .optional()
      .meta({ description: 'The response that it expects for an accepted event.' }),
    body: z
      .object({
        json_field: z.string().optional(),
        json_texts: z.array(z.string()).optional(),
        base64_texts: z.array(z.string()).optional(),
      })
      .optional()
      .meta({ description: 'The differences between its body and its Content-Type.' }),
    chat_ids: z.array(z.string()).optional().meta({
      description:
        'For a chat: where its ids are in the body, with `*` for each element of a list. They are receivers as they came.',
    }),
    exponents: z.record(z.string(), z.int().min(0).max(4)).optional().meta({
      description:
        'The decimals of currencies whose minor unit it counts differently from ISO 4217; `money` uses them.',
    }),
    local_times: z
      .literal(true)
      .optional()
      .meta({ description: "Its times without a zone are those of the source's `timezone`, not UTC." }),
    form: z
      .literal(true)
      .optional()
      .meta({ description: 'It is a form on a page: a browser posts it, and its visitor sees the answer.' }),
    bare_refusals: z
      .literal(true)
      .optional()
      .meta({ description: 'Refused webhooks get a response without a body.' }),
    document: written(providerSchema, 'ProviderFile')
      .optional()
      .meta({ description: 'The file as it was published, if it is a document of this configuration.' }),
    docs_url: z.string().optional().meta({ description: "The vendor's own page about its webhooks." }),
    confidence: z
      .object({ level: z.enum(['verified', 'reported', 'unconfirmed']), note: z.string() })
      .optional()
      .meta({ description: 'The certainty of these facts.' }),
    captured: z
      .object({ kind: z.enum(CAPTURED_KINDS), note: z.string().optional() })
      .optional()
      .meta({
        description:
          'The protection that stops a captured request from being sent again as another event: a `signed-id`, a `signed-time`, a `digest` of what is signed, or nothing (`open`).',
      }),
    setup: z.string().optional().meta({ description: "The steps in the provider's settings, in Markdown." }),
    further: z.record(z.string(), z.string()).optional().meta({
      description: 'The routes that a source begins without, and what each would do.',
    }),
    customers: z.record(z.string(), z.string()).optional().meta({
      description:
        'The routes that go to customers, and what each does. A source has them only if somebody asks for them.',
    }),
    secret: z
      .object({ name: z.string(), hint: z.string() })
      .optional()
      .meta({ description: 'A name for the secret, and where to find its value.' }),
    source: z.looseObject({}).optional().meta({
      description:
        'The further keys of its sources besides `provider`, `secrets` and `routes`, such as `verify`.',
    }),
    asks: z
      .record(z.string(), z.object({ question: z.string(), example: z.string(), pattern: z.string() }))
      .optional()
      .meta({
        description:
          'Questions that only the owner of an account there can answer, such as its subdomain. `[[ask:name]]` in `routes`, `templates` and `source` stands for the answer; without one, leave out the line.',
      }),
    language: z
      .string()
      .optional()
      .meta({ description: 'The language of the texts in `routes` and `templates`.' }),
    languages: z
      .record(
        z.string(),
        z.object({
          setup: z.string().optional(),
          hint: z.string().optional(),
          asks: texts.optional(),
          samples: texts.optional(),
          sentences: texts.optional(),
        }),
      )
      .optional()
      .meta({ description: 'What a person reads in other languages than English.' }),
    sentences: texts.optional().meta({ description: 'What a route is for, where its name does not say it.' }),
    samples: z.array(sample),
    routes: z
      .array(z.looseObject({}))
      .optional()
      .meta({ description: 'Starter routes, as a source has them, with `[[ask:name]]` for answers.' }),
    templates: writtenByName(templateSchema, 'Template').optional().meta({
      description: 'Templates that these routes name.',
    }),
  })
  .meta({ id: 'Provider', description: 'A provider: of this configuration, or built in.' });

export type ProviderAnswer = AnswerOf<typeof provider>;
