import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { iso } from '../../src/lib/iso.ts';
import { describe, expect, it } from 'vitest';
import { MAX_SET_BYTES } from '../../src/registry/plan.ts';
import { Rejections } from '../../src/registry/rejections.ts';
import { whyTooLarge } from '../../src/gateway/params-size.ts';
import { MAX_SOURCES } from '../../src/outbox/counters/counters.ts';
import { MAX_IN_FLIGHT } from '../../src/outbox/send/timing.ts';
import { retryMessage } from '../../src/outbox/operate/operate.ts';
import { Bench } from './bench.ts';
import { ANSWERS, bytesOfRow, draft, rowOf, START } from './support.ts';
import { inStorage } from './bare-outbox.ts';

/** The platform's own. The runtime at hand takes more, so each test measures. */
const MAX_ROW_BYTES = 2_000_000;

/** In JSON six bytes. */
const CONTROL = '\u0001';

/** The longest schedule that a policy may have. */
const SCHEDULE = Array.from({ length: 50 }, () => 0);

/** A gateway's answer that takes as many bytes as may be kept of one. */
const LONG_ANSWER = {
  outcome: 'busy',
  detail: CONTROL.repeat(1_024),
  response: CONTROL.repeat(1_024),
  http_status: 429,
  duration_ms: 1,
} as const;

const text = '漢'.repeat(65_536);
/** As many bytes as may be. */
const LARGEST = draft({ kind: 'link-preview', params: { url: text, text, title: text, description: text } });

describe('the row of a message', () => {
  it('has the largest parameters that are let through', () => {
    expect(whyTooLarge(LARGEST.params)).toBeNull();
  });

  it('holds them beside a hundred answers of a gateway that refuses the login again and again', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      await bench.accept(LARGEST);
      for (let round = 0; round < 110; round += 1) {
        await bench.call(1).answer({ ...LONG_ANSWER, outcome: 'unauthorized' });
        bench.meta.pause = null;
        await bench.wake();
      }
      expect(bench.thrown).toBeNull();
      expect(bytesOfRow(rowOf(sql, 1))).toBeLessThanOrEqual(MAX_ROW_BYTES);
    }));

  it('holds them beside schedule after schedule, as often as a person may ask for one', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage, { retryMs: SCHEDULE });
      await bench.accept(LARGEST);
      for (let asked = true; asked;) {
        while (bench.open.length > 0) await bench.call(1).answer(LONG_ANSWER);
        const context = { sql, now: bench.now, by: 'someone@example.com', isSending: () => false };
        asked = retryMessage(context, rowOf(sql, 1)).ok && bench.made.length < 300;
        await bench.wake();
      }
      expect(bench.thrown).toBeNull();
      expect(bytesOfRow(rowOf(sql, 1))).toBeLessThanOrEqual(MAX_ROW_BYTES);
    }));
});

const MAX_NAME = 64;
const nameOf = (n: number): string => String(n).padStart(MAX_NAME, 'n');

describe('the row of a claim', () => {
  it('holds the counters of as many sources as are counted apart, all that ever happens to them, and what is in flight', () =>
    inStorage(async ({ storage, storage: { sql } }) => {
      const bench = new Bench(storage);
      const { counters } = bench.claims;
      for (let n = 0; n < 2 * MAX_SOURCES; n += 1) {
        const source = nameOf(n);
        for (const state of ['routed', 'unmatched', 'failed'] as const)
          counters.event({ source, state, receivedAt: START, replay: null });
        counters.duplicate(source, START);
        for (const state of ['sent', 'retrying', 'uncertain', 'dead', 'expired', 'cancelled'])
          counters.reached(source, state, START);
        counters.queued(source, 1_000_000, START);
        for (const outcome of Object.keys(ANSWERS))
          counters.attempt(
            source,
            { at: START, outcome, duration_ms: 17 ** (n % 5), http_status: 200 },
            'sent',
            17 ** (n % 6),
          );
      }
      await bench.accept(...Array.from({ length: MAX_IN_FLIGHT }, (_, n) => draft({ phone: `49151${n}` })));
      const rows = sql.exec('SELECT * FROM checkpoint').toArray();
      expect(Math.max(...rows.map(bytesOfRow))).toBeLessThanOrEqual(MAX_ROW_BYTES / 5);
      expect(bench.open).toHaveLength(MAX_IN_FLIGHT);
    }));
});

describe('the rows of the registry', () => {
  it('hold a version of the largest set, and the counts of as many refusals as are counted apart', () =>
    runInDurableObject(env.REGISTRY.getByName(crypto.randomUUID()), (_, { storage: { sql } }) => {
      expect(MAX_SET_BYTES).toBeLessThanOrEqual(MAX_ROW_BYTES - 100_000);
      const rejections = new Rejections(sql);
      const detail = '漢'.repeat(1_000);
      for (let n = 0; n < 1_500; n += 1)
        rejections.record({ at: iso(START), source: nameOf(n), status: 401, reason: nameOf(n), detail });
      const rows = sql.exec('SELECT * FROM rejections ORDER BY n DESC LIMIT 3').toArray();
      expect(Math.max(...rows.map(bytesOfRow))).toBeLessThanOrEqual(MAX_ROW_BYTES / 5);
    }));
});
