import * as z from 'zod';
import { messageKind, messageState } from '../../answers/api-message.ts';
import {
  component,
  count,
  eventId,
  messageId,
  texts,
  time,
  type AnswerOf,
  fieldCode,
  flag,
  text,
  textOrNull,
  optional,
} from '../../schema/api-parts.ts';

const list = z.array(z.string());
const value = z.string().nullable();

const phone = textOrNull('The receiver: a number in digits, or an address. Null for a status.');

const params = texts.describe('Form fields of the call, without receiver and login.');
const content = { route: z.string(), kind: messageKind, phone, params };

const rendered = component('RenderedMessage', 'A message that would be sent.', {
  ...content,
  fallback: optional(
    z.array(
      z.object({
        kind: messageKind,
        params: texts,
        account: text('The account that sends it, if it is another.').optional(),
        phone: phone.optional(),
        after_ms: optional(count, 'It is sent if the message is not sent within this time.'),
      }),
    ),
    'The fallbacks, sent one after the other when it becomes a dead letter.',
  ),
  reason: text('The reason why it is already a fallback.').optional(),
  once: text("The value of its route's `once`; only the first message with it is sent.").optional(),
  itemKey: text('The id of the element of `each` that it is about.').optional(),
});

const failure = component('RouteFailure', 'The reason why a message of a route failed.', {
  route: z.string(),
  parameter: z.string(),
  expression: z.string(),
  code: fieldCode,
  reason: text('The reason as a sentence.'),
  message: text('The same without its place.').optional(),
  element: optional(count, 'The element of its `each`, from 1.'),
});

const item = component('ItemPreview', 'An item that would wait for a notification.', {
  index: z.int().min(1).max(100_000).describe('Its place in the event, from 1.'),
  key: textOrNull('The key of its incident; null: no incident.'),
  group: textOrNull('The values of its group, as JSON.'),
  resolved: flag('True if it resolves its incident.'),
  at: optional(
    z.iso.datetime(),
    'Since when it is so, by the sender’s clock, if its route has `incident.at`.',
  ),
  acknowledged: optional(
    z.boolean(),
    'True if it acknowledges its incident, false if it takes that back; absent: neither.',
  ),
  inhibited_by: list.describe('While one of these (`source/route/key`) is open, nobody is notified of it.'),
});

const outcome = {
  route: z.string(),
  result: z.enum(['matched', 'not_matched', 'not_reached', 'failed']),
  why: text('The reason why it makes no message, with the values in its condition.').optional(),
  receivers: list.describe('All receivers of its messages, each once: numbers in digits, or addresses.'),
  failures: z.array(failure),
  items: optional(
    z.array(item),
    'The items that would wait for a notification. `messages` has the notification of these items alone, as if it were due now.',
  ),
  held: optional(
    z.array(z.object({ phone: z.string(), until: time })),
    'Receivers for whom the event came in quiet hours, with the end of those hours; absent: there are none.',
  ),
};

const messages = z.array(rendered);
const route = component('RoutePreview', 'The result of one route.', { ...outcome, messages });

export type RouteView = AnswerOf<typeof route>;
export type PreviewItem = AnswerOf<typeof item>;

const warning = component('PreviewWarning', 'A warning: valid, but perhaps not intended.', {
  route: textOrNull('Null: it is about the source.'),
  parameter: text('The part of the route, such as `to`.').optional(),
  code: fieldCode,
  message: z.string(),
});

export type PreviewWarning = AnswerOf<typeof warning>;

const preview = {
  event: z.object({
    type: value,
    dedupe_key: value,
    subject: textOrNull('The line that would describe it in lists.'),
    locale: text('Its language, as a BCP 47 tag; absent: that of its source.').optional(),
    headers: texts,
    query: texts,
    payload: z.unknown(),
  }),
  reason: text('Why the dedupe key failed to render, or why its language is the default.').optional(),
  code: optional(fieldCode, 'The same as a constant.'),
  routes: z.array(route),
  messages: messages.describe('The messages of all routes.'),
  warnings: z.array(warning),
};

export const webhookPreview = z
  .object(preview)
  .meta({ id: 'Preview', description: 'The messages that one webhook would become.' });

export type WebhookPreview = AnswerOf<typeof webhookPreview>;

export const samplePreviews = component('SamplePreviews', "The previews of a provider's samples.", {
  samples: z.array(z.object({ sample: text('Its name.'), ...preview })),
});

const changed = { route: z.string(), phone };

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
        was: value.describe('Null: it was not sent.'),
        now: value.describe('Null: it would not be sent.'),
      })
      .meta({ id: 'ChangedMessage' }),
  ])
  .meta({ id: 'MessageChange', description: 'The difference in one message, or in one of its parameters.' });

export type MessageChange = AnswerOf<typeof change>;

const past = { event: eventId, type: value, received_at: time };

const compared = z.union([
  z.object({ ...past, not_comparable: text('The reason.') }).meta({ id: 'NotComparable' }),
  component('ComparedEvent', 'A past event, and the messages that it would become now.', {
    ...past,
    routes: z.array(z.object(outcome)),
    sent: z
      .array(z.object({ message: messageId, state: messageState, ...content }))
      .describe('The messages that were sent for it, or wait to be sent.'),
    would_send: z.array(z.object(content)),
    changes: z.array(change),
  }),
]);

export type ComparedEvent = AnswerOf<typeof compared>;

export const comparison = component('Comparison', 'What the newest events would become, and what was sent.', {
  events: z.array(compared),
  warnings: z.array(warning).describe('The warnings about all of these events, each once.'),
  summary: z.object({
    events: count,
    same: count,
    changed: count,
    failed: count.describe('The number of events with a route that would fail.'),
    not_comparable: count,
    left_out: count.describe('The number of events for which the response had no space.'),
  }),
});

export type Comparison = AnswerOf<typeof comparison>;

/** The answer depends on the request: one webhook, `samples`, or `last`. */
export const previewed = z.union([webhookPreview, samplePreviews, comparison]).meta({ id: 'PreviewAnswer' });

export type PreviewAnswer = AnswerOf<typeof previewed>;
