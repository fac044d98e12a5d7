import { reasonsText } from '../../outbox/state/event.ts';
import type { FoundEvent } from './api-messages.ts';
import * as z from 'zod/mini';
import { registry } from '../../config/load.ts';
import { numberEnd } from '../../lib/numbers.ts';
import type { EventPage, StoredEvent } from '../../outbox/read/events.ts';
import type { Page } from '../../outbox/read/read.ts';
import type { EventSummary } from '../../answers/api-event.ts';
import type { MessageView } from '../../answers/api-message.ts';
import { askOutboxes, findInOutboxes } from '../../outbox/many-outboxes.ts';
import { strictDocument } from '../../schema/parts.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { asRejection, readRemedies } from '../doctor/rejections.ts';
import { invalidField } from '../request/input.ts';

const MAX_MESSAGES = 50;
const MAX_EVENTS = 20;
const MAX_REJECTIONS = 20;

/** The number is in the body, since logs and histories keep addresses. */
export const findNumberRoutes = {
  findNumber: apiRoute('POST /search', 'operator', {
    body: strictDocument({
      number: z.string({ error: 'must be a number, as text' }).check(z.minLength(1), z.maxLength(40)),
    }),
    handle: async ({ env, body }) => {
      const end = numberEnd(body.number);
      const malformed = 'must be a phone number of at least 6 digits, in any format';
      if (end === null) return invalidField('number', 'malformed', malformed);
      const [messages, events, rejections] = await Promise.all([
        askOutboxes<Page<MessageView>>(env, (outbox) =>
          outbox.listMessages({ phoneEnd: end, limit: MAX_MESSAGES }),
        ),
        askOutboxes<EventPage>(env, (outbox) => outbox.listEvents({ number: end, limit: MAX_EVENTS })),
        registry(env).findRejections(end, MAX_REJECTIONS),
      ]);
      const shown = newest(events, ({ id }) => id, MAX_EVENTS);
      return {
        messages: newest(messages, (message) => message.created_at, MAX_MESSAGES),
        events: await Promise.all(shown.map((event) => withOutcome(env, event, end))),
        rejections: rejections.map(asRejection(await readRemedies(env))),
        complete: [...messages, ...events].every(({ next_cursor }) => next_cursor === null),
      };
    },
  }),
} satisfies ApiRoutes;

const newest = <Item>(pages: readonly Page<Item>[], timeOf: (item: Item) => string, most: number) =>
  pages
    .flatMap(({ items }) => items)
    .toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))
    .slice(0, most);

async function withOutcome(env: Env, event: EventSummary, end: string): Promise<FoundEvent> {
  const stored = await findInOutboxes<StoredEvent>(env, (outbox) => outbox.readEvent(event.id));
  if (stored === null) return { ...event, sent_to_it: [] };
  const isIts = (phone: string | null | undefined): boolean => phone?.endsWith(end) === true;
  const sent = stored.messages.filter(({ phone }) => isIts(phone)).map(({ id, state }) => ({ id, state }));
  const items = (stored.items ?? []).filter(({ phone }) => isIts(phone));
  const outcomes = items.map(({ outcome }) => outcome);
  return { ...event, sent_to_it: sent, ...(sent.length === 0 && whyNothing(event, outcomes)) };
}

function whyNothing(
  { state, reasons = [] }: EventSummary,
  outcomes: readonly string[],
): Pick<FoundEvent, 'why' | 'code' | 'params'> {
  if (outcomes.some((one) => one === 'notified' || one === 'summarized')) return {};
  const [outcome] = outcomes;
  if (outcome !== undefined) return { why: `its item is ${outcome}`, code: 'item', params: { outcome } };
  if (reasons.length > 0) return { why: reasonsText(reasons.slice(0, 1)), code: 'failed' };
  return state === 'unmatched'
    ? { why: 'no route matched', code: 'unmatched' }
    : { why: 'no route sends to it: the number is only in the payload', code: 'not_addressed' };
}
