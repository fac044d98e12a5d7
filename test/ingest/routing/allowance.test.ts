import { describe, expect, it } from 'vitest';
import {
  allowanceOf,
  charactersOf,
  tooMuch,
  WHOLE_EVENT,
  without,
} from '../../../src/ingest/routing/allowance.ts';
import { sourceOf } from '../support.ts';

const message = (text: string) =>
  ({ route: 'r', kind: 'text', phone: '1', params: { message: text, title: 'ab' } }) as const;
const item = (phones: readonly string[], value: string) => ({
  route: 'r',
  index: 1,
  phones,
  key: null,
  isResolved: false,
  flapping: null,
  group: null,
  inhibitedBy: [],
  value,
});

const messagesFor = (limit: object | false | undefined) => allowanceOf(sourceOf({ limit })).messages;

describe('what an event may still make', () => {
  it('is less by a route’s messages and their texts', () => {
    expect(
      without({ messages: 5, characters: 100, perMinute: null }, { messages: [message('abc'), message('')] }),
    ).toEqual({
      messages: 3,
      characters: 93,
      perMinute: null,
    });
    expect(charactersOf([message('abc')])).toBe(5);
  });

  it('is less by an item for each receiver, and by its value once', () => {
    const left = without(
      { messages: 5, characters: 100, perMinute: 5 },
      { messages: [], items: [item(['1', '2'], '{"a":1}'), item(['1'], '1')] },
    );
    expect(left).toEqual({ messages: 2, characters: 92, perMinute: 5 });
  });

  it('is a thousand messages at first, and the failure says so', () => {
    expect(WHOLE_EVENT.messages).toBe(1_000);
    expect(tooMuch('r').reason).toBe(
      'route `r`, parameter `to`: would bring the event to more than 1000 messages, or 4200000 characters in all of them',
    );
  });

  it('is what its source may make in a minute, where that is less', () => {
    expect(messagesFor(undefined)).toBe(120);
    expect(messagesFor({ per_minute: 5 })).toBe(120);
    expect(messagesFor({ messages_per_minute: 7 })).toBe(7);
    expect(messagesFor({ messages_per_minute: 5_000 })).toBe(1_000);
    expect(messagesFor(false)).toBe(1_000);
  });
});
