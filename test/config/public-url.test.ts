import { expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { publicUrl, publicUrlErrors, publicUrlWarnings, urlAfter } from '../../src/config/public-url.ts';
import { bindings } from '../bindings.ts';
import { open, routeWith, setOf } from './support.ts';

const RELAY = 'https://relay.example.com';
const LOCAL = 'http://localhost:8787';

it('the address of the relay is an http(s) address, without a slash at its end, and no other text', () => {
  const addresses = {
    'https://hooks.example.com': 'https://hooks.example.com',
    'https://hooks.example.com/': 'https://hooks.example.com',
    'https://example.com/relay/': 'https://example.com/relay',
    [LOCAL]: LOCAL,
    'HTTPS://Hooks.Example.com': 'https://hooks.example.com',
    'hooks.example.com': null,
    'ftp://example.com': null,
    'javascript:alert(1)': null,
    'https://example.com?x=1': null,
    'https://example.com#x': null,
    'https://user:pass@example.com': null,
    [`https://example.com/${'x'.repeat(64)}`]: null,
  };
  const found = Object.keys(addresses).map((text) => [text, publicUrl({ PUBLIC_URL: text })]);
  expect(Object.fromEntries(found)).toEqual(addresses);
});

it('the address of the relay is the one of the publish if PUBLIC_URL is not set, kept when this machine or network publishes later, and not guessed if it is wrong', () => {
  expect(publicUrl({}, RELAY)).toBe(RELAY);
  expect(publicUrl({ PUBLIC_URL: '' }, RELAY)).toBe(RELAY);
  expect(publicUrl({ PUBLIC_URL: '' })).toBeNull();
  expect(publicUrl({ PUBLIC_URL: 'https://hooks.example' }, RELAY)).toBe('https://hooks.example');
  expect(publicUrl({ PUBLIC_URL: 'hooks.example' }, RELAY)).toBeNull();
  const rows = [
    [null, LOCAL, LOCAL],
    [LOCAL, 'http://localhost:9000', 'http://localhost:9000'],
    [LOCAL, RELAY, RELAY],
    [RELAY, 'https://hooks.example.com', 'https://hooks.example.com'],
    [RELAY, LOCAL, RELAY],
    [RELAY, 'http://192.168.1.4:8787', RELAY],
    [RELAY, null, RELAY],
  ] as const;
  expect(rows.map(([known, published]) => [known, published, urlAfter(known, published)])).toEqual(rows);
});

const withRoute = (route: object) => ({ sources: { shop: open({ routes: [routeWith(route)] }) } });

const accounts = { default: { canary: { to: '4915112345678' } } };
const { config } = compileConfig(setOf({ accounts, ...withRoute({ actions: { stop: {} } }) }), 1);
const without = compileConfig(setOf(withRoute({})), 1).config;
const bare = bindings({ PUBLIC_URL: '' });
const places = ['accounts.default.canary', 'sources.shop.routes[0].actions'];

it('a set with links is refused where nothing says what they begin with, and warned of where only this machine reaches them, unless somebody said so', () => {
  for (const url of [null, `https://${'relay.'.repeat(9)}example.com`])
    expect(publicUrlErrors(config, bare, url).map(({ path }) => path)).toEqual(places);
  expect(publicUrlErrors(config, bare, RELAY)).toEqual([]);
  expect(publicUrlErrors(without, bare, null)).toEqual([]);
  const message: unknown = expect.stringContaining(`begin with ${LOCAL}, the address`);
  expect(publicUrlWarnings(config, bare, LOCAL)).toMatchObject([{ path: places[0], message }]);
  expect(publicUrlWarnings(config, bindings({ PUBLIC_URL: LOCAL }), LOCAL)).toEqual([]);
  expect(publicUrlWarnings(config, bare, RELAY)).toEqual([]);
  expect(publicUrlWarnings(without, bare, LOCAL)).toEqual([]);
});
