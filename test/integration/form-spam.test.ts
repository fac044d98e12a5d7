import { exports } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Siteverify, tokenOf } from '../ingest/form/spam/siteverify.ts';
import { eventually } from './outside.ts';
import { admin, callsTo, event, publish } from './relay.ts';

const SHOP = 'https://shop.example';
const SITEVERIFY = 'https://challenges.cloudflare.com/';
const turnstile = new Siteverify();

const OWNERS = { honest: '491713920061', hidden: '491713920062', mixed: '491713920063' };

const base = {
  provider: 'html-form',
  origins: [SHOP],
  country: 'DE',
  locale: 'en-GB',
  limit: { per_minute: 10_000, messages_per_minute: 10_000 },
  fields: { name: { required: true }, message: { required: true } },
};
const route = (to: string) => [
  { name: 'owner', to, send: { kind: 'text', message: '{{ payload.message | plain }}' } },
];
const spam = {
  honeypot: 'website',
  links: 2,
  min_seconds: 3,
  turnstile: 'TURNSTILE_SECRET',
  per_address: { per_hour: 5 },
};

const sources = {
  hidden: { ...base, spam: { honeypot: 'website' }, routes: route(OWNERS.hidden) },
  linked: { ...base, spam: { links: 2 }, routes: route(OWNERS.hidden) },
  timed: { ...base, spam: { min_seconds: 3 }, routes: route(OWNERS.hidden) },
  otherTime: { ...base, spam: { min_seconds: 3 }, routes: route(OWNERS.hidden) },
  vouched: { ...base, spam: { turnstile: 'TURNSTILE_SECRET' }, routes: route(OWNERS.hidden) },
  counted: { ...base, spam: { per_address: { per_hour: 5 } }, routes: route(OWNERS.hidden) },
  light: { ...base, store: 'metadata', spam: { honeypot: 'website' }, routes: route(OWNERS.hidden) },
  mixed: { ...base, spam, routes: route(OWNERS.mixed) },
};

beforeAll(async () => {
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    (input instanceof Request ? input.url : String(input)).startsWith(SITEVERIFY)
      ? turnstile.fetch(input, init)
      : real(input, init),
  );
  await publish({ sources });
});

beforeEach(() => {
  turnstile.says = 'as it is';
});

let count = 0;
const written = (over: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  name: 'Ada',
  message: `Hello ${(count += 1)}`,
  ...over,
});

const send = (source: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  exports.default.fetch(`https://relay.example/hooks/${source}`, {
    method: 'POST',
    body: JSON.stringify(fields),
    headers: { 'content-type': 'application/json', origin: SHOP, ...headers },
    redirect: 'manual',
  });

const browse = (source: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  exports.default.fetch(`https://relay.example/hooks/${source}`, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'text/html',
      origin: SHOP,
      ...headers,
    },
    redirect: 'manual',
  });

interface Rejection {
  readonly n: number;
  readonly source: string;
  readonly reason: string;
  readonly spam?: string;
  readonly detail: string;
  readonly status: number;
  readonly from?: string;
  readonly released?: string;
  readonly body?: unknown;
}

const rejections = async (query: string): Promise<readonly Rejection[]> =>
  (await admin<{ items: readonly Rejection[] }>('GET', `/rejections?${query}`)).body.items;

const newest = async (source: string): Promise<Rejection> => {
  const [one] = await rejections(`source=${source}&limit=1`);
  if (one === undefined) throw new Error('nothing was rejected');
  return one;
};

const isTaken = async (answer: Response): Promise<string> => {
  expect(answer.status).toBe(202);
  const body = await answer.json<{ event: string }>();
  expect(Object.keys(body)).toEqual(['event']);
  expect(body.event).toMatch(/^evt_[0-9a-z]{26}$/);
  return body.event;
};

const isStored = async (id: string): Promise<boolean> => (await admin('GET', `/events/${id}`)).status === 200;

/** The part of an answer that is the same, whoever sent the form. */
const shape = async (answer: Response) => ({
  status: answer.status,
  headers: Object.fromEntries(answer.headers),
  body: (await answer.text()).replaceAll(/evt_\w+/g, 'evt_'),
});

const moment = async (source: string): Promise<string> => {
  const answer = await exports.default.fetch(`https://relay.example/hooks/${source}/moment`, {
    headers: { origin: SHOP },
  });
  expect(answer.status).toBe(200);
  return answer.text();
};

const askMoment = (path: string, origin?: string) =>
  exports.default.fetch(`https://relay.example/hooks/${path}`, {
    headers: { ...(origin !== undefined && { origin }) },
  });

const from = (address: string) => ({ 'cf-connecting-ip': address });

const release = (n: number) =>
  admin<{ event: string; messages: string[]; detail?: string }>('POST', `/rejections/${n}/release`);

const honestFields = async () => {
  const opened = await moment('mixed');
  return written({
    _moment: opened,
    'cf-turnstile-response': tokenOf((count += 1)),
    message: `honest ${count}`,
  });
};

const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
};

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

const token = () => tokenOf((count += 1));

describe('spam', () => {
  it('is answered like success, byte for byte, and reaches nobody', async () => {
    for (const post of [send, browse]) {
      const [real, fake] = [written(), written({ website: 'https://x.example' })];
      const answers = [await post('hidden', real), await post('hidden', fake)];
      const [honest, dishonest] = await Promise.all(answers.map(shape));
      expect(dishonest).toEqual(honest);
    }
    const redirected = [written({ _next: '/ok' }), written({ _next: '/ok', website: 'x' })];
    const [honest, dishonest] = await Promise.all(
      redirected.map(async (fields) => shape(await browse('hidden', fields))),
    );
    expect(honest?.status).toBe(303);
    expect(dishonest).toEqual(honest);
    const id = await isTaken(await send('hidden', written({ website: 'x' })));
    expect(await isStored(id)).toBe(false);
  });

  it('gives the same id twice, as the same form does, and is one rejection', async () => {
    const before = (await rejections('source=hidden&spam=true&limit=200')).length;
    const fields = written({ website: 'x' });
    const ids = [await send('hidden', fields), await send('hidden', fields)].map(isTaken);
    const [one, two] = await Promise.all(ids);
    expect(two).toBe(one);
    expect((await rejections('source=hidden&spam=true&limit=200')).length).toBe(before + 1);
  });

  it('is a rejection with its reason, and without the sender’s address', async () => {
    await send('hidden', written({ website: 'x' }), { 'cf-connecting-ip': '192.0.2.77' });
    const one = await newest('hidden');
    expect(one).toMatchObject({ reason: 'spam', spam: 'honeypot', status: 202 });
    expect(one.detail).toBe('honeypot: the field `website`, which people do not see, was filled in');
    expect(JSON.stringify(one)).not.toContain('192.0.2.77');
  });

  it('is counted', async () => {
    const { body } = await admin<{ sources: Record<string, { rejections: Record<string, number> }> }>(
      'GET',
      '/stats',
    );
    expect(body.sources['hidden']?.rejections['spam']).toBeGreaterThan(3);
  });

  it('is only what has more links than allowed', async () => {
    const two = 'https://a.example www.b.example';
    expect(await isStored(await isTaken(await send('linked', written({ message: two }))))).toBe(true);
    await isTaken(await send('linked', written({ message: `${two} c.example` })));
    expect((await newest('linked')).detail).toBe('links: 3 links, but `links` allows 2');
  });

  it('does not hide faults from a visitor', async () => {
    expect((await send('hidden', { name: '', message: '', website: 'x' })).status).toBe(422);
  });
});

describe('the shortest time', () => {
  it('is measured from a moment that only the relay can make', async () => {
    const now = Date.now();
    const opened = await moment('timed');
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 10_000);
    expect(await isStored(await isTaken(await send('timed', written({ _moment: opened }))))).toBe(true);
    clock.mockRestore();
    await isTaken(await send('timed', written({ _moment: opened })));
    expect((await newest('timed')).detail).toMatch(/^time: it was sent [\d.]+ s after its page was opened/);
  });

  it.each([
    ['no moment', ''],
    ['one that is made up', `${Date.now() - 60_000}.${'0'.repeat(32)}`],
  ])('takes %s for spam', async (_, opened) => {
    const id = await isTaken(await send('timed', written({ _moment: opened })));
    expect(await isStored(id)).toBe(false);
    expect((await newest('timed')).spam).toBe('time');
  });

  it('takes the moment of another source, or of the day before yesterday, for spam', async () => {
    const other = await moment('otherTime');
    const own = await moment('timed');
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 10_000);
    await isTaken(await send('timed', written({ _moment: other })));
    clock.mockReturnValue(now + 25 * 3_600_000);
    await isTaken(await send('timed', written({ _moment: own })));
    clock.mockRestore();
    const details = (await rejections('source=timed&limit=2')).map(({ detail }) => detail);
    expect(details).toEqual([
      'time: its page was opened more than a day earlier',
      'time: the time when its page was opened is not from this source',
    ]);
  });

  it('gives a moment only to the pages of `origins`, and only where it is used', async () => {
    const given = await askMoment('timed/moment', SHOP);
    expect(given.headers.get('access-control-allow-origin')).toBe(SHOP);
    expect(given.headers.get('cache-control')).toBe('no-store');
    expect((await askMoment('timed/moment', 'https://evil.example')).status).toBe(403);
    expect((await askMoment('timed/moment')).status).toBe(403);
    expect((await askMoment('hidden/moment', SHOP)).status).toBe(405);
  });
});

describe('Turnstile', () => {
  it('vouches for a visitor, and a double click is one event', async () => {
    const fields = written({ 'cf-turnstile-response': tokenOf((count += 1)) });
    const [one, two] = [await send('vouched', fields), await send('vouched', fields)];
    const id = await isTaken(one);
    expect(await isTaken(two)).toBe(id);
    expect((await event(id)).payload).toEqual({ name: 'Ada', message: fields['message'] });
  });

  it.each([
    ['nothing', '', 'the form has no answer from its widget'],
    ['something made up', 'wrong', 'its API says invalid-input-response'],
  ])('does not vouch for %s', async (_, token, why) => {
    const id = await isTaken(await send('vouched', written({ 'cf-turnstile-response': token })));
    expect(await isStored(id)).toBe(false);
    expect((await newest('vouched')).detail).toBe(`turnstile: ${why}`);
  });

  it('lets nobody through while it is down, and asks the visitor to try again', async () => {
    turnstile.says = 'down';
    const fields = written({ 'cf-turnstile-response': tokenOf((count += 1)) });
    const page = await browse('vouched', fields);
    expect(page.status).toBe(503);
    expect(await page.text()).toContain('Please try again in a minute.');
    expect((await send('vouched', fields)).status).toBe(503);
    await eventually(async () =>
      expect(await newest('vouched')).toMatchObject({
        reason: 'unavailable',
        detail: 'Turnstile: its API could not be reached in time',
      }),
    );
    turnstile.says = 'as it is';
    expect((await send('vouched', fields)).status).toBe(202);
  });
});

describe('a limit for each address', () => {
  it('takes what is beyond it for spam, and counts no duplicate', async () => {
    const twice = written();
    const ids: string[] = [];
    for (const fields of [twice, twice, written(), written(), written(), written(), written()])
      ids.push(await isTaken(await send('counted', fields, from('192.0.2.1'))));
    const stored = await Promise.all(ids.map(isStored));
    expect(stored).toEqual([true, true, true, true, true, true, false]);
    const one = await newest('counted');
    expect(one.detail).toBe(
      'address: its address has sent 5 forms within an hour, as many as `per_address` allows',
    );
    // The same form again is still the first one's event, and another address may send.
    expect(await isTaken(await send('counted', twice, from('192.0.2.1')))).toBe(ids[0]);
    expect(await isStored(await isTaken(await send('counted', written(), from('192.0.2.2'))))).toBe(true);
  });

  it('counts an IPv6 network as one', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1)
      ids.push(await isTaken(await send('counted', written(), from(`2001:db8:1:2::${n}`))));
    expect((await Promise.all(ids.map(isStored))).filter(Boolean)).toHaveLength(5);
  });
});

describe('a release', () => {
  it('makes the event as if the form had passed, once', async () => {
    const fields = written({ website: 'x' });
    await send('hidden', fields);
    const { n } = await newest('hidden');
    const [one, two] = await Promise.all([release(n), release(n)]);
    expect([one.status, two.status].toSorted((a, b) => a - b)).toEqual([202, 409]);
    const { body } = one.status === 202 ? one : two;
    const stored = await event(body.event);
    expect(stored.payload).toEqual({ name: 'Ada', message: fields['message'] });
    expect(stored.messages).toHaveLength(1);
    await eventually(async () =>
      expect(
        (await callsTo(OWNERS.hidden)).filter((call) => call.params['message'] === fields['message']),
      ).toHaveLength(1),
    );
    const again = await release(n);
    expect(again.status).toBe(409);
    expect(again.body.detail).toContain(body.event);
    expect((await newest('hidden')).released).toBe(body.event);
  });

  it('is of spam only', async () => {
    await send('hidden', written(), { origin: 'https://evil.example' });
    await eventually(async () => expect((await newest('hidden')).reason).toBe('origin'));
    expect((await release((await newest('hidden')).n)).status).toBe(404);
    expect((await release(999_999_999)).status).toBe(404);
  });

  it('needs what was written, which `store: metadata` does not keep', async () => {
    await send('light', written({ website: 'x' }));
    const { n } = await newest('light');
    expect((await admin<Rejection>('GET', `/rejections/${n}`)).body.body).toBeNull();
    const refused = await release(n);
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toContain('store: metadata');
  });

  it('shows what was written to those who may read payloads', async () => {
    const fields = written({ website: 'x' });
    await send('hidden', fields);
    const { n } = await newest('hidden');
    const { body } = await admin<Rejection>('GET', `/rejections/${n}`);
    expect(body).toMatchObject({ n, spam: 'honeypot', body: { name: 'Ada', message: fields['message'] } });
  });
});

describe('a thousand spam posts of five kinds', () => {
  it('reach nobody, cost an honest one less than twice its time, and are listed with their reasons', async () => {
    const start = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(start);
    const [early, late] = [await honestFields(), await honestFields()];
    const warm = await Promise.all(Array.from({ length: 40 }, honestFields));
    clock.mockReturnValue(start + 10_000);
    let address = 0;
    const anybody = () => ({ 'cf-connecting-ip': `198.51.100.${(address += 1)}` });
    const posted = (fields: Record<string, string>) => async () => {
      expect((await send('mixed', fields, anybody())).status).toBe(202);
    };
    await posted(early)();
    const before: number[] = [];
    for (const fields of warm.slice(0, 20)) before.push(await timeOf(posted(fields)));

    const good = warm[0]?.['_moment'] ?? '';
    const kinds: readonly (() => Record<string, string>)[] = [
      () => ({ website: 'x', _moment: good }),
      () => ({ message: `${count} https://a.example https://b.example https://c.example`, _moment: good }),
      () => ({ _moment: '' }),
      () => ({ _moment: good, 'cf-turnstile-response': 'wrong' }),
      () => ({ _moment: good, 'cf-turnstile-response': token() }),
    ];
    // The fifth kind is from one address that has sent five.
    const one = { 'cf-connecting-ip': '203.0.113.9' };
    for (let n = 0; n < 5; n += 1)
      await send('mixed', written({ _moment: good, 'cf-turnstile-response': token() }), one);
    const during: number[] = [];
    for (let n = 0; n < 200; n += 1) {
      await Promise.all(
        kinds.map(async (kind, at) => {
          const answer = await send('mixed', written(kind()), at === 4 ? one : anybody());
          expect(answer.status).toBe(202);
        }),
      );
      if (n % 10 === 0) during.push(await timeOf(posted(warm[20 + n / 10] ?? late)));
    }
    await posted(late)();
    clock.mockRestore();
    expect(median(during)).toBeLessThan(2 * median(before));

    const listed: Rejection[] = [];
    for (let cursor = ''; ;) {
      const { body } = await admin<{ items: Rejection[]; next_cursor: string | null }>(
        'GET',
        `/rejections?source=mixed&limit=200${cursor}`,
      );
      listed.push(...body.items);
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    const byKind = Object.fromEntries(
      [...Map.groupBy(listed, (each) => each.spam ?? each.reason)].map(([kind, each]) => [kind, each.length]),
    );
    expect(byKind).toEqual({ honeypot: 200, links: 200, time: 200, turnstile: 200, address: 200 });
    await eventually(async () => expect(await callsTo(OWNERS.mixed)).toHaveLength(5 + 42));
    // Others' rejections are still there.
    expect((await rejections('source=hidden&spam=false')).length).toBeGreaterThan(0);
  });
});
