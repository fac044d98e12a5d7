import { describe, expect, it } from 'vitest';
import type { Dated } from '../../../cli/relay/history.ts';
import { Shown } from '../../../cli/relay/shown.ts';

const at = (second: number): string => `2026-01-05T09:30:${String(second).padStart(2, '0')}.000Z`;

const message = (state: string, second: number, n?: number): Dated => ({
  type: 'message',
  at: at(second),
  message: 'msg_1',
  event: null,
  source: 'open',
  route: 'hello',
  kind: 'text',
  state,
  ...(n !== undefined && { n }),
});

const event = (duplicate = false): Dated => ({
  type: 'event',
  at: at(0),
  event: 'evt_1',
  source: 'open',
  event_type: null,
  state: 'routed',
  duplicate,
});

const rejection = (n?: number): Dated => ({
  type: 'rejection',
  at: at(0),
  source: 'open',
  status: 401,
  reason: 'mismatch',
  ...(n !== undefined && { n }),
});

/** Says of each of these, in their order, if it is shown. */
function shownOf(frames: readonly (readonly [Dated, 'live' | 'listed'])[]): readonly boolean[] {
  const shown = new Shown();
  return frames.map(([frame, from]) => shown.take(frame, from === 'listed'));
}

describe('what a tail has shown', () => {
  it('is shown once, by the stream or by a list', () => {
    expect(
      shownOf([
        [event(), 'live'],
        [event(), 'listed'],
        [rejection(1), 'listed'],
        [rejection(1), 'live'],
        [rejection(2), 'live'],
        [rejection(), 'live'],
        [rejection(), 'listed'],
      ]),
    ).toEqual([true, false, true, false, true, true, false]);
  });

  it('is shown again when it came again', () => {
    expect(
      shownOf([
        [event(), 'live'],
        [event(true), 'live'],
        [event(true), 'listed'],
      ]),
    ).toEqual([true, true, false]);
  });

  it('is each state of a message, and each attempt', () => {
    expect(
      shownOf([
        [message('queued', 0), 'live'],
        [message('sending', 1), 'live'],
        [message('retrying', 2, 1), 'live'],
        [message('retrying', 2, 1), 'listed'],
        [message('retrying', 8, 2), 'listed'],
        [message('dead', 9, 3), 'listed'],
      ]),
    ).toEqual([true, true, true, false, true, true]);
  });

  it('is not what the stream says late, once a list has said more', () => {
    expect(
      shownOf([
        [message('sent', 5, 1), 'listed'],
        [message('queued', 3), 'live'],
        [message('sending', 4), 'live'],
        [message('sent', 6, 1), 'live'],
        [message('queued', 20), 'live'],
      ]),
    ).toEqual([true, false, false, false, true]);
  });

  it('goes on with the messages that are not done', () => {
    const shown = new Shown();
    shown.take(message('retrying', 1, 1), false);
    expect(shown.pending).toEqual(['msg_1']);
    shown.take(message('dead', 2, 2), false);
    expect(shown.pending).toEqual([]);
  });

  it('is forgotten when there is too much of it', () => {
    const shown = new Shown();
    for (let n = 0; n <= 5_000; n += 1) shown.take(rejection(n), false);
    expect(shown.take(rejection(5_000), false)).toBe(false);
    expect(shown.take(rejection(0), false)).toBe(true);
  });
});
