import { expect, it } from 'vitest';
import { signedUrls } from '../../../src/signature/signed/signed-url.ts';
import { requestOf } from '../support.ts';

const URL_HERE = 'https://worker.example.dev/hooks/shop?a=%20b';
const GIVEN = 'https://hooks.example.com/in?x=1';
const ALSO_GIVEN = 'https://hooks.example.com/other';

it('signedUrls takes the scheme’s own address, else the one the sender was given, else the request’s', () => {
  const here = requestOf({ url: URL_HERE });
  const registered = requestOf({ url: URL_HERE, registeredUrl: GIVEN });
  expect(signedUrls({}, here)).toEqual([URL_HERE]);
  expect(signedUrls({}, registered)).toEqual([GIVEN]);
  expect(signedUrls({ url: ALSO_GIVEN, url_form: 'as_is' }, registered)).toEqual([ALSO_GIVEN]);
});

it('signedUrls decodes what HubSpot decodes, once, and nothing else', () => {
  const url = 'https://a.example/%3a%2F%3F%40%21%24%27%28%29%2a%2C%3B/%20%26%3D%25%2B%252F';
  expect(signedUrls({ url, url_form: 'percent_decoded' }, requestOf())).toEqual([
    "https://a.example/:/?@!$'()*,;/%20%26%3D%25%2B%252F",
  ]);
});

it.each([
  ['https://a.example/x?y=1:2', 'https://a.example', ':443', '/x?y=1:2'],
  ['https://a.example:8443/x', 'https://a.example', ':8443', '/x'],
  ['http://a.example?x', 'http://a.example', ':80', '?x'],
  ['https://[::1]:8443/x', 'https://[::1]', ':8443', '/x'],
])('signedUrls tries %s without and with its port', (url, host, port, path) => {
  const tried = ['', port].map((one) => `${host}${one}${path}`);
  expect(signedUrls({ url, url_form: 'any_port' }, requestOf())).toEqual(tried);
});

it('signedUrls has the body’s hash at the end of the address that the sender was given', () => {
  const hash = 'ab'.repeat(32);
  const url = `${URL_HERE}&h=${hash}`;
  const signed = (registeredUrl: string) => signedUrls({}, requestOf({ url, registeredUrl }), 'h');
  expect(signed(GIVEN)).toEqual([`${GIVEN}&h=${hash}`]);
  expect(signed(ALSO_GIVEN)).toEqual([`${ALSO_GIVEN}?h=${hash}`]);
  expect(signedUrls({}, requestOf({ url }), 'h')).toEqual([url]);
});
