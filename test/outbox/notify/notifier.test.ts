import { expect, vi } from 'vitest';
import type { NotifyPolicy } from '../../../src/config/documents/account-schema.ts';
import { parseOwnJson } from '../../../src/lib/json.ts';
import type { Notification } from '../../../src/outbox/notify/notification.ts';
import { Notifier } from '../../../src/outbox/notify/notifier.ts';
import { eventually } from '../../eventually.ts';
import { it } from '../it.ts';

const SECRET = 'hush-hush';
const NOTIFY: NotifyPolicy = {
  url: 'https://owner.example/{secret}',
  secret: 'NOTIFY_SECRET',
  format: 'json',
};
const MINUTE = 60_000;

const notice = (text: string, kind: Notification['kind'] = 'circuit.opened'): Notification => ({
  kind,
  account: 'sales',
  at: new Date().toISOString(),
  text,
});

const ok = () => new Response('ok');
const refused = (): Response => new Response('no', { status: 500 });

interface World {
  now: number;
  notify: NotifyPolicy | null;
  secret: string | undefined;
  /** The channel's answers to the next calls; after the last one it takes all. */
  readonly answers: (Response | Error | Promise<Response>)[];
  readonly calls: { readonly url: string; readonly text: string; readonly redirect: string | undefined }[];
}

function setUp(sql: SqlStorage, answers: World['answers'] = []) {
  const world: World = { now: 1_000_000, notify: NOTIFY, secret: SECRET, answers, calls: [] };
  const open = () =>
    new Notifier({
      sql,
      config: { policy: () => Promise.resolve({ notify: world.notify }) },
      calls: { left: 1 },
      escapes: { report: () => Promise.resolve(true) },
      secret: (name) => (name === 'NOTIFY_SECRET' ? world.secret : undefined),
      fetch: async (url, init) => {
        const { text } = parseOwnJson<Notification>(typeof init?.body === 'string' ? init.body : '{}');
        world.calls.push({
          url: url instanceof Request ? url.url : url.toString(),
          text,
          redirect: init?.redirect,
        });
        const answer = (await world.answers.shift()) ?? ok();
        if (answer instanceof Error) throw answer;
        return answer;
      },
      clock: () => world.now,
    });
  const notifier = open();
  /** Goes on until nothing is left, and says how long each wait was. */
  const finish = async (): Promise<readonly number[]> => {
    const waits: number[] = [];
    for (let next = notifier.nextAt(); next !== null; next = notifier.nextAt()) {
      waits.push(next - world.now);
      world.now = next;
      await notifier.run();
    }
    return waits;
  };
  return { world, open, notifier, finish, texts: () => world.calls.map(({ text }) => text) };
}

it('a notification is sent once, to the secret address, without a redirect', async ({ sql }) => {
  const { notifier, world } = setUp(sql);
  notifier.add(notice('one'));
  expect(notifier.nextAt()).toBe(world.now);
  await notifier.run();
  await notifier.run();
  expect(world.calls).toEqual([{ url: `https://owner.example/${SECRET}`, text: 'one', redirect: 'manual' }]);
  expect(notifier.nextAt()).toBeNull();
});

it.for<[string, Response | Error]>([
  ['refuses', refused()],
  ['points elsewhere', new Response(null, { status: 302, headers: { location: 'https://x.example' } })],
  ['cannot be reached', new Error(`connect https://owner.example/${SECRET}`)],
])('a notification is sent again when the channel %s', async ([, answer], { sql }) => {
  const { notifier, world, texts } = setUp(sql, [answer]);
  notifier.add(notice('one'));
  await notifier.run();
  expect(notifier.nextAt()).toBe(world.now + 5_000);
  world.now += 4_999;
  await notifier.run();
  expect(texts()).toEqual(['one']);
  world.now += 1;
  await notifier.run();
  expect([texts(), notifier.nextAt()]).toEqual([['one', 'one'], null]);
});

it('a notification is given up after five tries, with all that waited behind it', async ({ sql }) => {
  const { notifier, finish, texts } = setUp(sql, Array.from({ length: 99 }, refused));
  for (let n = 0; n < 20; n += 1) notifier.add(notice(String(n)));
  expect(await finish()).toEqual([0, 5_000, 30_000, 2 * MINUTE, 10 * MINUTE]);
  expect(texts()).toHaveLength(5);
});

it('what failed is sent before what came after it', async ({ sql }) => {
  const { notifier, finish, texts } = setUp(sql, [refused()]);
  notifier.add(notice('opened'));
  await notifier.run();
  notifier.add(notice('closed', 'circuit.closed'));
  await notifier.run();
  expect(texts()).toEqual(['opened']);
  await finish();
  expect(texts()).toEqual(['opened', 'opened', 'closed']);
});

it('what was under way when the object stopped is sent again, but not at the same time', async ({ sql }) => {
  const { notifier, open, world, texts } = setUp(sql, [new Promise(() => undefined)]);
  notifier.add(notice('one'));
  void notifier.run();
  await eventually(() => expect(texts()).toHaveLength(1));
  expect(notifier.nextAt()).toBeGreaterThan(world.now);
  const next = open();
  await next.run();
  expect(texts()).toHaveLength(1);
  world.now = next.nextAt() ?? 0;
  await next.run();
  expect([texts(), next.nextAt()]).toEqual([['one', 'one'], null]);
});

it('what is added while another is sent is sent as well', async ({ sql }) => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const { notifier, texts } = setUp(sql, [promise]);
  notifier.add(notice('one'));
  const running = notifier.run();
  await eventually(() => expect(texts()).toHaveLength(1));
  notifier.add(notice('two'));
  await notifier.run();
  resolve(ok());
  await running;
  expect(texts()).toEqual(['one', 'two']);
});

it('a notification without a channel is dropped, and waits for its secret', async ({ sql }) => {
  const { notifier, world, finish, texts } = setUp(sql);
  world.notify = null;
  notifier.add(notice('dropped'));
  await notifier.run();
  expect([notifier.nextAt(), texts()]).toEqual([null, []]);
  world.notify = NOTIFY;
  world.secret = undefined;
  notifier.add(notice('one'));
  await notifier.run();
  expect(texts()).toEqual([]);
  world.secret = SECRET;
  await finish();
  expect(texts()).toEqual(['one']);
});

it('an address that cannot be made is no fault, and tried again later', async ({ sql }) => {
  const { notifier, world } = setUp(sql);
  world.notify = { url: '{secret}', secret: 'NOTIFY_SECRET', format: 'ntfy' };
  notifier.add(notice('one'));
  await notifier.run();
  expect(notifier.nextAt()).toBe(world.now + 5_000);
});

it('the secret is in no log line and no row, whatever the channel does', async ({ sql }) => {
  const lines: string[] = [];
  const spies = (['info', 'warn', 'error'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((line: unknown) => lines.push(String(line))),
  );
  const answers = [refused(), new Error(`no ${SECRET}`), ...Array.from({ length: 9 }, refused)];
  const { notifier, world } = setUp(sql, answers);
  notifier.add(notice('one'));
  for (let next = notifier.nextAt(); next !== null; next = notifier.nextAt()) {
    lines.push(JSON.stringify(sql.exec('SELECT * FROM notices').toArray()));
    world.now = next;
    await notifier.run();
  }
  for (const spy of spies) spy.mockRestore();
  expect(lines.join('\n')).toContain('given_up');
  expect(lines.join('\n')).not.toContain(SECRET);
});

it('trouble in bursts is reported for the first of an hour, each kind for itself', ({ sql }) => {
  const { notifier, open, world } = setUp(sql);
  const dead = notice('dead', 'message.dead');
  expect([notifier.addFirst(dead), notifier.addFirst(dead), open().addFirst(dead)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(notifier.addFirst(notice('moved', 'gateway.redirected'))).toBe(true);
  const large = notice('large', 'webhook.too_large');
  const ofSource = (of: string): boolean => notifier.addFirst(large, { of });
  expect(['shop', 'form', 'shop'].map(ofSource)).toEqual([true, true, false]);
  world.now += 60 * MINUTE - 1;
  expect(notifier.addFirst(dead)).toBe(false);
  world.now += 1;
  expect(notifier.addFirst(dead)).toBe(true);
});
