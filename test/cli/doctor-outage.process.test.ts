import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { admin, hookbell, OPEN_SET, phoneUrl, publish, until, untilState } from './support.ts';

const PHONE = '4915199999123';

const report = z.object({
  checks: z.array(
    z.object({ id: z.string(), status: z.string(), detail: z.string(), remedy: z.optional(z.string()) }),
  ),
});
const queued = z.object({ id: z.string() });
const status = z.object({
  paused: z.nullable(z.object({ by: z.string() })),
  circuit: z.object({ state: z.string(), last_error: z.optional(z.object({ at: z.string() })) }),
});
const bubbles = z.object({
  items: z.array(z.object({ to: z.nullable(z.string()), delivered: z.boolean() })),
});

const script = (steps: readonly object[]): Promise<unknown> =>
  fetch(`${phoneUrl()}/_control/script`, { method: 'PUT', body: JSON.stringify({ steps }) });

/** Sends a message that fails, and waits until the account knows. */
async function fail(step: object): Promise<string> {
  await script([{ ...step, match: { phone: PHONE }, times: 5 }]);
  const { id } = queued.parse(await admin('POST', '/messages', { to: PHONE, kind: 'text', message: 'x' }));
  onTestFinished(async () => {
    await script([]);
    await admin('POST', `/messages/${id}/cancel`);
    await admin('POST', '/accounts/default/resume');
    const well = queued.parse(await admin('POST', '/messages', { to: PHONE, kind: 'text', message: 'well' }));
    await untilState(well.id, 'sent');
  });
  await until(async () => {
    const { paused, circuit } = status.parse(await admin('GET', '/accounts/default/status'));
    return paused?.by === 'gateway' || circuit.state === 'open';
  }, 'the account knows that its gateway fails');
  return id;
}

/** The number of calls that were a message to somebody. */
const calls = async (): Promise<number> =>
  bubbles
    .parse(await (await fetch(`${phoneUrl()}/_control/calls`)).json())
    .items.filter(({ to, delivered }) => to !== null || delivered).length;

const circuit = { failures: 1, probe: '1h' };

describe('doctor, when messages fail at the gateway', () => {
  beforeEach(() =>
    publish({ ...OPEN_SET, accounts: { default: { ...OPEN_SET.accounts.default, circuit, timeout: '1s' } } }),
  );

  it.each([
    [
      'by a server error',
      { failure: 'status', status: 500 },
      'the gateway answered 500: it failed',
      'resume',
    ],
    ['by no answer in time', { failure: 'hang' }, 'no answer in time', 'resume'],
    ['by half an answer', { failure: 'garbage' }, 'the answer is not a JSON object', 'resume'],
    ['by a lost connection', { failure: 'reset' }, 'the connection was lost', 'resume'],
    [
      'by a login that is refused',
      { failure: 'status', status: 401 },
      'rejects the credentials',
      '.dev.vars',
    ],
  ])('%s: one check fails, with the last words, the time and what to do', async (_, step, words, remedy) => {
    await fail(step);
    const { code, stdout } = await hookbell(['doctor', '--json']);
    const { checks } = report.parse(JSON.parse(stdout));
    const failed = checks.filter((check) => check.status === 'fail');
    expect([code, failed.map(({ id }) => id)]).toEqual([1, ['gateway:default']]);
    expect(failed[0]?.detail).toMatch(/(the last at|paused since) \d{4}-\d\d-\d\dT/);
    expect(failed[0]?.detail).toContain(words);
    // Of other tests, too, which use the same relay.
    expect(failed[0]?.detail).toMatch(/; \d+ messages? waiting\. A test call just now: answers/);
    expect(failed[0]?.remedy).toContain(remedy);
    // Nothing beside it says that deliveries are well.
    expect(checks.filter(({ id }) => id === 'accounts')).toEqual([]);
    const shown = (await hookbell(['doctor'])).stdout;
    expect(shown).toMatch(/✗ Gateway +(failed|refuses)/);
    expect(shown).not.toMatch(/\dT\d\d:/);
  });

  it('says the same without a call of the gateway, and sends no message by one', async () => {
    await fail({ failure: 'status', status: 500 });
    const before = await calls();
    await hookbell(['doctor']);
    expect(await calls()).toBe(before);
    const { stdout } = await hookbell(['doctor', '--json', '--no-probe']);
    const gateway = report.parse(JSON.parse(stdout)).checks.find(({ id }) => id === 'gateway:default');
    expect(gateway?.status).toBe('fail');
    expect(gateway?.detail).not.toContain('A call without content');
  });
});
