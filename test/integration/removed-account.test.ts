import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { outboxNames } from '../../src/outbox/outboxes.ts';
import { containing } from '../config/support.ts';
import { watchOutside } from './outside.ts';
import { admin, config, isSent, message, postJson, UNPACED } from './relay.ts';

interface Receipt {
  readonly event: string;
  readonly duplicate: boolean;
  readonly messages: readonly string[];
}
interface Published {
  readonly version: number;
  readonly warnings: readonly { path: string; message: string }[];
}
interface Listed {
  readonly items: readonly { id: string }[];
}

const phone = (n: number): string => String(4_915_112_454_000 + n);

const postTo = async (source: string, receivers: readonly string[], id: string): Promise<Receipt> =>
  (await postJson(source, { id, people: receivers.map((one) => ({ phone: `+${one}` })) })).json();

const sourceOf = (account: string) => ({
  account,
  verify: { scheme: 'none' },
  limit: false,
  dedupe: { key: '{{ payload.id }}' },
  routes: [
    {
      name: 'all',
      each: 'payload.people',
      to: '{{ item.phone }}',
      send: { kind: 'text', message: '{{ payload.id }}' },
    },
  ],
});

/** Publishes accounts, each with a source of its name. */
const publishAccounts = async (accounts: Record<string, object>): Promise<Published> => {
  const sources = Object.fromEntries(Object.keys(accounts).map((name) => [name, sourceOf(name)]));
  const { status, body } = await admin<Published>('POST', '/config', { sources, accounts });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};

const statusOf = async (account: string) =>
  (await admin<{ queued: number; paused: object | null }>('GET', `/accounts/${account}/status`)).body;

beforeAll(() => watchOutside());

describe('an account that is removed', () => {
  const removed = { rate: { per_minute: 600, burst: 60 }, per_recipient: false, retention: '3d' };

  it('keeps its last settings, and stays in lists and in the hands of its owner while anything is kept', async () => {
    await publishAccounts({ default: UNPACED, sales: removed });
    await admin('POST', '/accounts/sales/pause');
    const receipt = await postTo('sales', [phone(200), phone(201)], 'last');
    const dry = await admin<Published>('POST', '/config?dry_run=true', {
      sources: { default: sourceOf('default') },
      accounts: { default: UNPACED },
    });
    const { warnings } = await publishAccounts({ default: UNPACED });
    expect(warnings).toEqual(dry.body.warnings);
    expect(warnings).toContainEqual({
      path: 'accounts.sales',
      message: containing('2 waiting messages'),
    });
    expect(await outboxNames(env)).toContain('sales');
    expect(await statusOf('sales')).toMatchObject({ queued: 2, rate: { per_minute: 600, burst: 60 } });
    const listed = await admin<Listed>('GET', `/messages?event=${receipt.event}`);
    expect(listed.body.items).toHaveLength(2);
    const now = await admin('POST', '/messages', {
      account: 'sales',
      to: phone(202),
      kind: 'text',
      message: 'no more',
    });
    expect(now.status).toBe(422);
    expect(JSON.stringify((await admin<object>('GET', '/config')).body)).not.toContain('sales');
    expect(await config.get('config/current')).toContain('"removed":{"sales":');
    await admin('POST', '/accounts/sales/resume');
    for (const id of receipt.messages) await message(id, isSent);
    expect((await publishAccounts({ default: UNPACED })).warnings.map(({ path }) => path)).not.toContain(
      'accounts.sales',
    );
  });

  it('takes over again at once when it comes back, and knows its repeats', async () => {
    await publishAccounts({ default: UNPACED, sales: UNPACED });
    expect(await postTo('sales', [phone(200), phone(201)], 'last')).toMatchObject({ duplicate: true });
    const anew = await postTo('sales', [phone(200)], 'new');
    for (const id of anew.messages) await message(id, isSent);
  });
});
