import { describe, expect, it } from 'vitest';
import { providers } from '../platform/providers.ts';
import * as handshake from '../../src/provider/handshake.ts';
import { holds, type Condition } from '../../src/provider/lookup.ts';
import type { Provider } from '../../src/provider/provider.ts';

const { isHandshake, mayBeHandshake, needsBody } = handshake;

const HELLO: handshake.Handshake = {
  match: {
    method: 'POST',
    where: [
      { at: 'body:type', equals: 'hello' },
      { at: 'header:X-Signature', absent: true },
    ],
  },
  proof: { by: 'nothing' },
  respond: { status: 200, body: { text: { echo: 'body:challenge' } } },
};

interface Parts {
  readonly payload?: unknown;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly query?: string;
}

const facts = ({ payload, method = 'POST', headers = {}, query = '' }: Parts = {}) => ({
  method,
  payload,
  headers: new Headers(headers),
  query: new URLSearchParams(query),
});

describe('a request', () => {
  const payload = { type: 'hello' };
  const signed = { headers: { 'x-signature': 'a' } };

  it('is a handshake when the method and every condition fit', () => {
    expect(isHandshake(HELLO, facts({ payload }))).toBe(true);
    const bodies: readonly Parts[] = [
      { payload: { type: 'paid' } },
      { payload: {} },
      { payload: 'hello' },
      {},
    ];
    for (const parts of [...bodies, { payload, method: 'PUT' }, { payload, ...signed }])
      expect(isHandshake(HELLO, facts(parts)), JSON.stringify(parts)).toBe(false);
  });

  it('may be one by all that stands outside of the body', () => {
    expect(mayBeHandshake(HELLO, facts())).toBe(true);
    for (const parts of [{ method: 'GET' }, signed]) expect(mayBeHandshake(HELLO, facts(parts))).toBe(false);
  });
});

describe('a condition', () => {
  const payload = { text: 'a', number: 0, empty: '', none: null, object: {}, list: [], false: false };

  it.each<[Condition['at'], boolean, boolean]>([
    // place, is there something, is it absent
    ['body:text', true, false],
    ['body:number', true, false],
    ['body:false', true, false],
    ['body:object', true, false],
    ['body:list', true, false],
    ['body:empty', false, false],
    ['body:none', false, false],
    ['body:missing', false, true],
    ['body:text.length', false, true],
    ['body:constructor', false, true],
    ['body:__proto__', false, true],
    ['header:X-Here', true, false],
    ['header:X-Empty', false, false],
    ['header:X-Missing', false, true],
    ['query:here', true, false],
    ['query:empty', false, false],
    ['query:missing', false, true],
  ])('at %s: there %s, absent %s', (at, there, absent) => {
    const request = facts({ payload, headers: { 'x-here': 'a', 'x-empty': '' }, query: 'here=a&empty=' });
    expect(holds({ at }, request)).toBe(there);
    expect(holds({ at, absent: true }, request)).toBe(absent);
  });

  it('that asks for a text takes a number for its digits, and no object for its text', () => {
    expect(holds({ at: 'body:number', equals: '0' }, facts({ payload }))).toBe(true);
    expect(holds({ at: 'body:object', equals: '[object Object]' }, facts({ payload }))).toBe(false);
    expect(holds({ at: 'body:false', equals: 'false' }, facts({ payload }))).toBe(false);
  });
});

const echo = (at: 'body:a' | 'header:X-Key') => ({ echo: at });

describe('the body is needed', () => {
  const bare: handshake.Handshake = {
    match: { method: 'POST', where: [{ at: 'header:X-Key' }] },
    proof: { by: 'nothing' },
    respond: { status: 200, headers: { 'X-Key': echo('header:X-Key') }, body: { json: { n: 1, t: 'a' } } },
  };
  const signed = { hmac: 'body:a', encoding: 'hex' } as const;

  it('not for what stands in headers and query', () => {
    expect(needsBody(bare)).toBe(false);
    expect(needsBody({ ...bare, proof: { by: 'pairing', key: 'header:X-Key' } })).toBe(false);
  });

  it.each<[string, Partial<handshake.Handshake>]>([
    ['a condition', { match: { method: 'POST', where: [{ at: 'body:a' }] } }],
    ['a secret', { proof: { by: 'secret', at: 'body:a' } }],
    ['a key', { proof: { by: 'pairing', key: 'body:a' } }],
    ['an echo', { respond: { status: 200, body: { text: echo('body:a') } } }],
    ['a header’s echo', { respond: { status: 200, headers: { a: echo('body:a') } } }],
    ['a signed text', { respond: { status: 200, body: { json: { a: signed } } } }],
    ['an address to confirm at', { confirm: { url: 'body:a', host: '^a$' } }],
  ])('for %s in it', (_, change) => {
    expect(needsBody({ ...bare, ...change })).toBe(true);
  });
});

const ids = (is: (provider: Provider) => boolean) => [...providers.values()].filter(is).map(({ id }) => id);

it('Asana and Notion hand over their key, Meta shows a person’s secret, and X wants texts signed for all', () => {
  expect(ids(handshake.pairs).toSorted()).toEqual(['asana', 'notion']);
  expect(ids(handshake.asksForSecret).join()).toBe('instagram,messenger,meta-lead-ads,meta-whatsapp,strava');
  expect(ids(handshake.signsForAnybody)).toEqual(['x']);
});
