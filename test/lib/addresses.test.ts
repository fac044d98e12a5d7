import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { httpUrl, isLoopback, namesItsHost, whyNotPublic } from '../../src/lib/url.ts';

const hostOf = (url: string): string => new URL(url).hostname;
const why = (host: string): string | null => whyNotPublic(hostOf(`http://${host}/`));

describe('an address that can be fetched', () => {
  it('is one of http or https', () => {
    for (const text of [
      'https://shop.example/a.png',
      ' http://shop.example ',
      'HTTPS://shop.example:8443/?a=b#c',
    ])
      expect(httpUrl(text)).toMatchObject({ ok: true, value: { hostname: 'shop.example' } });
    for (const text of ['', 'shop.example/a.png', 'https://', 'file:///etc/passwd', 'javascript:alert(1)'])
      expect(httpUrl(text), text).toEqual({ ok: false, error: 'is not an http(s) URL' });
  });

  it('has no character that programs read in different ways', () => {
    const error = 'contains a backslash, a line break or another control character, which a URL must not';
    const controls = ['\tb', '\nX: y', '\u0000', '\u007f', '\u0085', 'b\\c'].map(
      (end) => `https://a.example/${end}`,
    );
    // A browser calls 8.8.8.8, curl calls 127.0.0.1.
    for (const text of [...controls, 'http://8.8.8.8\\@127.0.0.1:21990/meta', 'https:\\\\a.example'])
      expect(httpUrl(text), text).toEqual({ ok: false, error });
  });

  it('is written so that every program reads the same host, whatever was given', () => {
    const hosts = ['8.8.8.8', '127.0.0.1', 'a.example', 'ⓐ.example', '0x7f.1', '[::1]', 'user'];
    const signs = ['@', ':', ':80', '/', '\\', '?', '#', '%40', '%5c', '\t', ' ', '。', '//', ';', '&'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...hosts, ...signs), { maxLength: 8 }), (pieces) => {
        const url = httpUrl(`http://${pieces.join('')}`);
        if (!url.ok) return true;
        const { href, host, username, password } = url.value;
        // As a program reads it that knows only ASCII and the first `/`, `?` or `#` as the end of a host (RFC 3986 §3.2).
        const [, authority = ''] = /^http:\/\/([^/?#]*)[\x21-\x5b\x5d-\x7e]*$/.exec(href) ?? [];
        const login = username === '' && password === '' ? '' : `${username}${password && `:${password}`}@`;
        return authority === login + host;
      }),
      { numRuns: 200 },
    );
  });
});

/** Why a host is not public, and hosts of which that is said. */
const NOT_PUBLIC = {
  'this network, RFC 791': '0.0.0.0',
  'private, RFC 1918': '10.1.2.3 172.16.0.1 172.31.255.255 192.168.178.1 [::ffff:0a00:1] [64:ff9b::10.0.0.1]',
  'carrier-grade NAT, RFC 6598': '100.64.0.1',
  'loopback, RFC 1122': '127.0.0.1 [::ffff:127.0.0.1] [2002:7f00:1::]',
  'link-local, RFC 3927': '169.254.169.254',
  'IETF protocols, RFC 6890': '192.0.0.8',
  'documentation, RFC 5737': '192.0.2.1 198.51.100.1 203.0.113.1',
  '6to4 relays, RFC 7526': '192.88.99.1',
  'benchmarks, RFC 2544': '198.19.0.1',
  'multicast, RFC 5771': '224.0.0.1',
  'reserved, RFC 1112': '240.0.0.1 255.255.255.255',
  'not global unicast, RFC 4291':
    '[::] [::1] [::127.0.0.1] [64:ff9b:1::8.8.8.8] [100::1] [fc00::1] [fd12:3456::1] [fe80::1] [fec0::1] [ff02::1]',
  'IETF protocols, RFC 2928': '[2001::1]',
  'documentation, RFC 3849': '[2001:db8::1]',
  'documentation, RFC 9637': '[3fff::1]',
};

it.each(Object.entries(NOT_PUBLIC))('a host is not public: %s: %s', (reason, hosts) => {
  for (const host of hosts.split(' '))
    expect(why(host)).toBe(`${hostOf(`http://${host}/`)} is not a public address (${reason})`);
});

it('a host is 127.0.0.1 in another notation, too', () => {
  const numbers = ['127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0x7f.0.0.0x1', '127.0.0.1.'];
  for (const host of [...numbers, '１２７.0.0.1', '127。0。0。1', '%31%32%37.0.0.1'])
    expect(why(host), host).toContain('loopback');
});

it('a host is a name of one machine or network only', () => {
  const local = ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'printer.local', 'nas.localdomain'];
  for (const host of [...local, 'metadata.google.internal', 'router.home.arpa', 'intranet', 'intranet.'])
    expect(why(host), host).toContain('is not a public name');
});

it('a host is public', () => {
  const names = ['example.com', 'localhost.example.com', 'mylocal.example', 'xn--bcher-kva.example'];
  const numbers = ['8.8.8.8', '100.128.0.1', '172.32.0.1', '169.253.0.1', '[2a00:1450:4001::1]'];
  for (const host of [...names, ...numbers, '[::ffff:8.8.8.8]', '[64:ff9b::8.8.8.8]', '[2002:808:808::]'])
    expect(why(host), host).toBeNull();
});

it('a host is this machine by its name or its loopback addresses, and not by what looks like them', () => {
  const own = ['localhost:8787', '127.0.0.1', '127.8.0.9/a', '127.1', '[::1]:1'];
  expect(own.filter((host) => !isLoopback(hostOf(`http://${host}`)))).toEqual([]);
  const names = ['relay.example', 'localhost.example', 'a.localhost', '127.0.0.1.example'];
  const others = [...names, '128.0.0.1', '10.0.0.1', '0.0.0.0', '[::2]', 'user:localhost@relay.example'];
  expect(others.filter((host) => isLoopback(hostOf(`http://${host}`)))).toEqual([]);
});

it.each<[string, boolean]>([
  ['https://a.example', true],
  ['https://a.example?x={{ b }}', true],
  ['https://a.example:8443#{{ c }}', true],
  ['https://{{ payload.host }}/', false],
  ['https://a.example{{ payload.more }}/', false],
  ['https://a.example{% if payload.more %}.evil.example{% endif %}/', false],
  ['https://a.example\\{{ payload.more }}/', false],
  ['{% if payload.x %}https://a.example/{% endif %}{{ payload.url }}', false],
  ['ftp://a.example/', false],
])('a template names its host itself: %s: %s', (template, named) => {
  expect(namesItsHost(template)).toBe(named);
});
