import * as z from 'zod';
import { messageKind, messageState } from '../../outbox/answers/api-message.ts';
import { count, eventId, messageId, texts, time, type AnswerOf, fieldCode } from '../../schema/api-parts.ts';

const phone = z
  .string()
  .nullable()
  .meta({ description: 'The receiver: a number in digits, or an address. Null for a status.' });

const content = {
  route: z.string(),
  kind: messageKind,
  phone,
  params: texts.meta({ description: 'Form fields of the call, without receiver and login.' }),
};

const contentOf = z.object(content);

const rendered = z
  .object({
    ...content,
    fallback: z
      .array(
        z.object({
          kind: messageKind,
          params: texts,
          account: z
            .string()
            .optional()
            .meta({ description: 'The account that sends it, if it is another.' }),
          phone: phone.optional(),
          after_ms: count
            .optional()
            .meta({ description: 'It is sent if the message is not sent within this time.' }),
        }),
      )
      .optional()
      .meta({ description: 'The fallbacks, sent one after the other when it becomes a dead letter.' }),
    reason: z.string().optional().meta({ description: 'The reason why it is already a fallback.' }),
    once: z
      .string()
      .optional()
      .meta({ description: "The value of its route's `once`; only the first message with it is sent." }),
    itemKey: z.string().optional().meta({ description: 'The id of the element of `each` that it is about.' }),
  })
  .meta({ id: 'RenderedMessage', description: 'A message that would be sent.' });

const failure = z
  .object({
    route: z.string(),
    parameter: z.string(),
    expression: z.string(),
    code: fieldCode,
    reason: z.string().meta({ description: 'The reason as a sentence.' }),
    message: z.string().optional().meta({ description: 'The same without its place.' }),
    element: count.optional().meta({ description: 'The element of its `each`, from 1.' }),
  })
  .meta({ id: 'RouteFailure', description: 'The reason why a message of a route failed.' });

const item = z
  .object({
    index: z.int().min(1).max(100_000).meta({ description: 'Its place in the event, from 1.' }),
    key: z.string().nullable().meta({ description: 'The key of its incident; null: no incident.' }),
    group: z.string().nullable().meta({ description: 'The values of its group, as JSON.' }),
    resolved: z.boolean().meta({ description: 'True if it resolves its incident.' }),
    at: z.iso.datetime().optional().meta({
      description: 'Since when it is so, by the sender’s clock; absent: its route has no `incident.at`.',
    }),
    acknowledged: z.boolean().optional().meta({
      description:
        'True if it acknowledges its incident, false if it takes that back; absent: it does neither.',
    }),
    inhibited_by: z.array(z.string()).meta({
      description: 'While one of these incidents is open (`source/route/key`), nobody is notified of it.',
    }),
  })
  .meta({ id: 'ItemPreview', description: 'An item that would wait for a notification.' });

const outcome = {
  route: z.string(),
  result: z.enum(['matched', 'not_matched', 'not_reached', 'failed']),
  why: z
    .string()
    .optional()
    .meta({ description: 'The reason why it makes no message, with the values in its condition.' }),
  receivers: z
    .array(z.string())
    .meta({ description: 'All receivers of its messages, each once: numbers in digits, or addresses.' }),
  failures: z.array(failure),
  items: z.array(item).optional().meta({
    description:
      'The items that would wait for a notification. `messages` has the notification of these items alone, as if it were due now.',
  }),
  held: z
    .array(z.object({ phone: z.string(), until: time }))
    .optional()
    .meta({
      description:
        'Receivers for whom the event came in quiet hours, with the end of those hours; absent: there are none.',
    }),
};

const route = z
  .object({ ...outcome, messages: z.array(rendered) })
  .meta({ id: 'RoutePreview', description: 'The result of one route.' });

export type RouteView = AnswerOf<typeof route>;
export type PreviewItem = AnswerOf<typeof item>;

const warning = z
  .object({
    route: z.string().nullable().meta({ description: 'Null: it is about the source.' }),
    parameter: z.string().optional().meta({ description: 'The part of the route, such as `to`.' }),
    code: fieldCode,
    message: z.string(),
  })
  .meta({ id: 'PreviewWarning', description: 'A warning: valid, but perhaps not intended.' });

export type PreviewWarning = AnswerOf<typeof warning>;

const preview = {
  event: z.object({
    type: z.string().nullable(),
    dedupe_key: z.string().nullable(),
    subject: z.string().nullable().meta({ description: 'The line that would describe it in lists.' }),
    locale: z.string().optional().meta({
      description: 'Its language, as a BCP 47 tag; absent: the `locale` of its source is the same for all.',
    }),
    headers: texts,
    query: texts,
    payload: z.unknown(),
  }),
  reason: z.string().optional().meta({
    description: 'The reason why the dedupe key failed to render, or why its language is the default.',
  }),
  code: fieldCode.optional().meta({ description: 'The same as a constant.' }),
  routes: z.array(route),
  messages: z.array(rendered).meta({ description: 'The messages of all routes.' }),
  warnings: z.array(warning),
};

export const webhookPreview = z
  .object(preview)
  .meta({ id: 'Preview', description: 'The messages that one webhook would become.' });

export type WebhookPreview = AnswerOf<typeof webhookPreview>;

export const samplePreviews = z
  .object({
    samples: z.array(z.object({ sample: z.string().meta({ description: 'Its name.' }), ...preview })),
  })
  .meta({ id: 'SamplePreviews', description: "The preview of each sample of the source's provider." });

const changed = { route: z.string(), phone };
const value = z.string().nullable();

const change = z
  .discriminatedUnion('kind', [
    z.object({ ...changed, kind: z.literal('same') }).meta({ id: 'SameMessage' }),
    z.object({ ...changed, kind: z.literal('added') }).meta({ id: 'AddedMessage' }),
    z.object({ ...changed, kind: z.literal('removed') }).meta({ id: 'RemovedMessage' }),
    z
      .object({
        ...changed,
        kind: z.literal('changed'),
        parameter: z.string(),
        was: value.meta({ description: 'Null: it was not sent.' }),
        now: value.meta({ description: 'Null: it would not be sent.' }),
      })
      .meta({ id: 'ChangedMessage' }),
  ])
  .meta({ id: 'MessageChange', description: 'The difference in one message, or in one of its parameters.' });

export type MessageChange = AnswerOf<typeof change>;

const past = { event: eventId, type: z.string().nullable(), received_at: time };

const compared = z.union([
  z
    .object({ ...past, not_comparable: z.string().meta({ description: 'The reason.' }) })
    .meta({ id: 'NotComparable' }),
  z
    .object({
      ...past,
      routes: z.array(z.object(outcome)),
      sent: z.array(z.object({ message: messageId, state: messageState, ...content })).meta({
        description: 'The messages that were sent for it, or wait to be sent.',
      }),
      would_send: z.array(contentOf),
      changes: z.array(change),
    })
    .meta({ id: 'ComparedEvent', description: 'A past event, and the messages that it would become now.' }),
]);

export type ComparedEvent = AnswerOf<typeof compared>;

export const comparison = z
  .object({
    events: z.array(compared),
    warnings: z.array(warning).meta({ description: 'The warnings about all of these events, each once.' }),
    summary: z.object({
      events: count,
      same: count,
      changed: count,
      failed: count.meta({ description: 'The number of events with a route that would fail.' }),
      not_comparable: count,
      left_out: count.meta({ description: 'The number of events for which the response had no space.' }),
    }),
  })
  .meta({
    id: 'Comparison',
    description:
      'The messages that the newest events would become, compared with the messages that were sent.',
  });

export type Comparison = AnswerOf<typeof comparison>;

/** The answer depends on the request: one webhook, `samples`, or `last`. */
export const previewed = z.union([webhookPreview, samplePreviews, comparison]).meta({ id: 'PreviewAnswer' });

export type PreviewAnswer = AnswerOf<typeof previewed>;
