import { expect, it } from 'vitest';
import { Allowance, charactersOf, charactersOfItem } from '../../../src/ingest/routing/allowance.ts';
import { messagesOf } from '../../../src/ingest/routing/result.ts';
import { itemSample } from '../../outbox/samples.ts';
import { sourceOf } from '../support.ts';

const message = (text: string) =>
  ({ route: 'r', kind: 'text', phone: '1', params: { message: text, title: 'ab' } }) as const;
const roomOf = (limit: object | false | undefined) => new Allowance(sourceOf({ limit }).limit).rows();

it('what a webhook may still make is ten thousand messages, and as many of resolutions beyond the first items', () => {
  const allowance = new Allowance(null);
  allowance.take(10, 100);
  allowance.take(3, 40, true);
  expect(allowance.rows()).toEqual({ count: 9_990, by: 'rows' });
  expect(allowance.rows(true)).toEqual({ count: 9_997, by: 'rows' });
  expect(allowance.characters).toBe(4_199_860);
});

it('what a webhook may still make is what its source may make in a minute, where that is less', () => {
  expect(roomOf(undefined)).toEqual({ count: 120, by: 'minute' });
  expect(roomOf({ per_minute: 5 })).toEqual({ count: 120, by: 'minute' });
  expect(roomOf({ messages_per_minute: 7 })).toEqual({ count: 7, by: 'minute' });
  expect(roomOf({ messages_per_minute: 50_000 })).toEqual({ count: 10_000, by: 'rows' });
  expect(roomOf(false)).toEqual({ count: 10_000, by: 'rows' });
});

it('what a webhook may still make is less of the minute by a resolution, too', () => {
  const allowance = new Allowance({ messagesPerMinute: 9 });
  allowance.take(4, 0);
  allowance.take(3, 0, true);
  expect([allowance.rows(), allowance.rows(true)]).toEqual([
    { count: 2, by: 'minute' },
    { count: 2, by: 'minute' },
  ]);
});

it('what a webhook may still make has one place for an element, whatever the number of routes that take it', () => {
  const allowance = new Allowance(null);
  const elements = [{ id: 1 }, { id: 2 }];
  expect([...elements, ...elements, 1].map((one) => allowance.placeOf(one))).toEqual([1, 2, 1, 2, 3]);
});

it('what a route has made is its messages, and an item for each of its receivers', () => {
  expect(
    messagesOf({ messages: [message('a')], items: [itemSample(['1', '2'], '1'), itemSample(['1'], '1')] }),
  ).toBe(4);
  expect(messagesOf({ messages: [message('a')] })).toBe(1);
});

it('what a route has made has the characters of its texts, of those of fallbacks, and of what an item is known by', () => {
  const fallback = [{ kind: 'text', params: { message: '123' } }] as const;
  expect(charactersOf([message('abc')])).toBe(5);
  expect(charactersOf([{ ...message('abc'), fallback }, message('')])).toBe(10);
  expect(charactersOfItem(itemSample([], '{"a":1}'))).toBe(7);
  expect(charactersOfItem({ value: '1', key: 'ab', group: '["x"]', inhibitedBy: ['a/b/c', 'd'] })).toBe(14);
});
