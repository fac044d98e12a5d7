import { expect, it } from 'vitest';
import type { Dated } from '../../../cli/relay/history.ts';
import { Shown } from '../../../cli/relay/shown.ts';

const at = (second: number): string => `2026-01-05T09:30:${String(second).padStart(2, '0')}.000Z`;

const message = (state: string, second: number, n?: number): Dated => {
  const frame = { type: 'message', at: at(second), message: 'msg_1', event: null, kind: 'text' } as const;
  return { ...frame, source: 'open', route: 'hello', state, ...(n !== undefined && { n }) };
};

const event = (duplicate = false): Dated => {
  const frame = { type: 'event', at: at(0), event: 'evt_1', event_type: null } as const;
  return { ...frame, source: 'open', state: 'routed', duplicate };
};

const rejection = (n: number): Dated => {
  const frame = { type: 'rejection', at: at(0), source: 'open', status: 401, code: 'mismatch' } as const;
  return { ...frame, n, detail: '' };
};

/** Expects of each of these, in their order, if it is shown. */
function expectShown(...frames: readonly (readonly [Dated, 'live' | 'listed', boolean])[]): void {
  const shown = new Shown();
  const found = frames.map(([frame, from]) => [frame, from, shown.take(frame, from === 'listed')]);
  expect(found).toEqual(frames);
}

it('a tail shows what it has once, by the stream or by a list, and again when it came again', () => {
  expectShown(
    [event(), 'live', true],
    [event(), 'listed', false],
    [rejection(1), 'listed', true],
    [rejection(1), 'live', false],
    [rejection(2), 'live', true],
    [rejection(2), 'listed', false],
  );
  expectShown([event(), 'live', true], [event(true), 'live', true], [event(true), 'listed', false]);
});

it('a tail shows each state of a message, and each attempt', () =>
  expectShown(
    [message('queued', 0), 'live', true],
    [message('sending', 1), 'live', true],
    [message('retrying', 2, 1), 'live', true],
    [message('retrying', 2, 1), 'listed', false],
    [message('retrying', 8, 2), 'listed', true],
    [message('dead', 9, 3), 'listed', true],
  ));

it('a tail does not show what the stream says late, once a list has said more', () =>
  expectShown(
    [message('sent', 5, 1), 'listed', true],
    [message('queued', 3), 'live', false],
    [message('sending', 4), 'live', false],
    [message('sent', 6, 1), 'live', false],
    [message('queued', 20), 'live', true],
  ));

it('what a tail has shown is forgotten when there is too much of it', () => {
  const shown = new Shown();
  for (let n = 0; n <= 5_000; n += 1) shown.take(rejection(n), false);
  expect(shown.take(rejection(5_000), false)).toBe(false);
  expect(shown.take(rejection(0), false)).toBe(true);
});
