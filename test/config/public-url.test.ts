import { bindings as environment } from '../bindings.ts';

const env = environment();
import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { publicUrl, publicUrlErrors, publicUrlWarnings, urlAfter } from '../../src/config/public-url.ts';
import { open, routeWith, setOf } from './support.ts';

describe('the address of the relay', () => {
  it.each([
    ['https://hooks.example.com', 'https://hooks.example.com'],
    ['https://hooks.example.com/', 'https://hooks.example.com'],
    ['https://example.com/relay/', 'https://example.com/relay'],
    ['http://localhost:8787', 'http://localhost:8787'],
    ['HTTPS://Hooks.Example.com', 'https://hooks.example.com'],
  ])('is an http(s) address, without a slash at its end: %s', (text, address) => {
    expect(publicUrl({ PUBLIC_URL: text })).toBe(address);
  });

  it.each([
    '',
    'hooks.example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'https://example.com?x=1',
    'https://example.com#x',
    'https://user:pass@example.com',
    `https://example.com/${'x'.repeat(64)}`,
  ])('is no other text: %j', (text) => {
    expect(publicUrl({ PUBLIC_URL: text })).toBeNull();
  });

  it('is the one at which the set was published, if PUBLIC_URL is not set', () => {
    expect(publicUrl({}, 'https://relay.example')).toBe('https://relay.example');
    expect(publicUrl({ PUBLIC_URL: '' }, 'https://relay.example')).toBe('https://relay.example');
    expect(publicUrl({ PUBLIC_URL: 'https://hooks.example' }, 'https://relay.example')).toBe(
      'https://hooks.example',
    );
  });

  it('is not guessed where PUBLIC_URL is wrong', () => {
    expect(publicUrl({ PUBLIC_URL: 'hooks.example' }, 'https://relay.example')).toBeNull();
  });
});

describe('an address at which a set is published', () => {
  it.each([
    [null, 'http://localhost:8787', 'http://localhost:8787'],
    ['http://localhost:8787', 'http://localhost:9000', 'http://localhost:9000'],
    ['http://localhost:8787', 'https://relay.example.com', 'https://relay.example.com'],
    ['https://relay.example.com', 'https://hooks.example.com', 'https://hooks.example.com'],
    ['https://relay.example.com', 'http://localhost:8787', 'https://relay.example.com'],
    ['https://relay.example.com', 'http://192.168.1.4:8787', 'https://relay.example.com'],
    ['https://relay.example.com', null, 'https://relay.example.com'],
  ])('after %s, %s: links begin with %s', (known, published, after) => {
    expect(urlAfter(known, published)).toBe(after);
  });
});

describe('a set with links', () => {
  const { config } = compileConfig(
    setOf({
      accounts: { default: { canary: { to: '4915112345678' } } },
      sources: { shop: open({ routes: [routeWith({ actions: { stop: {} } })] }) },
    }),
    1,
  );
  const without = compileConfig(setOf({ sources: { shop: open({ routes: [routeWith({})] }) } }), 1).config;
  const bare: Env = Object.assign({ ...env }, { PUBLIC_URL: '' });
  const places = ['accounts.default.canary', 'sources.shop.routes[0].actions'];

  it('is refused where nothing says what its links begin with, canary included', () => {
    expect(publicUrlErrors(config, bare, null).map(({ path }) => path)).toEqual(places);
    const tooLong = `https://${'relay.'.repeat(9)}example.com`;
    expect(publicUrlErrors(config, bare, tooLong).map(({ path }) => path)).toEqual(places);
    expect(publicUrlErrors(config, bare, 'https://relay.example.com')).toEqual([]);
    expect(publicUrlErrors(without, bare, null)).toEqual([]);
  });

  it('has a warning where only this machine reaches its links, unless somebody has said so', () => {
    const local = 'http://localhost:8787';
    expect(publicUrlWarnings(config, bare, local)).toEqual([
      { path: places[0], message: expect.stringContaining(`begin with ${local}, the address`) as unknown },
    ]);
    expect(publicUrlWarnings(config, Object.assign({ ...env }, { PUBLIC_URL: local }), local)).toEqual([]);
    expect(publicUrlWarnings(config, bare, 'https://relay.example.com')).toEqual([]);
    expect(publicUrlWarnings(without, bare, local)).toEqual([]);
  });
});
