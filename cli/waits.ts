import { reasonText, type PageLanguage } from '../shared/gateway-words.ts';
import { ok } from '../src/lib/result.ts';
import { namedBy } from '../src/outbox/incidents/entries.ts';
import { failed, type CommandResult } from './failure.ts';
import type { Event, IncidentAnswer, Message } from './relay/shapes.ts';
import { about, shortTime } from './show.ts';

/** A terminal shows the API's sentences as they are, in English. */
export const ENGLISH: PageLanguage = { sentence: ({ text }) => text, quote: (words) => `“${words}”` };

type Waits = NonNullable<Message['waits']>;

type ExplainedMessage = Pick<Message, 'waits' | 'code' | 'reason' | 'reason_params' | 'attempts'>;

/** Returns the reason why a message waits, and until when, in a short sentence; undefined: it does not wait to be sent. */
export function waitText(message: ExplainedMessage, now = new Date()): string | undefined {
  const { waits } = message;
  if (waits === undefined) return undefined;
  const reason = reasonText(message, ENGLISH);
  // A relay of a later version may know of more.
  const text = TEXTS[waits.for]?.(waits, timeOf(waits, now), reason) ?? waits.for;
  if (waits.for === 'retry' || waits.attempt === undefined) return text;
  return `${text}; then attempt ${attemptOf(waits)}${colon(reason)}`;
}

/** Returns the reason why a message waits, or its outcome. */
export const whyText = (message: Message, now = new Date()): string =>
  waitText(message, now) ?? reasonText(message, ENGLISH);

/** The shortest time that it still waits, in ms; 0: nobody knows. */
export const waitMs = ({ waits }: Message, now: Date): number =>
  waits?.until === undefined ? 0 : Math.max(0, Date.parse(waits.until) - now.getTime());

const attemptOf = ({ attempt = 0, of = 0 }: Waits): string => `${attempt} of ${of}`;

/** `09:30:00 (in 5 min)`; empty: nobody knows. */
function timeOf({ until }: Pick<Waits, 'until'>, now: Date): string {
  if (until === undefined) return '';
  const seconds = Math.max(0, Math.round((Date.parse(until) - now.getTime()) / 1_000));
  return `${shortTime(until, now)} (in ${about(seconds)})`;
}

type Text = (waits: Waits, time: string, reason: string | undefined) => string;

const colon = (text: string | undefined): string => (text ? `: ${text}` : '');
const notBefore = (time: string): string => (time === '' ? '' : `; not before ${time}`);

const TEXTS: Partial<Readonly<Record<string, Text>>> = {
  pause: ({ detail }) => `its account is paused by ${detail ?? 'somebody'}`,
  login: ({ detail }) => `its account has no login${colon(detail)}`,
  // A message that was tried has the gateway's words to itself.
  circuit: ({ detail, attempt }, time) =>
    `the gateway is failing; one message is ${time === '' ? 'being tried' : `tried at ${time}`}${colon(attempt === undefined ? detail : undefined)}`,
  retry: (waits, time, reason) =>
    `attempt ${attemptOf(waits)}${time === '' ? ' is due' : ` at ${time}`}${colon(reason)}`,
  delay: (_, time) => `the delay of its route; until ${time}`,
  receiver: ({ per_hour }, time) =>
    `its receiver is at its hourly limit${per_hour === undefined ? '' : ` of ${per_hour}`}${notBefore(time)}`,
  contact: ({ per_day }, time) =>
    `a first message: the account may reach ${per_day === undefined ? 'few' : String(per_day)} new numbers a day${notBefore(time)}`,
  pace: (_, time) => `the account’s pace${notBefore(time)}`,
  turn: () => 'its turn: others go first',
};

type ItemWaits = NonNullable<IncidentAnswer['receivers'][number]['waits']>;

const ITEM_TEXTS: Partial<Readonly<Record<string, string>>> = {
  group: 'waits for its group',
  quiet: 'waits for the end of quiet hours',
  throttle: 'waits for the throttle of its route',
  turn: 'waits for its turn',
};

export function itemWaitText(waits: ItemWaits | undefined, now = new Date()): string {
  const text = ITEM_TEXTS[waits?.for ?? ''] ?? 'waits';
  return text + (waits?.until === undefined ? '' : notBefore(timeOf(waits, now)));
}

/** Checks an incident that a person names by its id or as source/route/key. */
export function readIncident(given: string): CommandResult<string> {
  if (/^inc_[0-9a-z]+$/.test(given) || namedBy(given) !== null) return ok(given);
  return failed(
    `\`${given}\` is not an incident: give its id (inc_…), or source/route/key such as alerts/on-call/disk`,
  );
}

/** The number of items by outcome: `1 notified, 2 summarized`. */
export const outcomesText = (items: IncidentAnswer['receivers'][number]['items']): string =>
  Object.entries(items)
    .map(([outcome, n]) => `${n} ${outcome}`)
    .join(', ');

/** The content of a notification: `2 new, 1 resolved, 3 open`. */
export const aboutText = ({
  form,
  new: opened,
  resolved,
  firing,
}: Omit<NonNullable<Message['about']>, 'incidents' | 'why'>): string =>
  `${form === 'digest' ? 'a digest: ' : ''}${opened} new, ${resolved} resolved, ${firing} open`;

export function outcomeText({
  outcome,
  message,
  silence,
  incident,
  waits,
}: NonNullable<Event['items']>[number]): string {
  switch (outcome) {
    case 'notified':
    case 'summarized':
      return `${outcome} in ${message ?? 'an earlier message'}`;
    case 'resolved':
      return 'resolved before anybody was notified';
    case 'silenced':
      return `silenced by ${silence ?? 'a silence'}`;
    case 'inhibited':
      return `inhibited by ${incident ?? 'an incident'}`;
    case 'outdated':
      return 'outdated: something newer was known';
    case 'waiting':
      return itemWaitText(waits);
    default:
      return outcome;
  }
}
