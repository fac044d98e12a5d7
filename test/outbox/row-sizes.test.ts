import { expect } from 'vitest';
import { whyTooLarge } from '../../src/gateway/kinds.ts';
import { iso } from '../../src/lib/time.ts';
import { openStore } from '../../src/lib/store.ts';
import { MAX_SOURCES } from '../../src/outbox/counters/counters.ts';
import { retryMessage } from '../../src/outbox/operate.ts';
import { MAX_IN_FLIGHT } from '../../src/outbox/send/timing.ts';
import { MAX_SET_BYTES } from '../../src/config/compile/compile.ts';
import { Rejections } from '../../src/registry/rejections.ts';
import { REGISTRY_STORE } from '../../src/registry/schema.ts';
import { simulatedStorage } from '../platform/storage.ts';
import { Bench } from './bench.ts';
import { it } from './it.ts';
import { ANSWERS, bytesOfRow, draft, queue, rowOf, START } from './support.ts';

/** The platform's own. The runtime at hand takes more, so each test measures. */
const MAX_ROW_BYTES = 2_000_000;

/** In JSON six bytes a character: as many as may be kept of an answer. */
const LONG = '\u0001'.repeat(1_024);
const LONG_ANSWER = {
  outcome: 'busy',
  code: 'busy',
  params: { words: LONG },
  response: LONG,
  http_status: 429,
  duration_ms: 1,
} as const;

const text = '漢'.repeat(65_536);
/** As many bytes as may be. */
const LARGEST = { url: text, text, title: text, description: text };

/** The bytes that the row would have with the largest parameters. */
const largestBytes = (sql: SqlStorage): number => {
  const row = rowOf(sql, 1);
  return bytesOfRow({ ...row, params: JSON.stringify(LARGEST) });
};

it('the largest parameters are let through, and fit into a row', ({ sql }) => {
  expect(whyTooLarge(LARGEST)).toBeNull();
  queue(sql, START, draft({ kind: 'link-preview', params: LARGEST }));
  expect(bytesOfRow(rowOf(sql, 1))).toBeLessThan(MAX_ROW_BYTES / 2);
});

it('a message’s row holds them beside a hundred long answers', async ({ rig, sql }) => {
  await rig.accept(draft());
  for (let round = 0; round < 110; round += 1) {
    await rig.call(1).answer({ ...LONG_ANSWER, outcome: 'unauthorized' });
    rig.meta.pause = null;
    await rig.wake();
  }
  expect(rig.thrown).toBeNull();
  expect(largestBytes(sql)).toBeLessThanOrEqual(MAX_ROW_BYTES);
});

it('a message’s row holds them beside as many schedules as may be', async ({ storage, sql }) => {
  // The longest that a policy may have.
  const rig = new Bench(storage, { retryMs: Array.from({ length: 50 }, () => 0) });
  await rig.accept(draft());
  for (let asked = true; asked;) {
    while (rig.open.length > 0) await rig.call(1).answer(LONG_ANSWER);
    asked = retryMessage(rig.parts, rowOf(sql, 1), 'someone@example.com').ok && rig.made.length < 300;
    await rig.wake();
  }
  expect(rig.thrown).toBeNull();
  expect(largestBytes(sql)).toBeLessThanOrEqual(MAX_ROW_BYTES);
});

const nameOf = (n: number): string => String(n).padStart(64, 'n');

it('a claim’s row holds the counters of all sources and what is in flight', async ({ rig, sql }) => {
  const { counters } = rig.claims;
  for (let n = 0; n < 2 * MAX_SOURCES; n += 1) {
    const source = nameOf(n);
    for (const state of ['routed', 'unmatched', 'failed'] as const)
      counters.event({ source, state, receivedAt: START, replay: null });
    counters.duplicate(source, START);
    for (const state of ['sent', 'retrying', 'uncertain', 'dead', 'expired', 'cancelled'])
      counters.reached(source, state, START);
    counters.queued(source, 1_000_000, START);
    for (const outcome of Object.keys(ANSWERS)) {
      const attempt = { at: START, outcome, duration_ms: 17 ** (n % 5), http_status: 200 };
      counters.attempt({ source, about: null }, attempt, 'sent', 17 ** (n % 6));
    }
  }
  await rig.accept(...Array.from({ length: MAX_IN_FLIGHT }, (_, n) => draft({ phone: `49151${n}` })));
  const rows = sql.exec('SELECT * FROM checkpoint').toArray();
  expect(Math.max(...rows.map(bytesOfRow))).toBeLessThanOrEqual(MAX_ROW_BYTES / 5);
  expect(rig.open).toHaveLength(MAX_IN_FLIGHT);
});

it('the registry’s rows hold the largest set, and the counts of as many refusals as are counted apart', () => {
  expect(MAX_SET_BYTES).toBeLessThanOrEqual(MAX_ROW_BYTES - 100_000);
  const storage = simulatedStorage();
  openStore(storage, REGISTRY_STORE);
  const rejections = new Rejections(storage.sql);
  const detail = '漢'.repeat(1_000);
  // A tenth of them: each takes as much.
  for (let n = 0; n < 100; n += 1)
    rejections.recordRejection({ at: iso(START), source: nameOf(n), status: 401, code: 'mismatch', detail });
  const rows = storage.sql.exec('SELECT * FROM rejections ORDER BY n DESC LIMIT 3').toArray();
  expect(10 * Math.max(...rows.map(bytesOfRow))).toBeLessThanOrEqual(MAX_ROW_BYTES / 5);
});
