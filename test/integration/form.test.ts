import { exports } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DOCTOR_AGENT } from '../../src/lib/version.ts';
import { Siteverify, tokenOf } from '../ingest/form/spam/siteverify.ts';
import { eventually } from './outside.ts';
import { admin, callsTo, event, isSent, listOf, message, publish, textsTo } from './relay.ts';
import { newPhone, text } from './sources.ts';

const SHOP = 'https://shop.example';
const OWNER = newPhone();
const turnstile = new Siteverify();

const owner = {
  name: 'owner',
  to: OWNER,
  send: text('{{ payload.name | plain }}: {{ payload.message | plain }}'),
};
const thanks = {
  name: 'thanks',
  when: 'payload.phone != blank',
  to: '{{ payload.phone }}',
  to_visitor: true,
  send: text('Thank you, {{ payload.name | plain }}!'),
};
const FIELDS = {
  name: { required: true },
  email: { kind: 'email' },
  phone: { kind: 'phone' },
  message: { required: true },
  cv: { kind: 'file' },
};
const form = (more: object = {}) => ({
  provider: 'html-form',
  origins: [SHOP],
  country: 'DE',
  countries: ['DE'],
  locale: 'en-GB',
  limit: { per_minute: 10_000, messages_per_minute: 10_000 },
  fields: FIELDS,
  routes: [owner],
  ...more,
});
const spam = (rules: object, more: object = {}) => form({ spam: rules, ...more });
const ALL_RULES = {
  honeypot: 'website',
  links: 2,
  min_seconds: 3,
  turnstile: 'TURNSTILE_SECRET',
  per_address: { per_hour: 5 },
};

beforeAll(async () => {
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    (input instanceof Request ? input.url : String(input)).startsWith('https://challenges.cloudflare.com/')
      ? turnstile.fetch(input, init)
      : real(input, init),
  );
  await publish({
    sources: {
      contact: form({ routes: [owner, thanks] }),
      german: form({ locale: 'de-DE' }),
      sent: form({ redirect: { ok: `${SHOP}/thanks`, failed: `${SHOP}/contact?a=1` } }),
      anywhere: form({ origins: 'any' }),
      twice: form({ dedupe: { body: false } }),
      flood: form({ limit: { per_minute: 3 } }),
      keeps: form({ other_fields: 'keep', routes: [owner, thanks] }),
      hidden: spam({ honeypot: 'website' }),
      linked: spam({ links: 2 }),
      timed: spam({ min_seconds: 3 }),
      'other-time': spam({ min_seconds: 3 }),
      vouched: spam({ turnstile: 'TURNSTILE_SECRET' }),
      counted: spam({ per_address: { per_hour: 5 } }),
      light: spam({ honeypot: 'website' }, { store: 'metadata' }),
      mixed: spam(ALL_RULES),
    },
  });
});
beforeEach(() => void (turnstile.says = 'as it is'));

const URL_ENCODED = 'application/x-www-form-urlencoded';
let count = 0;

/** Fields that no other test sends. */
const written = (over: Record<string, string> = {}): Record<string, string> => ({
  name: 'Ada',
  message: `Hello ${(count += 1)}`,
  ...over,
});
const from = (address: string) => ({ 'cf-connecting-ip': address });

/** Through the front door; where it sends a browser to is an answer of its own. */
const post = (source: string, body: BodyInit, headers: Record<string, string>): Promise<Response> =>
  exports.default.fetch(`https://relay.example/hooks/${source}`, {
    method: 'POST',
    body,
    headers: { origin: SHOP, ...headers },
    redirect: 'manual',
  });

/** As a browser posts a form. */
const browse = (source: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  post(source, new URLSearchParams(fields).toString(), {
    'content-type': URL_ENCODED,
    accept: 'text/html,application/xhtml+xml',
    referer: `${SHOP}/contact`,
    ...headers,
  });

/** As a script of the page posts it. */
const script = (source: string, fields: unknown, headers: Record<string, string> = {}) =>
  post(source, JSON.stringify(fields), { 'content-type': 'application/json', ...headers });

/** The event's id, once its form is taken. */
const idOf = async (answer: Response | Promise<Response>): Promise<string> => {
  const response = await answer;
  expect(response.status).toBe(202);
  const body = await response.json<{ event: string }>();
  expect(Object.keys(body)).toEqual(['event']);
  return body.event;
};
const eventOf = async (answer: Promise<Response>) => event(await idOf(answer));
const isStored = async (id: string): Promise<boolean> => (await admin('GET', `/events/${id}`)).status === 200;
const isTaken = async (answer: Promise<Response>): Promise<boolean> => isStored(await idOf(answer));

interface Rejection {
  readonly n: number;
  readonly code: string;
  readonly spam?: string;
  readonly detail: string;
  readonly released?: string;
  readonly body?: unknown;
}
const rejections = (source: string, query = 'limit=200') =>
  listOf<Rejection>(`/rejections?source=${source}&${query}`);
const newest = async (source: string): Promise<Rejection> => {
  const [one] = await rejections(source);
  if (one === undefined) throw new Error('nothing was rejected');
  return one;
};

const to = (fields: Record<string, string>) => browse('sent', fields);

describe('a form that a browser posts', () => {
  it('reaches its owner, and its visitor reads thanks', async () => {
    const answer = await browse('contact', written({ message: 'Do you deliver?' }));
    const page = await answer.text();
    expect([answer.status, page]).toEqual([200, expect.stringContaining('Thank you')]);
    expect(page).toContain(`href="${SHOP}/contact"`);
    await eventually(async () => expect(await textsTo(OWNER)).toContain('Ada: Do you deliver?'));
  });

  it('goes where its source says, or where the page says, never to a foreign host', async () => {
    const faults = `${SHOP}/contact?a=1&faults=${encodeURIComponent('name,email,message')}`;
    for (const [fields, address] of [
      [written(), `${SHOP}/thanks`],
      [{ name: '', email: 'x' }, faults],
      [written({ _next: '/danke' }), `${SHOP}/danke`],
      [written({ _next: 'https://evil.example/' }), `${SHOP}/thanks`],
    ] as const) {
      const answer = await to(fields);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, address]);
    }
  });
});

it('a form that a script posts is answered so that it may read it, with faults by field, which are counted without content', async () => {
  const answer = await script('contact', written());
  expect(answer.headers.get('access-control-allow-origin')).toBe(SHOP);
  await idOf(answer);
  const faulty = await script('contact', { name: 'Ada', email: 'x' });
  expect([faulty.status, faulty.headers.get('access-control-allow-origin')]).toEqual([422, SHOP]);
  const { errors } = await faulty.json<{ errors: { path: string }[] }>();
  expect(errors.map(({ path }) => path)).toEqual(['email', 'message']);
  await script('german', { name: 'Ada', nachricht: 'secret', 'by 4915112345678': 'x' });
  await script('german', { name: '', message: 'x' });
  await exports.default.fetch('https://relay.example/hooks/german');
  // `hookbell doctor` asks whether the form answers, which is nothing to see to.
  const headers = { 'user-agent': DOCTOR_AGENT };
  await exports.default.fetch('https://relay.example/hooks/german', { method: 'PATCH', headers });
  await eventually(async () => {
    const listed = JSON.stringify(await rejections('german'));
    for (const one of [
      'method-not-allowed',
      'without `message`; with an undeclared `nachricht`',
      'without `name`',
    ])
      expect(listed).toContain(one);
    expect(listed).not.toMatch(/secret|4915|PATCH/);
  });
});

describe('a page that may not post', () => {
  it('is refused, nothing is stored, and the admin reads which it was', async () => {
    const before = await listOf('/events?source=german&limit=200');
    // A program without a page does not hide the page.
    for (const origin of ['https://evil.example', 'https://www.shop.example', '', 'null'])
      for (const send of [browse, script]) {
        const answer = await send('german', written(), { origin });
        const allowed = answer.headers.get('access-control-allow-origin');
        expect([origin, answer.status, allowed]).toEqual([origin, 403, null]);
      }
    expect(await listOf('/events?source=german&limit=200')).toEqual(before);
    const why = 'the page is on https://www.shop.example, which is not one of `origins`';
    await eventually(async () =>
      expect((await rejections('german')).map(({ code, detail }) => [code, detail])).toContainEqual([
        'origin',
        why,
      ]),
    );
  });
});

describe('the same form again', () => {
  it('within a minute is one event, however it is sent', async () => {
    const fields = written({ message: 'double click' });
    const ids = await Promise.all([idOf(script('contact', fields)), idOf(script('contact', fields))]);
    expect(new Set(ids).size).toBe(1);
    expect((await browse('contact', { ...fields, _next: '/x' })).status).toBe(303);
    const { duplicates, payload } = await event(ids[0]);
    // Nothing of ours is among its fields.
    expect([duplicates, payload]).toEqual([2, fields]);
  });
});

it('a number from the form gets a message of ours, at most three times a day, in one of the countries', async () => {
  const phone = newPhone();
  const hostile = 'Ada https://evil.example 0900 12345';
  const kinds = [];
  let last = '';
  for (let n = 0; n < 5; n += 1) {
    const stored = await eventOf(script('contact', written({ name: hostile, phone: `+${phone}` })));
    kinds.push(stored.messages.filter((one) => one.phone === phone).length);
    for (const one of stored.messages) await message(one.id, isSent);
    last = stored.reason ?? '';
  }
  expect([kinds, last]).toEqual([[1, 1, 1, 0, 0], expect.stringContaining('at most 3 a day')]);
  expect(await textsTo(phone)).toEqual(Array(3).fill('Thank you!'));
  const abroad = await eventOf(script('contact', written({ phone: '+33612345678' })));
  expect(abroad.messages.map((one) => one.phone)).toEqual([OWNER]);
});

describe('what no form is', () => {
  it('is refused, with a page for a browser and a problem for a script', async () => {
    for (const [type, body, status] of [
      [URL_ENCODED, `name=${'x'.repeat(2_000_000)}`, 413],
      ['application/json', '[1]', 400],
      ['text/plain', 'name=Ada', 400],
      ['application/json', '{"name":', 400],
      [URL_ENCODED, 'name=%ff', 400],
      ['application/pdf', 'x', 415],
    ] as const)
      for (const [accept, answered] of [
        ['text/html', 'text/html'],
        ['*/*', 'application/problem+json'],
      ] as const) {
        const answer = await post('contact', body, { 'content-type': type, accept });
        expect([type, answer.status]).toEqual([type, status]);
        expect(answer.headers.get('content-type')).toContain(answered);
      }
  });

  it('is in the charset that the page has, and says in a field of its own', async () => {
    const message = `Gr\u00fc\u00dfe ${(count += 1)}`;
    const escaped = message.replace('ü', '%FC').replace('ß', '%DF').replace(' ', '+');
    const body = `_charset_=windows-1252&name=Ada&message=${escaped}`;
    const answer = post('keeps', body, { 'content-type': URL_ENCODED });
    expect((await eventOf(answer)).payload).toEqual({ name: 'Ada', message });
  });

  it('is left out of it: undeclared fields, the contents of files; the same field twice is one text', async () => {
    const fields = written();
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}`, 'x']));
    expect((await eventOf(script('contact', { ...many, ...fields }))).payload).toEqual(fields);
    const body = new FormData();
    for (const [name, value] of [...Object.entries(written()), ['name', 'Eve'] as const])
      body.append(name, value);
    body.set('cv', new File(['secret words'], 'cv.pdf', { type: 'application/pdf' }));
    const cv = { filename: 'cv.pdf', size: 12 };
    expect((await eventOf(post('contact', body, {}))).payload).toMatchObject({ name: 'Ada, Eve', cv });
  });

  it('are HTML and scripts: they are text, on the page and on the phone, and not long', async () => {
    const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&';
    const faulty = { name: hostile.repeat(200), email: hostile, phone: hostile, message: hostile };
    const page = await browse('contact', { ...faulty, [hostile]: hostile, _next: `javascript:${hostile}` });
    expect(page.status).toBe(422);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await page.text();
    expect(html).not.toMatch(/<script>alert|onerror/);
    expect(html).toContain('Name is too long: at most 80 characters.');
    expect(html.length).toBeLessThan(5_000);
    const phone = newPhone();
    const fields = written({ name: hostile, phone: `+${phone}`, [hostile]: hostile });
    const stored = await eventOf(script('keeps', fields));
    expect(stored.payload).toMatchObject({ name: hostile, [hostile]: hostile });
    for (const one of stored.messages) await message(one.id, isSent);
    expect(await textsTo(phone)).toEqual([expect.stringMatching(/^Thank you, .{1,40}!$/)]);
  });
});

it('a flood gets 429, as a page or for a script', async () => {
  const answers = [];
  for (let n = 0; n < 5; n += 1) answers.push((await browse('flood', written())).status);
  expect(answers).toEqual([200, 200, 200, 429, 429]);
  expect(await (await browse('flood', written())).text()).toContain('Please try again in a minute.');
  const refused = await script('flood', written());
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
});

/** The part of an answer that is the same, whoever sent the form. */
const shape = async (answer: Response) => [
  answer.status,
  Object.fromEntries(answer.headers),
  (await answer.text()).replaceAll(/evt_\w+/g, 'evt_'),
];

const fake = (over: Record<string, string> = {}) => written({ website: 'https://x.example', ...over });

describe('spam', () => {
  it('is answered like success, byte for byte, reaches nobody, and does not hide faults from a visitor', async () => {
    for (const [send, more] of [
      [script, {}],
      [browse, {}],
      [browse, { _next: '/ok' }],
    ] as const)
      expect(await shape(await send('hidden', fake(more)))).toEqual(
        await shape(await send('hidden', written(more))),
      );
    expect(await isTaken(script('hidden', fake()))).toBe(false);
    expect((await script('hidden', { name: '', message: '', website: 'x' })).status).toBe(422);
  });

  it('gives the same id twice, as the same form does, and is one rejection with its reason, counted', async () => {
    const before = (await rejections('hidden')).length;
    const fields = fake();
    const ids = [];
    for (let n = 0; n < 2; n += 1) ids.push(await idOf(script('hidden', fields, from('192.0.2.77'))));
    expect([new Set(ids).size, (await rejections('hidden')).length]).toEqual([1, before + 1]);
    const one = await newest('hidden');
    const detail = 'honeypot: the field `website`, which people do not see, was filled in';
    expect(one).toMatchObject({ code: 'spam', spam: 'honeypot', status: 202, detail });
    expect(JSON.stringify(one)).not.toContain('192.0.2.77');
    type Stats = { sources: Record<string, { rejections: Record<string, number> }> };
    const { body } = await admin<Stats>('GET', '/stats');
    expect(body.sources['hidden']?.rejections['spam']).toBeGreaterThan(3);
  });

  it('is what is beyond the limit of an address, where no duplicate counts, and an IPv6 network is one', async () => {
    const twice = written();
    const stored = [];
    const all = [twice, twice, written(), written(), written(), written(), written()];
    for (const fields of all) stored.push(await isTaken(script('counted', fields, from('192.0.2.1'))));
    expect(stored).toEqual([true, true, true, true, true, true, false]);
    expect((await newest('counted')).detail).toBe(
      'address: its address has sent 5 forms within an hour, as many as `per_address` allows',
    );
    // The same form again is still the first one's event, and another address may send.
    expect(await isTaken(script('counted', twice, from('192.0.2.1')))).toBe(true);
    expect(await isTaken(script('counted', written(), from('192.0.2.2')))).toBe(true);
    const network = [];
    for (let n = 0; n < 6; n += 1)
      network.push(await isTaken(script('counted', written(), from(`2001:db8:1:2::${n}`))));
    expect(network.filter(Boolean)).toHaveLength(5);
  });
});

const token = () => ({ 'cf-turnstile-response': tokenOf((count += 1)) });

const ask = (path: string, origin?: string) =>
  exports.default.fetch(`https://relay.example/hooks/${path}/moment`, {
    headers: { ...(origin !== undefined && { origin }) },
  });

const moment = async (source: string) => (await ask(source, SHOP)).text();

describe('the shortest time', () => {
  it('gives a moment only to the pages of `origins`, and only where it is used', async () => {
    const { headers } = await ask('timed', SHOP);
    expect(headers.get('access-control-allow-origin')).toBe(SHOP);
    expect(headers.get('cache-control')).toBe('no-store');
    const others = [ask('timed', 'https://evil.example'), ask('timed'), ask('hidden', SHOP)];
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([403, 403, 405]);
  });

  it('and all other rules let an honest form through, and each of five kinds of spam is listed for its reason', async () => {
    const now = Date.now();
    const opened = { _moment: await moment('mixed') };
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 10_000);
    const honest = () => ({ ...opened, ...token() });
    const before = (await callsTo(OWNER)).length;
    for (let n = 0; n < 5; n += 1)
      expect(await isTaken(script('mixed', written(honest()), from('203.0.113.9')))).toBe(true);
    for (const [over, kind] of [
      [{ website: 'x', ...opened }, 'honeypot'],
      [{ message: 'https://a.example https://b.example https://c.example', ...honest() }, 'links'],
      [token(), 'time'],
      [{ ...opened, 'cf-turnstile-response': 'wrong' }, 'turnstile'],
      [honest(), 'address'],
    ] as const) {
      expect(await isTaken(script('mixed', written(over), from('203.0.113.9')))).toBe(false);
      expect((await newest('mixed')).spam).toBe(kind);
    }
    clock.mockRestore();
    await eventually(async () => expect((await callsTo(OWNER)).length).toBeGreaterThanOrEqual(before + 5));
  });
});

const answered = (token: string) => written({ 'cf-turnstile-response': token });

describe('Turnstile', () => {
  it('lets nobody through while it is down, and asks the visitor to try again', async () => {
    turnstile.says = 'down';
    const fields = answered(tokenOf((count += 1)));
    const page = await browse('vouched', fields);
    expect([page.status, await page.text()]).toEqual([
      503,
      expect.stringContaining('Please try again in a minute.'),
    ]);
    const detail = 'Turnstile: its API could not be reached in time';
    await eventually(async () =>
      expect(await newest('vouched')).toMatchObject({ code: 'unavailable', detail }),
    );
    turnstile.says = 'as it is';
    expect((await script('vouched', fields)).status).toBe(202);
  });
});

it('forms that wait for Turnstile keep no memory from other webhooks', async () => {
  const before = turnstile.calls;
  const free = Promise.withResolvers<undefined>();
  turnstile.busy = free.promise;
  const large = () => written({ 'cf-turnstile-response': 'wrong', other: 'x'.repeat(1_000_000) });
  const waiting = Array.from({ length: 6 }, () => script('vouched', large()));
  await eventually(() => expect(turnstile.calls).toBe(before + 6));
  expect(await isTaken(script('contact', written()))).toBe(true);
  free.resolve(undefined);
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(6).fill(202));
});

const shown = async (n: number) => (await admin<Rejection>('GET', `/rejections/${n}`)).body;

const release = (n: number) => admin<{ event: string; detail?: string }>('POST', `/rejections/${n}/release`);

describe('a release', () => {
  it('of spam, whose words those may read who may read payloads, makes the event as if it had passed, once', async () => {
    const fields = written({ website: 'x' });
    await script('hidden', fields);
    const { n } = await newest('hidden');
    const kept = { name: 'Ada', message: fields['message'] };
    expect(await shown(n)).toMatchObject({ n, spam: 'honeypot', body: kept });
    const [one, two] = await Promise.all([release(n), release(n)]);
    expect([one.status, two.status].toSorted((a, b) => a - b)).toEqual([202, 409]);
    const { body } = one.status === 202 ? one : two;
    const stored = await event(body.event);
    expect([stored.payload, stored.messages.length]).toEqual([kept, 1]);
    await message(stored.messages[0]?.id ?? '', isSent);
    const words = `Ada: ${fields['message']}`;
    expect((await textsTo(OWNER)).filter((each) => each === words)).toHaveLength(1);
    const again = await release(n);
    expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining(body.event)]);
    expect((await shown(n)).released).toBe(body.event);
  });

  it('is of spam only, and needs what was written, which `store: metadata` does not keep', async () => {
    await script('hidden', written(), { origin: 'https://evil.example' });
    await eventually(async () => expect((await newest('hidden')).code).toBe('origin'));
    expect((await release((await newest('hidden')).n)).status).toBe(404);
    expect((await release(999_999_999)).status).toBe(404);
    await script('light', written({ website: 'x' }));
    const { n } = await newest('light');
    expect((await shown(n)).body).toBeNull();
    const refused = await release(n);
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('store: metadata')]);
  });
});
