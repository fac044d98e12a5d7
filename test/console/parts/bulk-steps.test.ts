import { describe, expect, test } from 'vitest';
import { NOTHING_YET, plus, runSteps, type StepAnswer } from '../../../console/parts/bulk/steps.ts';

const STEPS: readonly StepAnswer[] = [
  { replayed: 0, messages: 0, skipped: {}, events: [], next_cursor: 'a' },
  {
    replayed: 2,
    messages: 3,
    skipped: { is_replay: 1 },
    events: [
      { event: 'evt_3', replay_of: 'evt_1' },
      { event: 'evt_4', replay_of: 'evt_2' },
    ],
    next_cursor: 'b',
  },
  { replayed: 1, messages: 1, skipped: { is_replay: 2, too_large: 1 }, events: [], next_cursor: null },
];

/** Answers the steps one after the other, and keeps what it was asked for. */
function answering(steps: readonly StepAnswer[]) {
  const asked: (string | null)[] = [];
  const ask = (cursor: string | null): Promise<StepAnswer> => {
    const step = steps[asked.length];
    asked.push(cursor);
    return step === undefined ? Promise.reject(new Error('asked too often')) : Promise.resolve(step);
  };
  return { asked, ask };
}

describe('steps', () => {
  test('follow one another by their cursors until there is none, and are summed up', async () => {
    const { asked, ask } = answering(STEPS);
    const seen: number[] = [];
    const sum = await runSteps({
      ask,
      from: NOTHING_YET,
      onStep: ({ done }) => seen.push(done),
      signal: new AbortController().signal,
    });
    expect(asked).toEqual([null, 'a', 'b']);
    expect(seen).toEqual([0, 2, 3]);
    expect(sum).toEqual({
      done: 3,
      messages: 4,
      skipped: { is_replay: 3, too_large: 1 },
      events: ['evt_3', 'evt_4'],
      phones: new Set(),
      next: null,
    });
  });

  test('end after the one under way when somebody stops them, and can go on from there', async () => {
    const { asked, ask } = answering(STEPS);
    const stop = new AbortController();
    const onStep = ({ done }: { done: number }): void => void (done === 2 && stop.abort());
    const half = await runSteps({ ask, from: NOTHING_YET, onStep, signal: stop.signal });
    expect(half).toMatchObject({ done: 2, next: 'b' });
    const whole = await runSteps({ ask, from: half, onStep, signal: new AbortController().signal });
    expect(whole).toMatchObject({ done: 3, next: null });
    expect(asked).toEqual([null, 'a', 'b']);
  });

  test('count each receiver once over all of them', async () => {
    const { ask } = answering([
      { replayed: 2, phones: ['4915111', '4915112'], next_cursor: 'a' },
      { replayed: 1, phones: ['4915112'], next_cursor: null },
    ]);
    const signal = new AbortController().signal;
    const { phones } = await runSteps({ ask, from: NOTHING_YET, onStep: () => undefined, signal });
    expect([...phones]).toEqual(['4915111', '4915112']);
  });

  test('that fail are thrown, and not counted as done', async () => {
    const { ask } = answering([]);
    await expect(
      runSteps({ ask, from: NOTHING_YET, onStep: () => undefined, signal: new AbortController().signal }),
    ).rejects.toThrow('asked too often');
  });
});

test('what was under way when it was to be cancelled counts as skipped', () => {
  expect(plus(NOTHING_YET, { cancelled: 4, in_flight: 2, looked_at: 9, next_cursor: null })).toMatchObject({
    done: 4,
    skipped: { in_flight: 2 },
  });
  expect(plus(NOTHING_YET, { retried: 1, in_flight: 0, next_cursor: null }).skipped).toEqual({});
});
