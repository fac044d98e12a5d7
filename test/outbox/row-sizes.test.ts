import { describe, expect, it } from 'vitest';
import { whyTooLarge } from '../../src/gateway/params-size.ts';
import { retryMessage } from '../../src/outbox/operate.ts';
import { Bench } from './bench.ts';
import { bytesOfRow, draft, inStorage, rowOf } from './support.ts';

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
    inStorage(async ({ storage: { sql } }) => {
      const bench = new Bench(sql);
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
    inStorage(async ({ storage: { sql } }) => {
      const bench = new Bench(sql, { retryMs: SCHEDULE });
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
