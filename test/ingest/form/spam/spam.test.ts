import { expect, it } from 'vitest';
import { DAY } from '../../../../src/lib/time.ts';
import {
  addressCode,
  countLinks,
  judge,
  newMoment,
  readMoment,
  askTurnstile,
} from '../../../../src/ingest/form/spam.ts';
import { Siteverify, tokenOf } from './siteverify.ts';

const env = { ADMIN_TOKEN: 'a token of the tests' };
const other = { ADMIN_TOKEN: 'another token' };
const NOON = 20_000 * DAY + DAY / 2;

const codeOf = (address: string | null, { source = 'contact', now = NOON, of = env } = {}) => {
  const headers = new Headers(address === null ? {} : { 'cf-connecting-ip': address });
  return addressCode(of, source, { headers }, now);
};

it('the code of an address shows nothing of the address, is the same all day, and another for another address, source, day or deployment', () => {
  const code = codeOf('192.0.2.1');
  expect(code).toMatch(/^[0-9a-f]{32}$/);
  expect(codeOf('192.0.2.1', { now: NOON + DAY / 2 - 1 })).toBe(code);
  const others = [
    codeOf('192.0.2.2'),
    codeOf('192.0.2.1', { source: 'booking' }),
    codeOf('192.0.2.1', { now: NOON + DAY }),
    codeOf('192.0.2.1', { of: other }),
  ];
  expect(new Set([code, ...others]).size).toBe(5);
  // The platform does not say it.
  expect(codeOf(null)).toBeNull();
});

it('the code of an address is the same for all IPv6 addresses of a household', () => {
  expect(codeOf('2001:db8:1:2:3:4:5:6')).toBe(codeOf('2001:DB8:1:2::1'));
  expect(codeOf('2001:0db8:0001:0002::')).toBe(codeOf('2001:db8:1:2::1'));
  expect(codeOf('2001:db8::1')).toBe(codeOf('2001:db8:0:0:9::'));
  expect(codeOf('2001:db8:1:3::1')).not.toBe(codeOf('2001:db8:1:2::1'));
});

it('links of a form are counted, whatever they look like, and of a megabyte as well', () => {
  for (const [text, count] of [
    ['Do you deliver to Berlin?', 0],
    ['See https://shop.example/a?b=c#d', 1],
    ['<a href="http://evil.example">x</a> [url=https://evil.example]', 2],
    ['www.evil.example and evil.example/win', 2],
    ['https://a.example,https://www.b.example', 2],
    ['ada.lovelace@example.com', 0],
    ['ok.Thanks. Bye.', 0],
    ['12.50 at 9.30', 0],
  ] as const)
    expect([text, countLinks(text)]).toEqual([text, count]);
  for (const part of ['a.', 'a', 'https://', '.', 'www.', 'a-'])
    expect(countLinks(part.repeat(1_000_000 / part.length))).toBeGreaterThanOrEqual(0);
});

it('a moment says when it was given out, and is none if it is of another source or deployment, or changed', async () => {
  const AT = 1_790_000_000_000;
  const moment = newMoment(env, 'contact', AT);
  const [time = '', code = ''] = moment.split('.');
  expect(await readMoment(env, 'contact', moment)).toBe(AT);
  for (const made of [
    newMoment(env, 'booking', AT),
    newMoment(other, 'contact', AT),
    `${Number(time) - 60_000}.${code}`,
    `0${moment}`,
    ` ${moment}`,
    time,
    '',
    '1'.repeat(100_000),
  ])
    expect(await readMoment(env, 'contact', made)).toBeNull();
});

const odd = () => Promise.resolve(Response.json({ success: false, 'error-codes': ['<b>secret</b>'] }));

const never: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) =>
    init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
  );

const secret = 'turnstile-secret-of-the-tests';
const origins = ['https://www.shop.example', 'https://shop.example:8443'];
const asked = (token: string, fetch: typeof globalThis.fetch, form = 'name=Ada', timeout = 5_000) =>
  askTurnstile({ secret, token, form, origins }, { fetch, timeout });
const ask = (api: Siteverify, token: string, form?: string) => asked(token, api.fetch, form);

it('Turnstile vouches for a visitor, for the same form twice, and for no other form with the same answer', async () => {
  const api = new Siteverify();
  for (let times = 0; times < 2; times += 1)
    expect(await ask(api, tokenOf(1))).toEqual({ ok: true, value: null });
  const value = { kind: 'turnstile', detail: 'its API says timeout-or-duplicate' };
  expect(await ask(api, tokenOf(1), 'name=Eve')).toMatchObject({ value });
  expect(await ask(api, 'wrong')).toMatchObject({ value: { kind: 'turnstile' } });
});

it('Turnstile vouches for pages of `origins` only, where they are listed', async () => {
  const { fetch } = new Siteverify();
  const detail = 'its widget was on shop.example, not on a page of `origins`';
  const refused = { ok: true, value: { kind: 'turnstile', detail } };
  const vouched = { ok: true, value: null };
  for (const [n, pages, answer] of [
    [1, ['https://www.shop.example', 'https://shop.example.evil.example'], refused],
    [2, 'any', vouched],
    [3, null, vouched],
  ] as const)
    expect(await askTurnstile({ secret, token: tokenOf(n), form: '', origins: pages }, { fetch })).toEqual(
      answer,
    );
  const unnamed = await asked(tokenOf(4), () => Promise.resolve(Response.json({ success: true })));
  expect(unnamed).toMatchObject({ value: { kind: 'turnstile' } });
});

it('Turnstile vouches once for the same form: again only while that is the same event', async () => {
  const { fetch } = new Siteverify();
  const spam = { honeypot: null, links: null, minMs: null, turnstile: 'TURNSTILE_SECRET', perHour: null };
  const rules = { origins, redirect: { ok: null, failed: null }, fields: [], keepsOthers: true, spam };
  for (const [n, bodyMs, after, kind] of [
    [1, 60_000, 0],
    [1, 60_000, 59_999],
    [1, 60_000, 60_000, 'turnstile'],
    [2, 0, 0],
    [2, 0, 1, 'turnstile'],
  ] as const) {
    const source = { id: 'contact', dedupe: { key: null, windowMs: 0, bodyMs } };
    const own = { next: '', moment: '', token: tokenOf(n), isTrapped: false };
    const form = { source, rules, own, payload: { name: 'Ada' }, receivedAt: NOON + after };
    const verdict = kind === undefined ? null : { kind };
    expect(await judge(form, { env, turnstileSecret: secret, fetch })).toMatchObject({ value: verdict });
  }
});

it('Turnstile is not asked about a form without an answer of its widget, or a far too long one', async () => {
  const api = new Siteverify();
  for (const token of ['', tokenOf(1).repeat(1_000)])
    expect(await ask(api, token)).toMatchObject({ value: { kind: 'turnstile' } });
  expect(api.calls).toBe(0);
});

it('Turnstile vouches for nobody while it is down, odd or slow, or has another secret, which is not the visitor’s fault', async () => {
  for (const [says, why] of [
    ['down', 'could not be reached'],
    ['page', 'gave an unexpected answer'],
    ['secret', 'invalid-input-secret'],
  ] as const) {
    const api = new Siteverify();
    api.says = says;
    const answer = await ask(api, tokenOf(1));
    expect(answer).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(JSON.stringify(answer)).toContain(why);
  }
  expect(await asked(tokenOf(1), never, '', 5)).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  expect(JSON.stringify(await asked(tokenOf(1), odd))).not.toContain('secret');
});
