import { describe, expect, it } from 'vitest';
import { whyNotPublic } from '../../src/lib/public-address.ts';

const why = (text: string): string | null => whyNotPublic(new URL(text).hostname);

describe('an address', () => {
  it.each([
    ['0.0.0.0', 'this network, RFC 791'],
    ['10.1.2.3', 'private, RFC 1918'],
    ['100.64.0.1', 'carrier-grade NAT, RFC 6598'],
    ['127.0.0.1', 'loopback, RFC 1122'],
    ['169.254.169.254', 'link-local, RFC 3927'],
    ['172.16.0.1', 'private, RFC 1918'],
    ['172.31.255.255', 'private, RFC 1918'],
    ['192.0.0.8', 'IETF protocols, RFC 6890'],
    ['192.0.2.1', 'documentation, RFC 5737'],
    ['192.88.99.1', '6to4 relays, RFC 7526'],
    ['192.168.178.1', 'private, RFC 1918'],
    ['198.19.0.1', 'benchmarks, RFC 2544'],
    ['198.51.100.1', 'documentation, RFC 5737'],
    ['203.0.113.1', 'documentation, RFC 5737'],
    ['224.0.0.1', 'multicast, RFC 5771'],
    ['240.0.0.1', 'reserved, RFC 1112'],
    ['255.255.255.255', 'reserved, RFC 1112'],
    ['[::]', 'not global unicast, RFC 4291'],
    ['[::1]', 'not global unicast, RFC 4291'],
    ['[::127.0.0.1]', 'not global unicast, RFC 4291'],
    ['[::ffff:127.0.0.1]', 'loopback, RFC 1122'],
    ['[::ffff:0a00:1]', 'private, RFC 1918'],
    ['[64:ff9b::10.0.0.1]', 'private, RFC 1918'],
    ['[64:ff9b:1::8.8.8.8]', 'not global unicast, RFC 4291'],
    ['[100::1]', 'not global unicast, RFC 4291'],
    ['[2001::1]', 'IETF protocols, RFC 2928'],
    ['[2001:db8::1]', 'documentation, RFC 3849'],
    ['[2002:7f00:1::]', 'loopback, RFC 1122'],
    ['[3fff::1]', 'documentation, RFC 9637'],
    ['[fc00::1]', 'not global unicast, RFC 4291'],
    ['[fd12:3456::1]', 'not global unicast, RFC 4291'],
    ['[fe80::1]', 'not global unicast, RFC 4291'],
    ['[fec0::1]', 'not global unicast, RFC 4291'],
    ['[ff02::1]', 'not global unicast, RFC 4291'],
  ])('%s is not public: %s', (host, reason) => {
    expect(why(`http://${host}/`)).toBe(
      `${new URL(`http://${host}/`).hostname} is not a public address (${reason})`,
    );
  });

  it.each([
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0x7f.0.0.0x1',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
  ])('%s is 127.0.0.1 in another notation', (host) => {
    expect(why(`http://${host}/`)).toContain('loopback');
  });

  it.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'printer.local',
    'metadata.google.internal',
    'router.home.arpa',
    'nas.localdomain',
    'intranet',
    'intranet.',
  ])('%s is a name of one machine or network only', (host) => {
    expect(why(`https://${host}/`)).toContain('is not a public name');
  });

  it.each([
    'example.com',
    'a.example',
    'localhost.example.com',
    'mylocal.example',
    'xn--bcher-kva.example',
    '8.8.8.8',
    '100.128.0.1',
    '172.32.0.1',
    '169.253.0.1',
    '[2a00:1450:4001::1]',
    '[::ffff:8.8.8.8]',
    '[64:ff9b::8.8.8.8]',
    '[2002:808:808::]',
  ])('%s is public', (host) => {
    expect(why(`https://${host}/`)).toBeNull();
  });
});
