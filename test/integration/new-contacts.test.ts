import { env } from 'cloudflare:workers';
import { evictDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { admin, isSent, message, messageNow, postJson, publish, UNPACED } from './relay.ts';

interface Waiting {
  readonly waits?: { readonly for: string; readonly until?: string; readonly per_day?: number };
}

const source = {
  verify: { scheme: 'none' },
  limit: false,
  routes: [{ name: 'all', to: '{{ payload.phone }}', send: { kind: 'text', message: 'x' } }],
};
const setOf = (perDay: number) => ({
  accounts: { default: { ...UNPACED, new_contacts: { per_day: perDay } } },
  sources: { shop: source, other: source },
});

const DAY = 86_400_000;
const [ANNA, BEN, CARL] = ['4915112396001', '4915112396002', '4915112396003'];

async function post(from: string, phone = ''): Promise<string> {
  const answer = await postJson(from, { phone: `+${phone}` });
  return (await answer.json<{ messages: string[] }>()).messages[0] ?? '';
}

it('a first message beyond the new contacts of a day says so, over a restart, and goes when more may be', async () => {
  await publish(setOf(1));
  await message(await post('shop', ANNA), isSent);
  const bens = await post('shop', BEN);
  const carls = await post('shop', CARL);
  await evictDurableObject(env.OUTBOX.getByName('default'));
  // A known receiver does not have to wait, whatever the source.
  await message(await post('other', ANNA), isSent);
  const tomorrow = (Math.floor(Date.now() / DAY) + 1) * DAY;
  const held = await messageNow(bens);
  expect(held).toMatchObject({
    state: 'queued',
    next_attempt_at: new Date(tomorrow).toISOString(),
    waits: { for: 'contact', until: new Date(tomorrow).toISOString(), per_day: 1 },
  });
  const later = await admin<Waiting>('GET', `/messages/${carls}`);
  expect(later.body.waits?.until).toBe(new Date(tomorrow + DAY).toISOString());
  const { body } = await admin('GET', '/accounts/default/status');
  expect(body).toMatchObject({ queued: 2, waits_for: { for: 'contact' } });
  // A publish is announced, so that nobody waits for the day to end.
  await publish(setOf(2));
  await message(bens, isSent);
  expect((await messageNow(carls)).state).toBe('queued');
  await admin('POST', `/messages/${carls}/cancel`);
});
