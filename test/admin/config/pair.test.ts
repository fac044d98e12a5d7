import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { registry } from '../../../src/config/load.ts';
import { admin, publish } from '../../integration/relay.ts';
import type { ProblemJson } from '../support.ts';

interface PairingJson {
  readonly state: string;
  readonly expires_at?: string;
  readonly secret?: string;
  readonly hint?: string;
}

const pair = (method: string, id: string) => admin<PairingJson>(method, `/sources/${id}/pair`);

/** Hands over a key, as a provider's handshake does. */
const handOver = (id: string, key: string, who = { address: '192.0.2.10', userAgent: 'Asana' }) =>
  registry(env).capturePairing(id, key, { at: Date.now(), ...who });

const take = (id: string) => admin<PairingJson & ProblemJson>('POST', `/sources/${id}/pair/key`);

/** Opens a window, has a key come in, and shows it. */
async function paired(id: string): Promise<PairingJson> {
  await pair('POST', id);
  await handOver(id, `key-of-${id}`);
  return (await take(id)).body;
}

beforeAll(() =>
  publish({
    sources: {
      tasks: { provider: 'asana' },
      'more-tasks': { provider: 'asana', secrets: ['HOOK_SECRET'] },
      '2nd': { provider: 'notion' },
      gateway: { provider: 'notion' },
      notify: { provider: 'notion' },
      shop: { provider: 'stripe', secrets: ['STRIPE_SECRET'] },
      own: { verify: { scheme: 'none' } },
    },
  }),
);

it('a pairing window is opened for ten minutes, seen, and closed', async () => {
  const before = Date.now();
  const opened = await pair('POST', 'tasks');
  expect(opened).toMatchObject({ status: 200, body: { source: 'tasks', state: 'open' } });
  const openedAt = Date.parse(opened.body.expires_at ?? '') - 600_000;
  expect(openedAt).toBeGreaterThanOrEqual(before);
  expect(openedAt).toBeLessThanOrEqual(Date.now());
  expect(await pair('GET', 'tasks')).toEqual(opened);
  for (const method of ['DELETE', 'GET'])
    expect(await pair(method, 'tasks')).toEqual({ status: 200, body: { source: 'tasks', state: 'closed' } });
  expect(await handOver('tasks', 'late')).toBe('closed');
});

it('a pairing window shows the key that came in once, who offered it, and how to set it', async () => {
  const shown = await paired('tasks');
  expect(shown).toMatchObject({
    source: 'tasks',
    state: 'taken',
    secret: 'key-of-tasks',
    offers: [{ address: '192.0.2.10', user_agent: 'Asana' }],
  });
  expect(shown.hint).toContain('set it with `npx wrangler secret put TASKS_WEBHOOK_SECRET`');
  const { status, body } = await take('tasks');
  expect([status, body.type]).toEqual([409, 'urn:hookbell:problem:conflict']);
  expect(body.detail).toContain('has already been shown');
});

it('a pairing window of which two keys came says so, gives none, and reports what to do', async () => {
  await pair('POST', 'tasks');
  await handOver('tasks', 'key-1', { address: '203.0.113.66', userAgent: 'curl' });
  await handOver('tasks', 'key-2');
  const { body } = await pair('GET', 'tasks');
  expect(body).toMatchObject({
    state: 'void',
    offers: [{ address: '203.0.113.66', user_agent: 'curl' }, { address: '192.0.2.10' }],
  });
  const taken = await take('tasks');
  expect(taken.status).toBe(409);
  for (const text of [body.hint, taken.body.detail]) {
    expect(text).toContain('both are void');
    expect(text).toContain('an id that nobody can guess');
  }
});

it('a pairing window reports a name that a document may have, beside those it has', async () => {
  for (const [id, name, secrets] of [
    ['more-tasks', 'MORE_TASKS_WEBHOOK_SECRET', 'HOOK_SECRET, MORE_TASKS_WEBHOOK_SECRET'],
    ['2nd', 'HOOK_2ND_WEBHOOK_SECRET', 'HOOK_2ND_WEBHOOK_SECRET'],
    ['gateway', 'HOOK_GATEWAY_WEBHOOK_SECRET', 'HOOK_GATEWAY_WEBHOOK_SECRET'],
    ['notify', 'HOOK_NOTIFY_WEBHOOK_SECRET', 'HOOK_NOTIFY_WEBHOOK_SECRET'],
  ] as const) {
    const { hint } = await paired(id);
    expect(hint).toContain(`\`npx wrangler secret put ${name}\``);
    expect(hint).toContain(`\`secrets: [${secrets}]\``);
  }
});
