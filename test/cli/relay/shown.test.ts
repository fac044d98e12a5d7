import { expect, it } from 'vitest';
import { type Change, Shown } from '../../../cli/relay/follow.ts';

const at = (second: number): string => `2026-01-05T09:30:${String(second).padStart(2, '0')}.000Z`;

const message = (state: string, n?: number): Change => {
  const change = { type: 'message', at: at(0), message: 'msg_1', event: null, kind: 'text' } as const;
  return { ...change, source: 'open', route: 'hello', state, ...(n !== undefined && { n }) };
};

const event = (duplicate = false, second = 0): Change => {
  const change = { type: 'event', at: at(second), event: 'evt_1', event_type: null } as const;
  return { ...change, source: 'open', state: 'routed', duplicate };
};

const rejection = (n: number): Change => {
  const change = { type: 'rejection', at: at(0), source: 'open', status: 401, code: 'mismatch' } as const;
  return { ...change, n, detail: '' };
};

/** Expects of each of these, in their order, if it is shown. */
function expectShown(...changes: readonly (readonly [Change, 'live' | 'listed', boolean])[]): void {
  const shown = new Shown();
  const found = changes.map(([change, from]) => [change, from, shown.take(change, from === 'listed')]);
  expect(found).toEqual(changes);
}

it('a tail shows what it has once, by itself or by a list, and again when it came again', () => {
  expectShown(
    [event(), 'live', true],
    [event(), 'listed', false],
    [rejection(1), 'listed', true],
    [rejection(1), 'live', false],
    [rejection(2), 'live', true],
    [rejection(2), 'listed', false],
  );
  expectShown(
    [event(), 'live', true],
    [event(true, 1), 'live', true],
    [event(true, 1), 'live', false],
    [event(true), 'listed', false],
  );
});

it('a tail shows each state of a message, and each attempt', () =>
  expectShown(
    [message('queued'), 'live', true],
    [message('retrying', 1), 'live', true],
    [message('retrying', 1), 'listed', false],
    [message('retrying', 2), 'listed', true],
    [message('dead', 3), 'listed', true],
    [message('queued'), 'live', true],
    [message('queued', 3), 'listed', false],
  ));

it('what a tail has shown is forgotten when there is too much of it', () => {
  const shown = new Shown();
  for (let n = 0; n <= 5_000; n += 1) shown.take(rejection(n), false);
  expect(shown.take(rejection(5_000), false)).toBe(false);
  expect(shown.take(rejection(0), false)).toBe(true);
});
