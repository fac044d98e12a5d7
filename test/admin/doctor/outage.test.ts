import { describe, expect, it } from 'vitest';
import type { Check } from '../../../src/admin/doctor/check.ts';
import { outageCheck } from '../../../src/admin/doctor/outage.ts';
import type { OutboxStatus } from '../../../src/outbox/answers/api-status.ts';
import { quietStatus } from '../../outbox/read/quiet-status.ts';

const AT = '2026-01-05T08:00:00.000Z';
const NEXT = '2026-01-05T08:00:30.000Z';
const LAST = { at: AT, detail: 'the gateway answered 500: it failed' };

const statusOf = (over: Partial<OutboxStatus> = {}): OutboxStatus =>
  quietStatus({ queued: 3, retrying: 1, drain_seconds: null, ...over });
const down = statusOf({ circuit: { state: 'open', failures: 7, probe_at: NEXT, last_error: LAST } });
const refused = statusOf({
  paused: { since: AT, by: 'gateway', reason: 'the gateway answered 401: it rejects the credentials' },
});

const probed = (status: Check['status'], detail: string, remedy?: string): Check => ({
  id: 'gateway:default',
  title: 'Gateway',
  status,
  detail,
  ...(remedy !== undefined && { remedy }),
});

describe('what messages met at their gateway', () => {
  it('is nothing when the last one met no failure, or a person paused the account', () => {
    expect(outageCheck(statusOf(), null)).toBeNull();
    expect(outageCheck(statusOf({ paused: { since: AT, by: 'ada', reason: 'lunch' } }), null)).toBeNull();
  });

  it('is one failing check, with the last words, their time, what waits, and when it is tried again', () => {
    const check = outageCheck(down, null);
    expect(check).toMatchObject({
      id: 'gateway:default',
      title: 'Gateway',
      status: 'fail',
      detail: `failed 7 times in a row, the last at ${AT}: the gateway answered 500: it failed; 4 messages waiting`,
    });
    expect(check?.remedy).toContain(`tries one message at ${NEXT}`);
    expect(check?.remedy).toContain('npx hookbell resume default');
  });

  it('fails although a call just now was answered, and says both', () => {
    const check = outageCheck(down, probed('ok', 'answers 400 (“phone is missing”)'));
    expect(check?.status).toBe('fail');
    expect(check?.detail).toMatch(
      /failed 7 times .*; 4 messages waiting\. A test call just now: answers 400 \(/,
    );
  });

  it('has the remedy of a call just now that failed as well', () => {
    const check = outageCheck(down, probed('fail', 'cannot be reached: no such host', 'Compare the address'));
    expect(check).toMatchObject({ status: 'fail', remedy: 'Compare the address' });
  });

  it('is a login that is refused, since when, and how to set it', () => {
    const check = outageCheck(refused, probed('unknown', 'answers 400', 'Send a message to your own phone'));
    expect(check?.status).toBe('fail');
    expect(check?.detail).toContain(
      `refuses the account, which has been paused since ${AT}: the gateway answered 401: it rejects the credentials`,
    );
    expect(check?.remedy).toContain('npx wrangler secret put GATEWAY_API_KEY');
    expect(check?.remedy).toContain('npx hookbell resume default');
  });

  it('is a warning while the circuit is closed and the gateway answers', () => {
    const once = statusOf({ circuit: { state: 'closed', failures: 1, last_error: LAST } });
    expect(outageCheck(once, probed('ok', 'answers'))?.status).toBe('warn');
    expect(outageCheck(once, probed('fail', 'cannot be reached'))?.status).toBe('fail');
  });

  it('is a remark once nothing waits and the circuit is closed', () => {
    const circuit = { state: 'closed', failures: 2, last_error: LAST } as const;
    const over = statusOf({ queued: 0, retrying: 0, circuit });
    const check = outageCheck(over, probed('ok', 'answers'));
    expect(check?.status).toBe('ok');
    expect(check?.remedy).toBeUndefined();
    expect(check?.detail).toContain(`the last at ${AT}`);
    expect(outageCheck(over, probed('fail', 'cannot be reached'))?.status).toBe('fail');
  });

  it('does without the last words of a circuit that an earlier version opened', () => {
    const before = statusOf({ circuit: { state: 'open', failures: 5, probe_at: NEXT } });
    expect(outageCheck(before, null)).toMatchObject({
      status: 'fail',
      detail: 'failed 5 times in a row; 4 messages waiting',
    });
  });
});
