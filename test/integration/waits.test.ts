import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { outboxNames } from '../../src/outbox/many-outboxes.ts';
import { containing } from '../config/support.ts';
import { hurry, message } from './hurry.ts';
import { gatewayAnswers, status, watchOutside, type Answer } from './outside.ts';
import { postTo, take } from './posted.ts';
import { admin, callsTo, config, isSent, listOf, publish, textsTo, UNPACED } from './relay.ts';
import { newPhone, open, toPhone } from './sources.ts';

const hang: Answer = () => new Promise<Response>(() => undefined);

hurry();
beforeAll(watchOutside);

const publishAccount = (account: object) =>
  publish({
    accounts: { default: { ...UNPACED, ...account } },
    sources: { shop: open([toPhone('{{ payload.text }}')]), other: open([toPhone('{{ payload.text }}')]) },
  });
const post = (phone: string, words: string, source = 'shop') => postTo(source, phone, { text: words });

describe('a text that the gateway’s firewall does not like', () => {
  it('is given up after three calls, while other messages go out and the account is not paused', async () => {
    await publishAccount({ retry: ['200ms', '200ms'], timeout: '5s' });
    const blocked = newPhone();
    const others = Promise.withResolvers<void>();
    const forbiddenLater: Answer = async () => {
      await others.promise;
      return status(403)();
    };
    gatewayAnswers(blocked, status(403), forbiddenLater, status(403), status(403));
    const bad = await post(blocked, '<script>');
    for (const phone of [newPhone(), newPhone()]) await message(await post(phone, 'hello'), isSent);
    others.resolve();
    const dead = await message(bad, ({ state }) => state === 'dead');
    expect(dead.attempts.map(({ outcome }) => outcome)).toEqual(['forbidden', 'forbidden', 'forbidden']);
    expect(dead.reason).toContain('while other messages were sent');
    const { body } = await admin<{ paused: unknown }>('GET', '/accounts/default/status');
    expect(body.paused).toBeNull();
  });
});

describe('a receiver', () => {
  it('whose calls hang holds up no other, whatever waits for it', async () => {
    await publishAccount({ timeout: '5s' });
    const slow = newPhone();
    gatewayAnswers(slow, hang);
    await Promise.all(Array.from({ length: 150 }, (_, index) => post(slow, `n ${index}`)));
    for (const phone of [newPhone(), newPhone(), newPhone()])
      await message(await post(phone, 'hello', 'other'), isSent);
    expect((await callsTo(slow)).length).toBeLessThan(150);
    await admin('POST', '/messages/cancel', { all: true });
  });

  it('that was full gets what waits at once and in order when a publish lifts the limit', async () => {
    await publishAccount({ per_recipient: { per_hour: 1 } });
    const phone = newPhone();
    const [first, second, third] = [
      await post(phone, 'one'),
      await post(phone, 'two'),
      await post(phone, 'three'),
    ];
    const sent = await message(first, isSent);
    const waiting = await message(second, ({ next_attempt_at: at }) => at !== undefined);
    expect(waiting.state).toBe('queued');
    // An hour after the call to it that counts, give or take what lies between the two stamps.
    const wait = Date.parse(waiting.next_attempt_at ?? '') - Date.parse(sent.attempts[0]?.at ?? '');
    expect(Math.round(wait / 60_000)).toBe(60);
    await publishAccount({});
    await message(third, isSent);
    expect(await textsTo(phone)).toEqual(['one', 'two', 'three']);
  });
});

const setOf = (accounts: Record<string, object>) => ({
  accounts,
  sources: Object.fromEntries(
    Object.keys(accounts).map((account) => [
      account,
      open([toPhone('{{ payload.id }}')], { account, dedupe: { key: '{{ payload.id }}' } }),
    ]),
  ),
});

describe('an account that is removed', () => {
  interface Published {
    readonly warnings: readonly { path: string; message: string }[];
  }
  /** Publishes accounts, each with a source of its name. */
  const publishAccounts = async (accounts: Record<string, object>, query = '') => {
    const { status: code, body } = await admin<Published>('POST', `/config${query}`, setOf(accounts));
    expect(code).toBe(200);
    return body.warnings;
  };
  const phone = newPhone();

  it('keeps its last settings, and stays in lists and in the hands of its owner while anything is kept', async () => {
    const rate = { per_minute: 600, burst: 60 };
    await publishAccounts({ default: UNPACED, sales: { rate, per_recipient: false, retention: '3d' } });
    await admin('POST', '/accounts/sales/pause');
    const receipt = await take('sales', { id: 'last', phone: `+${phone}` });
    const dry = await publishAccounts({ default: UNPACED }, '?dry_run=true');
    const warnings = await publishAccounts({ default: UNPACED });
    expect(warnings).toEqual(dry);
    expect(warnings).toContainEqual({
      path: 'accounts.sales',
      code: 'still-sends',
      message: containing('1 waiting message'),
      params: { waiting: '1' },
    });
    expect(await outboxNames(env)).toContain('sales');
    expect((await admin('GET', '/accounts/sales/status')).body).toMatchObject({ queued: 1, rate });
    expect(await listOf(`/messages?event=${receipt.event}`)).toHaveLength(1);
    const more = { account: 'sales', to: newPhone(), kind: 'text', message: 'no more' };
    expect((await admin('POST', '/messages', more)).status).toBe(422);
    expect(JSON.stringify((await admin('GET', '/config')).body)).not.toContain('sales');
    expect(await config.get('config/current')).toContain('"removed":{"sales":');
    await admin('POST', '/accounts/sales/resume');
    for (const id of receipt.messages) await message(id, isSent);
    expect((await publishAccounts({ default: UNPACED })).map(({ path }) => path)).not.toContain(
      'accounts.sales',
    );
  });
});
