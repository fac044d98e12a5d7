import { expect, it } from 'vitest';
import { signedUrls } from '../../../src/signature/signed/signed-bytes.ts';
import { requestOf } from '../support.ts';

const URL_HERE = 'https://worker.example.dev/hooks/shop?a=%2Fb';
const GIVEN = 'https://hooks.example.com/in?x=1';
const ALSO_GIVEN = 'https://hooks.example.com/other';

it('signedUrls takes the scheme’s own address, else the one the sender was given, else the request’s, and decodes what HubSpot decodes, once, and nothing else', () => {
  const here = requestOf({ url: URL_HERE });
  const registered = requestOf({ url: URL_HERE, registeredUrl: GIVEN });
  expect(signedUrls({}, here)).toEqual([URL_HERE]);
  expect(signedUrls({}, registered)).toEqual([GIVEN]);
  expect(signedUrls({ url: ALSO_GIVEN, url_form: 'as_is' }, registered)).toEqual([ALSO_GIVEN]);
  const url = 'https://a.example/%3a%2F%3F%40%21%24%27%28%29%2a%2C%3B/%20%26%3D%25%2B%252F';
  expect(signedUrls({ url, url_form: 'percent_decoded' }, requestOf())).toEqual([
    "https://a.example/:/?@!$'()*,;/ %26%3D%25%2B%252F",
    "https://a.example/:/?@!$'()*,;/%20%26%3D%25%2B%252F",
  ]);
});

it('signedUrls has each spelling of an address, whichever the sender posts to, and the same one first', () => {
  const here = 'https://a.example/hooks/t';
  const spelt = (query: string) => signedUrls({}, requestOf({ url: here + query }));
  for (const [signed, sent] of [
    ["?shop=O'Neal", '?shop=O%27Neal'],
    ['?shop=Bäcker', '?shop=B%C3%A4cker'],
    ['?shop=B%C3%A4cker', '?shop=Bäcker'],
    ["?shop=O'B%C3%A4cker", "?shop=O'Bäcker"],
    ['?shop=Bäcker%202', '?shop=B%c3%a4cker%202'],
    ['/{x}', '/%7Bx%7d'],
    ["?a='b&c=%27", "?a='b&c=%27"],
  ] as const)
    expect([signed, sent, spelt(sent)]).toEqual([signed, sent, expect.arrayContaining([here + signed])]);
  expect(
    new Set(["?a=O'ä", '?a=O%27ä', "?a=O'%c3%a4", '?a=O%27%C3%A4'].map((one) => spelt(one)[0])).size,
  ).toBe(1);
  // Escapes that mean something, and bytes that are no text, have one spelling.
  for (const query of ['?a=%26b%3D%2B%25%23', '?a=%ff', '?a=b+c', ''])
    expect(spelt(query)).toEqual([here + query]);
});

it.each([
  ['https://a.example/x?y=1:2', 'https://a.example', ':443', '/x?y=1:2'],
  ['https://a.example:8443/x', 'https://a.example', ':8443', '/x'],
  ['http://a.example?x', 'http://a.example', ':80', '?x'],
  ['https://[::1]:8443/x', 'https://[::1]', ':8443', '/x'],
])('signedUrls tries %s without and with its port', (url, host, port, path) => {
  const tried = ['', port].map((one) => `${host}${one}${path}`);
  expect(signedUrls({ url, url_form: 'any_port' }, requestOf())).toEqual(expect.arrayContaining(tried));
});

it('signedUrls has the body’s hash at the end of the address that the sender was given', () => {
  const hash = 'ab'.repeat(32);
  const url = `${URL_HERE}&h=${hash}`;
  const signed = (registeredUrl: string) => signedUrls({}, requestOf({ url, registeredUrl }), 'h');
  expect(signed(GIVEN)).toEqual([`${GIVEN}&h=${hash}`]);
  expect(signed(ALSO_GIVEN)).toEqual([`${ALSO_GIVEN}?h=${hash}`]);
  expect(signedUrls({}, requestOf({ url }), 'h')).toEqual([url]);
});
