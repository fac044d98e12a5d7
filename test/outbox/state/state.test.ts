import { expect } from 'vitest';
import {
  bytesOf,
  fitsIntoRow,
  heldBytes,
  MAX_EVENT_BYTES,
  storedBytes,
} from '../../../src/outbox/state/acceptance.ts';
import { Calls, callsPerRun } from '../../../src/outbox/state/calls.ts';
import {
  afterCall,
  CLOSED,
  MAX_BACKOFF,
  STEADY_PROBES,
  type Circuit,
} from '../../../src/outbox/state/circuit.ts';
import { factsOf, readFact, writeFact, Meta } from '../../../src/outbox/state/meta.ts';
import { it } from '../it.ts';
import { itemSample } from '../samples.ts';
import { acceptanceTo, ANSWERS, column, sameBytes, SECOND, START } from '../support.ts';

it('a fact is kept until it is overwritten or deleted, and listed with those of its kind', ({ sql }) => {
  expect(readFact(sql, 'one')).toBeNull();
  for (const value of ['first', 'second', null]) {
    writeFact(sql, 'one', value);
    expect(readFact(sql, 'one')).toBe(value);
  }
  for (const key of ['kind', 'kind:', 'kind:a', 'kind:a:b', 'kind2:c', 'kin:d']) writeFact(sql, key, key);
  expect([...factsOf(sql, 'kind')]).toEqual([
    ['', 'kind:'],
    ['a', 'kind:a'],
    ['a:b', 'kind:a:b'],
  ]);
});

it('an outbox has one tag and one key for good', ({ sql }) => {
  sql.exec('DELETE FROM meta');
  const { tag, key } = new Meta(sql, sameBytes);
  expect([tag, key]).toEqual([
    expect.stringMatching(/^[0-9a-z]{7}$/),
    expect.stringMatching(/^[0-9a-z]{52}$/),
  ]);
  expect(new Meta(sql, (count) => new Uint8Array(count).fill(9))).toMatchObject({ tag, key });
});

it('an outbox remembers its pause and open circuit until they end, at no row then', ({ sql }) => {
  const meta = new Meta(sql, sameBytes);
  const again = () => new Meta(sql, sameBytes);
  const pause = { at: START, by: 'token', reason: 'a holiday' };
  const circuit = { failures: 5, probeAt: START };
  expect(meta.pause).toBeNull();
  Object.assign(meta, { pause, circuit });
  expect(again()).toMatchObject({ pause, circuit });
  Object.assign(meta, { pause: null, circuit: CLOSED });
  expect(again()).toMatchObject({ pause: null, circuit: CLOSED });
  // A closed circuit's count of failures costs none.
  meta.circuit = { failures: 4, probeAt: null };
  expect(meta.circuit.failures).toBe(4);
  expect(again().circuit).toEqual(CLOSED);
  expect(column(sql, 'SELECT key FROM meta')).toEqual(['key', 'tag']);
});

it('CALLS_PER_RUN is what the free plan allows unless it says how many', () => {
  const texts = ['40', '10000', undefined, '', '9', '10001', 'many', '1e3'];
  expect(texts.map(callsPerRun)).toEqual([40, 10_000, 50, 50, 50, 50, 50, 50]);
});

it('a run has fewer calls for messages than in all, fewest for those of open sources, and all again with the next run', () => {
  const calls = new Calls(50);
  const now = () => [
    calls.left,
    calls.messagesOf('urgent'),
    calls.messagesOf('signed'),
    calls.messagesOf('open'),
  ];
  // A message may take three calls.
  expect(now()).toEqual([50, 14, 14, 11]);
  calls.spend(35);
  expect(now()).toEqual([15, 2, 2, 0]);
  calls.spend(7);
  expect(now()).toEqual([8, 0, 0, 0]);
  calls.exhaust();
  expect(now()).toEqual([0, 0, 0, 0]);
  calls.begin();
  expect(now()).toEqual([50, 14, 14, 11]);
});

const POLICY = { failures: 3, probeMs: 30 * SECOND };
const SIGNED = { source: 'shop', standing: 'signed' } as const;
const OPEN = { failures: 3, probeAt: START };
const after = (circuit: Circuit, outcome: keyof typeof ANSWERS, now = START): Circuit =>
  afterCall(circuit, ANSWERS[outcome], SIGNED, POLICY, now);

it('the circuit opens after N failures in a row, and knows the last; an answer closes it', () => {
  const twice = after(after(CLOSED, 'server_error'), 'unreachable', START + SECOND);
  const last = { at: START + SECOND, code: 'unreachable' };
  expect(twice).toEqual({ failures: 2, probeAt: null, last });
  expect(after(twice, 'uncertain')).toMatchObject({ failures: 3, probeAt: START + 30 * SECOND });
  for (const outcome of ['sent', 'refused', 'busy', 'rejected', 'redirected', 'unauthorized'] as const)
    expect([outcome, after(twice, outcome), after(OPEN, outcome)]).toEqual([outcome, CLOSED, CLOSED]);
  // A 503 is a failure, though its message only waits.
  const unavailable = afterCall(CLOSED, { ...ANSWERS.busy, http_status: 503 }, SIGNED, POLICY, START);
  expect(unavailable).toMatchObject({ failures: 1, probeAt: null });
});

it('the circuit stays open when a probe fails, and is probed ever more rarely', () => {
  let circuit: Circuit = OPEN;
  const waits: number[] = [];
  for (let probe = 0; probe < 20; probe += 1) {
    circuit = after(circuit, 'unreachable');
    waits.push(((circuit.probeAt ?? 0) - START) / POLICY.probeMs);
  }
  expect(waits.slice(0, STEADY_PROBES)).toEqual(Array.from({ length: STEADY_PROBES }, () => 1));
  expect(waits.slice(STEADY_PROBES, STEADY_PROBES + 5)).toEqual([2, 4, 8, 10, 10]);
  expect(Math.max(...waits)).toBe(MAX_BACKOFF);
  // Also when a publish has raised the number of failures.
  const raised = { failures: 100, probeMs: SECOND };
  expect(afterCall(OPEN, ANSWERS.uncertain, SIGNED, raised, START).probeAt).toBe(START + SECOND);
});

it('the circuit learns nothing from a call that was never made', () => {
  for (const outcome of ['rejected', 'unauthorized'] as const) {
    const unmade = (circuit: Circuit) =>
      afterCall(circuit, { outcome, code: 'not-sendable', duration_ms: 0 }, SIGNED, POLICY, START);
    expect(unmade(OPEN)).toEqual(OPEN);
    expect(unmade({ failures: 2, probeAt: null }).failures).toBe(2);
  }
});

it('the bytes of what is accepted are more by a row for each message, and for each receiver of an item', () => {
  const none = acceptanceTo([]);
  const two = acceptanceTo(['1', '2']);
  expect(storedBytes(two) - storedBytes(none)).toBe(2_048);
  expect(heldBytes(two)).toBeGreaterThan(heldBytes(none) + 2_048);
  const waiting = { ...none, items: [itemSample(['1', '2'], 'x'.repeat(100)), itemSample(['1'], '')] };
  expect(storedBytes(waiting) - storedBytes(none)).toBe(100 + 3 * 1_024);
  expect(heldBytes(waiting) - heldBytes(none)).toBe(200 + 3 * 1_024);
});

it('an event’s row holds texts up to its size together, in bytes of UTF-8', () => {
  expect(bytesOf(['a', 'é', '漢'])).toBe(6);
  expect(fitsIntoRow(['x'.repeat(MAX_EVENT_BYTES - 2), 'é'])).toBe(true);
  expect(fitsIntoRow(['x'.repeat(MAX_EVENT_BYTES - 1), 'é'])).toBe(false);
});
