import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Alarm } from '../../src/lib/alarm.ts';
import { RegistrySchedule } from '../../src/registry/rounds.ts';
import { holds, parseIfMatch } from '../../src/registry/change.ts';

/** The time when the next round is due. */
const ROUND_AT = 5_000;

/** A registry's schedule; `isPublished`: something was put in force. */
function fresh(isPublished = true) {
  const storage = { getAlarm: () => Promise.resolve(null), setAlarm: () => Promise.resolve() };
  const alarm = new Alarm(storage, () => 0);
  const schedule = new RegistrySchedule({
    alarm,
    versions: { isPublished },
    rounds: { nextAt: () => ROUND_AT },
  });
  return { alarm, schedule };
}

it('the registry’s alarm is set for the next round, or for the copy to KV when that is due first', () => {
  for (const [copyAt, at] of [
    [null, ROUND_AT],
    [ROUND_AT - 1, ROUND_AT - 1],
    [ROUND_AT + 1, ROUND_AT],
  ] as const) {
    const { alarm, schedule } = fresh();
    schedule.setCopyAt(copyAt);
    expect([copyAt, alarm.at]).toEqual([copyAt, at]);
  }
});

it('the registry’s alarm is not set before anything is published, but for the copy', () => {
  const { alarm, schedule } = fresh(false);
  schedule.arm();
  schedule.armLost({ isBehind: true, retryAt: 1 });
  expect(alarm.at).toBeNull();
  schedule.setCopyAt(1);
  expect(alarm.at).toBe(1);
});

it('the registry’s alarm is set for the copy alone while it runs: the round may be what runs', () => {
  const { alarm, schedule } = fresh();
  alarm.begin();
  schedule.setCopyAt(null);
  schedule.armLost({ isBehind: true, retryAt: 1 });
  expect(alarm.at).toBeNull();
  schedule.setCopyAt(ROUND_AT + 1);
  expect(alarm.at).toBe(ROUND_AT + 1);
  alarm.end();
  schedule.arm();
  expect(alarm.at).toBe(ROUND_AT);
});

it('the registry’s alarm that was lost is set again: for the copy’s next try where KV lacks something, else for the next round', () => {
  for (const [isBehind, retryAt, at] of [
    [true, 9_000, 9_000],
    [false, 1, ROUND_AT],
  ] as const) {
    const { alarm, schedule } = fresh();
    schedule.armLost({ isBehind, retryAt });
    expect(alarm.at).toBe(at);
  }
});

it('an If-Match is a list of versions, weak or not, or `*`, and nothing else', () => {
  const understood = [
    ['"7"', [7]],
    ['"0"', [0]],
    [' "7" , "8"', [7, 8]],
    ['W/"7"', [7]],
    ['W/"7",W/"8", "9"', [7, 8, 9]],
    ['*', '*'],
    [' * ', '*'],
  ] as const;
  for (const [header, value] of understood) expect(parseIfMatch(header), header).toEqual({ ok: true, value });
  const wrong = [
    '',
    '7',
    "'7'",
    '"7',
    '7"',
    '"seven"',
    '"-7"',
    '"7.5"',
    '"7" "8"',
    '"7",',
    ',"7"',
    '"7", *',
    '**',
  ];
  for (const header of [...wrong, 'w/"7"', '"1234567890123456"', Array(21).fill('"1"').join(',')])
    expect(parseIfMatch(header).ok, header).toBe(false);
});

it('an If-Match names what has to be in force', () => {
  const held = ([[7], [7, 8], '*', undefined] as const).map((condition) => holds(condition, 8));
  expect(held).toEqual([false, true, true, true]);
});

it('an If-Match of any text is parsed in no time', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('"', '1', ',', ' ', 'W/', '*', '\t'), maxLength: 200 }),
      (text) => {
        const parsed = parseIfMatch(text);
        if (parsed.ok && parsed.value !== '*') expect(parsed.value.every(Number.isSafeInteger)).toBe(true);
      },
    ),
  );
  // If each character led to a look at all the others, this would outlast the time-out.
  for (const long of [`"1"${' '.repeat(500_000)}x`, `"1",${'"1",'.repeat(200_000)}`])
    expect(parseIfMatch(long)).toMatchObject({ ok: false });
});
