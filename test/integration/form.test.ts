import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './outside.ts';
import { admin, callsTo, event, isSent, message, publish } from './relay.ts';

const SHOP = 'https://shop.example';
const OWNER = '491713920050';

const owner = {
  name: 'owner',
  to: OWNER,
  send: { kind: 'text', message: '{{ payload.name | plain }}: {{ payload.message | plain }}' },
};
const thanks = {
  name: 'thanks',
  when: 'payload.phone != blank',
  to: '{{ payload.phone }}',
  to_visitor: true,
  send: { kind: 'text', message: 'Thank you, {{ payload.name | plain }}!' },
};
const form = {
  provider: 'html-form',
  origins: [SHOP],
  country: 'DE',
  countries: ['DE'],
  locale: 'en-GB',
  limit: { per_minute: 1_000, messages_per_minute: 1_000 },
  fields: {
    name: { required: true },
    email: { kind: 'email' },
    phone: { kind: 'phone' },
    message: { required: true },
    cv: { kind: 'file' },
  },
};
const redirect = { ok: `${SHOP}/thanks`, failed: `${SHOP}/contact?a=1` };

const sources = {
  contact: { ...form, routes: [owner, thanks] },
  german: { ...form, locale: 'de-DE', routes: [owner] },
  sent: { ...form, redirect, routes: [owner] },
  open: { ...form, origins: 'any', routes: [owner] },
  twice: { ...form, dedupe: { body: false }, routes: [owner] },
  flood: { ...form, limit: { per_minute: 3 }, routes: [owner] },
  standard: { ...form, limit: undefined, routes: [owner] },
  keeps: { ...form, other_fields: 'keep', routes: [owner, thanks] },
};

beforeAll(() => publish({ sources }));

const URL_ENCODED = 'application/x-www-form-urlencoded';
let count = 0;

/** Fields that no other test sends. */
const written = (over: Record<string, string> = {}): Record<string, string> => ({
  name: 'Ada',
  message: `Hello ${(count += 1)}`,
  ...over,
});

/** Through the front door; where it sends a browser to is an answer of its own. */
const post = (source: string, body: BodyInit, headers: Record<string, string>): Promise<Response> =>
  exports.default.fetch(`https://relay.example/hooks/${source}`, {
    method: 'POST',
    body,
    headers,
    redirect: 'manual',
  });

/** As a browser posts a form. */
const browse = (source: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  post(source, new URLSearchParams(fields).toString(), {
    'content-type': URL_ENCODED,
    accept: 'text/html,application/xhtml+xml',
    origin: SHOP,
    referer: `${SHOP}/contact`,
    ...headers,
  });

/** As a script of the page posts it. */
const script = (source: string, fields: unknown, headers: Record<string, string> = {}) =>
  post(source, JSON.stringify(fields), { 'content-type': 'application/json', origin: SHOP, ...headers });

const eventOf = async (answer: Response) => event((await answer.json<{ event: string }>()).event);

const rejected = async (source: string) =>
  (
    await admin<{ items: { source: string; reason: string; detail: string }[] }>(
      'GET',
      '/rejections?limit=200',
    )
  ).body.items.filter((one) => one.source === source);

const eventsOf = async (source: string) =>
  (
    await admin<{ items: { payload?: unknown; duplicates: number }[] }>(
      'GET',
      `/events?source=${source}&limit=200`,
    )
  ).body.items;

describe('a form that a browser posts', () => {
  it('reaches its owner, and its visitor reads thanks', async () => {
    const answer = await browse('contact', written({ message: 'Do you deliver?' }));
    expect(answer.status).toBe(200);
    const page = await answer.text();
    expect(page).toContain('Thank you');
    expect(page).toContain(`href="${SHOP}/contact"`);
    await eventually(async () =>
      expect((await callsTo(OWNER)).map(({ params }) => params['message'])).toContain('Ada: Do you deliver?'),
    );
  });

  it('names each fault in the language of the source', async () => {
    const faulty = { name: '', email: 'x', phone: '12', message: 'y'.repeat(3_000) };
    const english = await browse('contact', faulty);
    expect(english.status).toBe(422);
    const page = await english.text();
    for (const name of [
      'Name is required',
      'E-mail address must be',
      'Phone number must be',
      'Message is too long',
    ])
      expect(page).toContain(name);
    const german = await browse('german', faulty);
    expect(await german.text()).toContain('Nachricht ist zu lang: höchstens 2000 Zeichen.');
  });

  it('goes where its source says', async () => {
    const done = await browse('sent', written());
    expect([done.status, done.headers.get('location')]).toEqual([303, `${SHOP}/thanks`]);
    const failed = await browse('sent', { name: '', email: 'x' });
    expect([failed.status, failed.headers.get('location')]).toEqual([
      303,
      `${SHOP}/contact?a=1&faults=${encodeURIComponent('name,email,message')}`,
    ]);
  });

  it.each([
    ['its own page', '/danke', `${SHOP}/danke`],
    ['a foreign host never', 'https://evil.example/', `${SHOP}/thanks`],
  ])('goes where the page says: %s', async (_, next, to) => {
    const answer = await browse('sent', written({ _next: next }));
    expect(answer.headers.get('location')).toBe(to);
  });

  it('keeps nothing of ours among its fields', async () => {
    const text = `kept ${count}`;
    await browse('contact', written({ _next: '/danke', utm: 'x', message: text }));
    expect((await eventsOf('contact')).length).toBeGreaterThan(0);
    const answer = await script('contact', { name: 'Ada', message: text });
    expect((await eventOf(answer)).payload).toEqual({ name: 'Ada', message: text });
  });
});

describe('a form that a script posts', () => {
  it('is asked about before, and answered so that the script may read it', async () => {
    const asked = await post('contact', '', {});
    expect(asked.status).toBe(403);
    const answer = await script('contact', written());
    expect(answer.status).toBe(202);
    expect(answer.headers.get('access-control-allow-origin')).toBe(SHOP);
    expect(Object.keys(await answer.json<object>())).toEqual(['event']);
  });

  it('gets its faults by field', async () => {
    const answer = await script('contact', { name: 'Ada', email: 'x' });
    expect(answer.status).toBe(422);
    expect(answer.headers.get('access-control-allow-origin')).toBe(SHOP);
    const { errors } = await answer.json<{ errors: { path: string }[] }>();
    expect(errors.map(({ path }) => path)).toEqual(['email', 'message']);
  });
});

describe('a page that may not post', () => {
  it.each([
    ['another page', { origin: 'https://evil.example' }],
    ['no page', { origin: '' }],
    ['a page from disk', { origin: 'null' }],
  ])('%s is refused, and nothing is stored', async (_, headers) => {
    const before = (await eventsOf('german')).length;
    for (const answer of [
      await browse('german', written(), headers),
      await script('german', written(), headers),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
    expect((await eventsOf('german')).length).toBe(before);
  });

  it('is named to the admin', async () => {
    await browse('sent', written(), { origin: 'https://www.shop.example' });
    await eventually(async () =>
      expect((await rejected('sent')).map(({ reason, detail }) => `${reason}: ${detail}`)).toContain(
        'origin: the page is on https://www.shop.example, which is not one of `origins`',
      ),
    );
  });

  it('may post where any may', async () => {
    expect((await browse('open', written(), { origin: 'null' })).status).toBe(200);
    expect((await script('open', written(), { origin: '' })).status).toBe(202);
  });
});

describe('the same form again', () => {
  it('within a minute is one event, however it is sent', async () => {
    const fields = written({ message: 'double click' });
    const answers = await Promise.all([script('contact', fields), script('contact', fields)]);
    const ids = await Promise.all(answers.map(async (one) => (await one.json<{ event: string }>()).event));
    expect(new Set(ids).size).toBe(1);
    expect((await browse('contact', { ...fields, _next: '/x' })).status).toBe(303);
    const { duplicates } = await event(ids[0] ?? '');
    expect(duplicates).toBe(2);
  });

  it('is another event where the source says so', async () => {
    const fields = written();
    const [one, two] = [await script('twice', fields), await script('twice', fields)];
    expect((await one.json<{ event: string }>()).event).not.toBe((await two.json<{ event: string }>()).event);
  });
});

describe('a number from the form', () => {
  it('gets a message of ours, at most three times a day', async () => {
    const phone = '+491713920051';
    const hostile = 'Ada https://evil.example 0900 12345';
    const kinds = [];
    for (let n = 0; n < 5; n += 1) {
      const stored = await eventOf(await script('contact', written({ name: hostile, phone })));
      kinds.push(stored.messages.filter((one) => one.phone === phone.slice(1)).length);
      if (n === 0) {
        const first = stored.messages.find((one) => one.phone === phone.slice(1));
        const sent = await message(first?.id ?? '', isSent);
        expect(sent.params['message']).toBe('Thank you, Ada!');
      }
      if (n === 4) expect(stored.reason).toContain('at most 3 a day');
    }
    expect(kinds).toEqual([1, 1, 1, 0, 0]);
  });

  it('has to be in one of the countries', async () => {
    const stored = await eventOf(await script('contact', written({ phone: '+33612345678' })));
    expect(stored.messages.map(({ phone }) => phone)).toEqual([OWNER]);
  });
});

describe('what no form is', () => {
  it.each([
    ['a body of 2 MB', { 'content-type': URL_ENCODED }, `name=${'x'.repeat(2_000_000)}`, 413],
    ['a list', { 'content-type': 'application/json' }, '[1]', 400],
    ['a text', { 'content-type': 'text/plain' }, 'name=Ada', 400],
    ['broken JSON', { 'content-type': 'application/json' }, '{"name":', 400],
    ['an escape that is none', { 'content-type': URL_ENCODED }, 'name=%zz', 400],
    ['a form of another type', { 'content-type': 'application/pdf' }, 'x', 415],
  ])('%s', async (_, headers, body, status) => {
    const page = await post('contact', body, { ...headers, origin: SHOP, accept: 'text/html' });
    expect(page.status).toBe(status);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect((await post('contact', body, { ...headers, origin: SHOP })).headers.get('content-type')).toContain(
      'application/problem+json',
    );
  });

  it('500 fields are as many as are declared', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}`, 'x']));
    const fields = written();
    const stored = await eventOf(await script('contact', { ...many, ...fields }));
    expect(stored.payload).toEqual(fields);
  });

  it('the same field twice is one text', async () => {
    const body = `${new URLSearchParams(written()).toString()}&name=Eve`;
    const answer = await post('contact', body, { 'content-type': URL_ENCODED, origin: SHOP });
    expect((await eventOf(answer)).payload).toMatchObject({ name: 'Ada, Eve' });
  });

  it('HTML and scripts in all fields are text, on the page and on the phone', async () => {
    const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&';
    const page = await browse('contact', {
      name: hostile.repeat(3),
      email: hostile,
      phone: hostile,
      message: hostile,
      [hostile]: hostile,
      _next: `javascript:${hostile}`,
    });
    expect(page.status).toBe(422);
    const html = await page.text();
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('onerror');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const phone = '+491713920052';
    const stored = await eventOf(
      await script('keeps', written({ name: hostile, phone, [hostile]: hostile })),
    );
    expect(stored.payload).toMatchObject({ name: hostile, [hostile]: hostile });
    const toVisitor = stored.messages.find((one) => one.phone === phone.slice(1));
    expect((await message(toVisitor?.id ?? '', isSent)).params['message']).toMatch(/^Thank you, .{1,40}!$/);
  });

  it('a name of 10,000 characters is too long, and named', async () => {
    const page = await browse('contact', written({ name: 'x'.repeat(10_000) }));
    expect(page.status).toBe(422);
    const html = await page.text();
    expect(html).toContain('Name is too long: at most 80 characters.');
    expect(html.length).toBeLessThan(5_000);
  });

  it('a thousand posts a minute are sixty, and the rest hear when to try again', async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 100; round += 1)
      statuses.push(
        ...(await Promise.all(
          Array.from({ length: 10 }, async () => (await script('standard', written())).status),
        )),
      );
    const taken = statuses.filter((status) => status === 202).length;
    expect(taken).toBeGreaterThanOrEqual(60);
    // The minute goes on meanwhile.
    expect(taken).toBeLessThan(120);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1_000 - taken);
    const page = await browse('standard', written());
    expect(await page.text()).toContain('Please try again in a minute.');
    expect((await eventsOf('standard')).length).toBeGreaterThanOrEqual(60);
  });

  it('a file is named and not kept', async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries(written())) body.set(name, value);
    body.set('cv', new File(['secret words'], 'cv.pdf', { type: 'application/pdf' }));
    const stored = await eventOf(await post('contact', body, { origin: SHOP }));
    expect(stored.payload).toMatchObject({ cv: { filename: 'cv.pdf', size: 12 } });
  });

  it('a flood gets 429, as a page or for a script', async () => {
    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push((await browse('flood', written())).status);
    expect(answers).toEqual([200, 200, 200, 429, 429]);
    const refused = await script('flood', written());
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});
