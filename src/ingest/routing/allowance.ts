import type { Source } from '../../config/config.ts';
import { failure, type RouteFailure } from '../../render/failure.ts';
import type { RenderedMessage, RouteResult } from './route-result.ts';

/** One event may make this many messages; more is a mistake or an attack. */
export const MAX_MESSAGES_PER_EVENT = 1_000;

/**
 * The texts of one event's messages and items together, in UTF-16 units: 4,096 in each of a thousand messages. Several
 * such events at once have to fit into an isolate's memory, twice where the outbox runs in the same isolate.
 */
const MAX_CHARACTERS_PER_EVENT = 4_200_000;

/** How many messages an event may still make. */
export interface Allowance {
  readonly messages: number;
  readonly characters: number;
  /**
   * The limit of its source, where that is what counts: messages beyond it are left out. Null: a route that would make
   * more than `messages` makes none.
   */
  readonly perMinute: number | null;
}

export const WHOLE_EVENT: Allowance = {
  messages: MAX_MESSAGES_PER_EVENT,
  characters: MAX_CHARACTERS_PER_EVENT,
  perMinute: null,
};

/** How many messages one webhook may make: at most those of the source's minute. */
export function allowanceOf({ limit }: Source): Allowance {
  const perMinute = limit?.messagesPerMinute ?? null;
  return perMinute === null || perMinute >= MAX_MESSAGES_PER_EVENT
    ? WHOLE_EVENT
    : { ...WHOLE_EVENT, messages: perMinute, perMinute };
}

/** How many messages one element of a route may make; more of them are left out. */
export const roomFor = ({ messages, perMinute }: Allowance, made: number): number =>
  perMinute === null ? Infinity : messages - made;

/** What is left after a route; a negative number says that it was too much. */
export function without(
  left: Allowance,
  { messages, items = [] }: Pick<RouteResult, 'messages' | 'items'>,
): Allowance {
  const rest = {
    ...left,
    messages: left.messages - messagesOf({ messages, items }),
    characters: left.characters - charactersOf(messages),
  };
  for (const { value } of items) rest.characters -= value.length;
  return rest;
}

/** How many messages there are; an item counts for each of its receivers. */
export const messagesOf = ({ messages, items = [] }: Pick<RouteResult, 'messages' | 'items'>): number =>
  items.reduce((sum, { phones }) => sum + phones.length, messages.length);

export const charactersOf = (messages: readonly RenderedMessage[]): number =>
  messages.reduce(
    (sum, { params, fallback = [] }) =>
      [params, ...fallback.map((one) => one.params)]
        .flatMap((one) => Object.values(one))
        .reduce((inner, text) => inner + text.length, sum),
    0,
  );

/** Why nothing of a route is sent that would make more. */
export const tooMuch = (route: string): RouteFailure =>
  failure(
    { route },
    'to',
    '',
    `would bring the event to more than ${MAX_MESSAGES_PER_EVENT} messages, or ${MAX_CHARACTERS_PER_EVENT} characters in all of them`,
  );
