import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { admin, hookbell, json, OPEN_SET, phoneUrl, publish, start, until, untilState } from '../support.ts';

const breakGateway = (steps: readonly object[]): Promise<Response> =>
  fetch(`${phoneUrl()}/_control/script`, { method: 'PUT', body: JSON.stringify({ steps }) });

const queued = z.object({ id: z.string() });

/** A message by hand, which is cancelled at the end of the test if it still waits. */
async function send(phone: string): Promise<string> {
  const { id } = queued.parse(await admin('POST', '/messages', { to: phone, kind: 'text', message: 'x' }));
  onTestFinished(async () => void (await admin('POST', `/messages/${id}/cancel`).catch(() => null)));
  return id;
}

const NOT_BEFORE = String.raw`its receiver is at its hourly limit of 1; not before [\d-]*\s?\d\d:\d\d(:\d\d)? \(in \d+ min\)`;

describe('a message that waits', () => {
  beforeEach(() =>
    publish({
      ...OPEN_SET,
      accounts: { default: { rate: false, per_recipient: { per_hour: 1 }, retry: ['1h'] } },
    }),
  );

  it('for its receiver’s hour says so in the list, in its details, in JSON, and at its account', async () => {
    const phone = '4915199990001';
    await untilState(await send(phone), 'sent');
    const id = await send(phone);
    const list = await hookbell(['messages', '--phone', phone, '--state', 'queued']);
    expect(list.stdout).toMatch(new RegExp(`${id} +queued .*${NOT_BEFORE}\n`));
    expect((await hookbell(['messages', id])).stdout).toMatch(new RegExp(`waits +${NOT_BEFORE}`));
    const waits = z.object({ for: z.string(), until: z.string(), per_hour: z.number() });
    const shown = await json(['messages', id], z.object({ waits }));
    expect(shown.waits).toMatchObject({ for: 'receiver', per_hour: 1 });
    // Messages of other files that still wait count here, too.
    const text = /\d+ messages? for \d+ receivers? at the limit of 1 an hour: sent from /;
    expect((await hookbell(['accounts'])).stdout).toMatch(text);
    const account = (await hookbell(['accounts', 'default'])).stdout;
    expect(account).toMatch(text);
    expect(account).toMatch(/done in +\d+ min/);
    const doctor = (await hookbell(['doctor', '--no-probe'])).stdout.replaceAll(/\s+/g, ' ');
    expect(doctor).toMatch(
      /! Account default \d+ messages? waiting for \d+ receivers? at the limit of 1 an hour/,
    );
  });

  it('is waited for by `send --wait`, which says at once that it takes long, and leaves it in the queue', async () => {
    const phone = '4915199990002';
    await untilState(await send(phone), 'sent');
    const { child, done, written } = start(['send', 'x', '--to', phone, '--wait']);
    await until(() => /Ctrl-C/.test(written().stderr), 'it says what it waits for');
    expect(written().stderr).toMatch(
      new RegExp(`^msg_\\S+ is queued: ${NOT_BEFORE}. Ctrl-C leaves it in the queue\n$`),
    );
    child.kill('SIGINT');
    const { stdout, stderr } = await done;
    expect(stdout).toBe('');
    const id = /msg_\w+/.exec(stderr)?.[0] ?? '';
    expect(stderr).toContain(`${id} stays in the queue`);
    await admin('POST', `/messages/${id}/cancel`);
  });

  it('for its next attempt says which one it is, and what the gateway said to the last one', async () => {
    const phone = '4915199990003';
    await publish({ ...OPEN_SET, accounts: { default: { ...OPEN_SET.accounts.default, retry: ['1h'] } } });
    const body = '{"success":false,"message":"the device is offline"}';
    await breakGateway([{ failure: 'status', status: 500, body, match: { phone } }]);
    const id = await send(phone);
    await untilState(id, 'retrying');
    const { stdout } = await hookbell(['messages', '--phone', phone]);
    expect(stdout).toMatch(
      /attempt 2 of 2 at .* \(in \d+ min\): the gateway answered 500: it failed \(“the device is offline”\)/,
    );
    // So that the account is well again.
    await untilState(await send('4915199990004'), 'sent');
  });
});

describe('a message that is dead', () => {
  beforeEach(() => publish());

  it('shows the gateway’s words in the list, and its whole answer in the details', async () => {
    const phone = '4915199990005';
    const body = '{"success":false,"message":"no such number","code":17}';
    await breakGateway([{ failure: 'status', status: 400, body, match: { phone } }]);
    const id = await send(phone);
    await untilState(id, 'dead');
    const reason = 'the gateway answered 400: it rejects this call (“no such number”)';
    expect((await hookbell(['messages', '--phone', phone])).stdout).toContain(reason);
    const detail = (await hookbell(['messages', id])).stdout;
    expect(detail).toContain(reason);
    expect(detail).toContain(`ANSWER TO ATTEMPT 1\n${body}\n`);
  });

  it('shows its secrets to nobody when the gateway repeats them', async () => {
    const phone = '4915199990006';
    await breakGateway([{ failure: 'echo_secret', status: 400, match: { phone } }]);
    const id = await send(phone);
    await untilState(id, 'dead');
    const { stdout } = await hookbell(['messages', id]);
    expect(stdout).toContain('ANSWER TO ATTEMPT 1');
    expect(stdout).not.toContain('gateway-key-of-the-tests');
  });
});
