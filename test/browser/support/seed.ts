import type { Stage } from './stage.ts';
import { messagesOf, openSource, postWebhook, publish, textRoute } from './sources.ts';

const done = new WeakMap<Stage, Promise<readonly string[]>>();

/** One of everything that pages show, once for a stage. Gives the paths of the pages that show one of it. */
export function seed(stage: Stage): Promise<readonly string[]> {
  const made = done.get(stage) ?? seedOnce(stage);
  done.set(stage, made);
  return made;
}

async function seedOnce(stage: Stage): Promise<readonly string[]> {
  const { admin } = stage;
  await publish(admin, 'recipients', 'seeded', { numbers: ['4915100000011', '4915100000012'] });
  await publish(admin, 'recipients', 'turns', {
    people: { Anna: '4915100000013', 'Ben Müller': '4915100000014' },
    rotation: {
      order: ['Anna', 'Ben Müller'],
      every: '2d',
      from: new Date(Date.now() - 3_600_000).toISOString().slice(0, 16),
      timezone: 'UTC',
    },
  });
  await publish(admin, 'templates', 'seeded', {
    kind: 'text',
    message: '*New order* of {{ payload.name }}\n{{ payload.total }} €',
  });
  await publish(
    admin,
    'sources',
    'seeded',
    openSource(undefined, {
      routes: [
        { name: 'order', when: "payload.type == 'order'", to: ['4915100000021'], template: 'seeded' },
        {
          name: 'poll',
          when: "payload.type == 'poll'",
          to: '4915100000022',
          send: { kind: 'poll', question: 'Which one, {{ payload.name }}?', options: ['Red', 'Blue'] },
        },
      ],
    }),
  );
  await publish(admin, 'sources', 'signed', {
    provider: 'generic',
    verify: { scheme: 'hmac', header: 'X-Signature', algorithm: 'sha256', encoding: 'hex' },
    secrets: ['STRIPE_WEBHOOK_SECRET'],
    routes: [textRoute('4915100000021', 'Hello')],
  });
  await stage.script([{ failure: 'status', status: 422, match: { phone: '4915100000022' } }]);
  const order = await postWebhook(stage, 'seeded', {
    type: 'order',
    name: 'Zoë Schmidt',
    total: 129.5,
    lines: [{ sku: 'a' }],
  });
  const poll = await postWebhook(stage, 'seeded', { type: 'poll', name: 'Jürgen' });
  const nothing = await postWebhook(stage, 'seeded', { type: 'other' });
  // Two that are rejected, and listed as one.
  const wrong = { method: 'POST', headers: { 'x-signature': 'none' }, body: '{}' };
  for (let n = 0; n < 2; n += 1) await fetch(`${stage.url}/hooks/signed`, wrong);
  const [message = ''] = await messagesOf(stage, poll);
  return [
    ...[order, poll, nothing].map((id) => `/events/${id}`),
    `/messages/${message}`,
    '/sources/seeded',
    '/templates/seeded',
    '/nothing/here',
  ];
}
