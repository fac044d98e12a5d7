import { afterEach, expect, vi } from 'vitest';
import type { NotifyPolicy } from '../../src/config/documents/account-schema.ts';
import { parseOwnJson } from '../../src/lib/json.ts';
import type { Notification } from '../../src/outbox/notify/post.ts';
import { Owner } from '../../src/outbox/owner.ts';
import { CLOSED } from '../../src/outbox/state/circuit.ts';
import type { Meta } from '../../src/outbox/state/meta.ts';
import { eventually } from '../eventually.ts';
import { it } from './it.ts';
import { HOUR, MINUTE, START } from './support.ts';

afterEach(() => vi.restoreAllMocks());

const SECRET = 'hush-hush';
const NOTIFY: NotifyPolicy = {
  url: 'https://owner.example/{secret}',
  secret: 'NOTIFY_SECRET',
  format: 'json',
};

type Status = Pick<Meta, 'pause' | 'circuit'>;
const REFUSED = { code: 'unauthorized', params: { status: '401' } } as const;
const PAUSE = { at: START, by: 'gateway', ...REFUSED };
const OPEN = { failures: 5, probeAt: START + 30_000 };
const fine: Status = { pause: null, circuit: CLOSED };
const paused = { ...fine, pause: PAUSE };
const opened = { ...fine, circuit: OPEN };

const ok = () => new Response('ok');
const refused = (): Response => new Response('no', { status: 500 });

interface World {
  now: number;
  notify: NotifyPolicy | null;
  secret: string | undefined;
  status: Status;
  /** The channel's answers to the next calls; after the last one it takes all. */
  readonly answers: (Response | Error | Promise<Response>)[];
  readonly calls: Notification[];
  readonly urls: (readonly [url: unknown, redirect: string | undefined])[];
}

function setUp(sql: SqlStorage, answers: World['answers'] = []) {
  const world: World = {
    now: START,
    notify: NOTIFY,
    secret: SECRET,
    status: fine,
    answers,
    calls: [],
    urls: [],
  };
  let work = Promise.resolve();
  const open = () =>
    new Owner({
      sql,
      get meta() {
        return world.status;
      },
      config: { policy: () => Promise.resolve({ notify: world.notify }) },
      calls: { left: 1, spend: () => undefined },
      escapes: { report: () => Promise.resolve(true) },
      secret: (name) => (name === 'NOTIFY_SECRET' ? world.secret : undefined),
      fetch: async (url, init) => {
        world.urls.push([url, init?.redirect]);
        world.calls.push(parseOwnJson<Notification>(typeof init?.body === 'string' ? init.body : '{}'));
        const answer = (await world.answers.shift()) ?? ok();
        if (answer instanceof Error) throw answer;
        return answer;
      },
      alarm: { bringForward: () => undefined },
      account: () => 'sales',
      tag: '0',
      waitUntil: (more) => void (work = more),
      clock: () => world.now,
    });
  const owner = open();
  /** Waits until what is due was tried. */
  const sent = async (by = owner): Promise<void> => {
    by.send();
    await work;
  };
  /** Goes on until nothing is left, and says how long each wait was. */
  const finish = async (): Promise<readonly number[]> => {
    const waits: number[] = [];
    for (let next = owner.nextAt(); next !== null; next = owner.nextAt()) {
      waits.push(next - world.now);
      world.now = next;
      await sent();
    }
    return waits;
  };
  const tell = (source: string): void => owner.tell(['source.back', source]);
  /** What was told, or its whole text. */
  const texts = (): readonly string[] =>
    world.calls.map(({ text }) =>
      text.replace(/^hookbell: (the source (\w+) sends webhooks again\.$)?/, '$2'),
    );
  return { world, open, owner, tell, sent, finish, texts };
}

/** The notifications of these changes of an account's status. */
async function noticesOf(sql: SqlStorage, ...history: readonly Status[]): Promise<readonly Notification[]> {
  const { world, owner, sent } = setUp(sql);
  for (const after of history) {
    const before = world.status;
    world.status = after;
    owner.changed(before);
  }
  await sent();
  return world.calls;
}

it.for<[string, Status, Status, string]>([
  ['account.paused', fine, paused, 'the gateway answered 401: it rejects the credentials'],
  ['account.resumed', paused, fine, 'sends again'],
  ['circuit.opened', fine, opened, 'failed 5 times in a row'],
  ['circuit.closed', opened, fine, 'answers again'],
])('the owner is notified of %s once, with the account and the time', async (one, { sql }) => {
  const [kind, before, after, words] = one;
  const all = await noticesOf(sql, before, after);
  expect(all.filter((notice) => notice.kind === kind)).toHaveLength(1);
  expect(all.at(-1)).toMatchObject({ kind, account: 'sales', at: new Date(START).toISOString() });
  expect(all.at(-1)?.text).toContain(words);
  expect(all.at(-1)?.text).toContain('sales');
});

it('the owner is not notified of another reason of a pause, or an open circuit’s next probe', async ({
  sql,
}) => {
  const failing = { ...fine, circuit: { failures: 4, probeAt: null } };
  const again = { ...fine, pause: { at: START, by: 'token', code: 'paused' as const } };
  const later = { ...again, circuit: { failures: 6, probeAt: START + 60_000 } };
  const all = await noticesOf(sql, failing, paused, again, { ...again, circuit: OPEN }, later);
  expect(all.map(({ kind }) => kind)).toEqual(['account.paused', 'circuit.opened']);
});

it('a silent source is reported in words that a person can act on', async ({ sql }) => {
  const { owner, finish, texts } = setUp(sql);
  const silent = { expectedMs: HOUR, isSilent: true, silentMs: 2 * HOUR };
  owner.heartbeat({ ...silent, source: 'shop', lastAt: START });
  owner.heartbeat({ ...silent, source: 'form', lastAt: null });
  await finish();
  const [shop, form] = texts();
  expect(shop).toMatch(/^the source shop has sent no webhook for more than 1h\. /);
  expect(shop).toContain(new Date(START).toISOString());
  expect(form).toContain('It has never sent any');
});

it('a notification is sent once, to the secret address, without a redirect', async ({ sql }) => {
  const { owner, tell, sent, world, texts } = setUp(sql);
  tell('one');
  expect(owner.nextAt()).toBe(world.now);
  await sent();
  await sent();
  expect([world.urls, texts()]).toEqual([[[`https://owner.example/${SECRET}`, 'manual']], ['one']]);
  expect(owner.nextAt()).toBeNull();
});

it.for<[string, Response | Error]>([
  ['refuses', refused()],
  ['points elsewhere', new Response(null, { status: 302, headers: { location: 'https://x.example' } })],
  ['cannot be reached', new Error(`connect https://owner.example/${SECRET}`)],
])('a notification is sent again when the channel %s', async ([, answer], { sql }) => {
  const { owner, tell, sent, world, texts } = setUp(sql, [answer]);
  tell('one');
  await sent();
  expect(owner.nextAt()).toBe(world.now + 5_000);
  world.now += 4_999;
  await sent();
  expect(texts()).toEqual(['one']);
  world.now += 1;
  await sent();
  expect([texts(), owner.nextAt()]).toEqual([['one', 'one'], null]);
});

it('a notification is given up after five tries, with all that waited behind it', async ({ sql }) => {
  const { tell, finish, texts } = setUp(sql, Array.from({ length: 99 }, refused));
  for (let n = 0; n < 20; n += 1) tell(String(n));
  expect(await finish()).toEqual([0, 5_000, 30_000, 2 * MINUTE, 10 * MINUTE]);
  expect(texts()).toHaveLength(5);
});

it('what failed is sent before what came after it', async ({ sql }) => {
  const { tell, sent, finish, texts } = setUp(sql, [refused()]);
  tell('opened');
  await sent();
  tell('closed');
  await sent();
  expect(texts()).toEqual(['opened']);
  await finish();
  expect(texts()).toEqual(['opened', 'opened', 'closed']);
});

it('what was under way when the object stopped is sent again, but not at the same time', async ({ sql }) => {
  const { owner, tell, sent, open, world, texts } = setUp(sql, [new Promise(() => undefined)]);
  tell('one');
  await eventually(() => expect(texts()).toHaveLength(1));
  expect(owner.nextAt()).toBeGreaterThan(world.now);
  const next = open();
  await sent(next);
  expect(texts()).toHaveLength(1);
  world.now = next.nextAt() ?? 0;
  await sent(next);
  expect([texts(), next.nextAt()]).toEqual([['one', 'one'], null]);
});

it('what is added while another is sent is sent as well', async ({ sql }) => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const { tell, sent, texts } = setUp(sql, [promise]);
  tell('one');
  await eventually(() => expect(texts()).toHaveLength(1));
  tell('two');
  resolve(ok());
  await sent();
  expect(texts()).toEqual(['one', 'two']);
});

it('a notification without a channel is dropped, and waits for its secret', async ({ sql }) => {
  const { owner, tell, sent, world, finish, texts } = setUp(sql);
  world.notify = null;
  tell('dropped');
  await sent();
  expect([owner.nextAt(), texts()]).toEqual([null, []]);
  world.notify = NOTIFY;
  world.secret = undefined;
  tell('one');
  await sent();
  expect(texts()).toEqual([]);
  world.secret = SECRET;
  await finish();
  expect(texts()).toEqual(['one']);
});

it('an address that cannot be made is no fault, and tried again later', async ({ sql }) => {
  const { owner, tell, sent, world } = setUp(sql);
  world.notify = { url: '{secret}', secret: 'NOTIFY_SECRET', format: 'ntfy' };
  tell('one');
  await sent();
  expect(owner.nextAt()).toBe(world.now + 5_000);
});

it('the secret is in no log line and no row, whatever the channel does', async ({ sql }) => {
  const lines: string[] = [];
  const spies = (['info', 'warn', 'error'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((line: unknown) => lines.push(String(line))),
  );
  const answers = [refused(), new Error(`no ${SECRET}`), ...Array.from({ length: 9 }, refused)];
  const { owner, tell, sent, world } = setUp(sql, answers);
  tell('one');
  for (let next = owner.nextAt(); next !== null; next = owner.nextAt()) {
    lines.push(JSON.stringify(sql.exec('SELECT * FROM notices').toArray()));
    world.now = next;
    await sent();
  }
  for (const spy of spies) spy.mockRestore();
  expect(lines.join('\n')).toContain('given_up');
  expect(lines.join('\n')).not.toContain(SECRET);
});

it('trouble in bursts is reported for the first of an hour, each kind for itself', async ({ sql }) => {
  const { open, owner, world, finish } = setUp(sql);
  const kinds = async (...work: readonly (() => void)[]): Promise<readonly string[]> => {
    world.calls.length = 0;
    for (const one of work) one();
    await finish();
    return world.calls.map(({ kind }) => kind);
  };
  const leftOut = (): void => owner.first(['webhook.left_out', 'shop', 'it is too long']);
  const large = (source: string) => (): void =>
    owner.first(['webhook.too_large', source, 'Send less.'], HOUR, source);
  expect(await kinds(leftOut, leftOut, () => open().first(['webhook.left_out', 'form', '']))).toEqual([
    'webhook.left_out',
  ]);
  expect(await kinds(() => owner.first(['incidents.beyond']))).toEqual(['incidents.beyond']);
  expect(await kinds(large('shop'), large('form'), large('shop'))).toHaveLength(2);
  world.now += HOUR - 1;
  expect(await kinds(leftOut)).toEqual([]);
  world.now += 1;
  expect(await kinds(leftOut)).toEqual(['webhook.left_out']);
});
