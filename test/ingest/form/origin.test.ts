import { expect, it } from 'vitest';
import { corsHeaders, mayPost, nextPage, preflight } from '../../../src/ingest/webhook.ts';

const SHOP = 'https://shop.example';
const listed = { origins: [SHOP, 'https://www.shop.example'] };
const anyNamed = { origins: null };
const any = { origins: 'any' } as const;

it('a form may be posted by a listed page, by any that says which, or by anybody', () => {
  for (const [what, rules, origin, may] of [
    ['a listed page', listed, SHOP, true],
    ['another page', listed, 'https://evil.example', false],
    ['a page whose address begins alike', listed, 'https://shop.example.evil.example', false],
    ['the same page without TLS', listed, 'http://shop.example', false],
    ['the same host at another port', listed, 'https://shop.example:8443', false],
    ['a request that says no page', listed, null, false],
    ['a page from disk', listed, 'null', false],
    ['any page, where none is listed', anyNamed, 'https://evil.example', true],
    ['no page, where none is listed', anyNamed, null, false],
    ['a page from disk, where none is listed', anyNamed, 'null', false],
    ['no page, where any may', any, null, true],
    ['a page from disk, where any may', any, 'null', true],
  ] as const)
    expect([what, mayPost(rules, origin)]).toEqual([what, may]);
});

it('the answer to a script may be read by the page that asked, and by no other of a list, or by every page where every page may post', () => {
  const allowed = { 'access-control-allow-origin': SHOP, vary: 'Origin' };
  expect(corsHeaders(listed, SHOP)).toMatchObject(allowed);
  expect(corsHeaders(any, 'null')['access-control-allow-origin']).toBe('*');
});

it('the answer to a script allows JSON to who asks before', () => {
  const answer = preflight(listed, SHOP);
  expect(answer.status).toBe(204);
  expect(answer.headers.get('access-control-allow-methods')).toBe('POST');
  expect(answer.headers.get('access-control-allow-headers')).toContain('Content-Type');
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
});

it('a page sends its visitor to a listed page, and nowhere where none is listed', () => {
  for (const [what, next, url] of [
    ['a page of its own', 'https://shop.example/thanks?a=1', 'https://shop.example/thanks?a=1'],
    ['a path of its own', '/thanks', 'https://shop.example/thanks'],
    ['another listed host', 'https://www.shop.example/', 'https://www.shop.example/'],
    ['a foreign host', 'https://evil.example/', null],
    ['a foreign host without a scheme', '//evil.example/', null],
    ['a foreign host behind a backslash', '/\\evil.example', null],
    ['a foreign host behind a name', 'https://shop.example@evil.example/', null],
    ['a script', 'javascript:alert(1)', null],
    ['what a page holds in memory', 'blob:https://shop.example/x', null],
    ['a login', 'https://user:pw@shop.example/', null],
    ['a name for a login', '//user@shop.example/', null],
    ['an address that is too long', `/${'x'.repeat(2_048)}`, null],
    ['nothing', '', null],
    ['no text', ['https://shop.example/'], null],
  ] as const)
    expect([what, nextPage(listed, next, SHOP)]).toEqual([what, url]);
  for (const rules of [any, anyNamed]) expect(nextPage(rules, 'https://shop.example/', SHOP)).toBeNull();
});
