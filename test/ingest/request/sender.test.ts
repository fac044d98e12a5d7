import { expect, it } from 'vitest';
import { describeSender, senderOf } from '../../../src/ingest/request/reject.ts';
import { NOW, rawOf, sourceOf } from '../support.ts';

const offer = (headers: Readonly<Record<string, string>>) =>
  senderOf(rawOf(sourceOf(), { headers }), ['a-secret-of-the-tests']);

it('who offers a key is the address that the platform saw, and what the sender calls itself', () => {
  expect(
    offer({ 'CF-Connecting-IP': '2001:db8::1', 'User-Agent': 'Asana/1.0', 'X-Forwarded-For': '1.2.3.4' }),
  ).toEqual({ at: NOW, address: '2001:db8::1', userAgent: 'Asana/1.0' });
});

it('who offers a key is nobody where neither is said, and reported with what it calls itself in quotes', () => {
  expect(offer({})).toEqual({ at: NOW, address: null, userAgent: null });
  expect(offer({ 'User-Agent': '  ' }).userAgent).toBeNull();
  expect(describeSender(offer({}))).toBe('an unknown address');
  expect(describeSender({ at: NOW, address: '192.0.2.1', userAgent: 'x" by "y' })).toBe(
    String.raw`192.0.2.1, which calls itself "x\" by \"y"`,
  );
});

it('who offers a key is data: one line of printable ASCII, and no more than that of it', () => {
  const { address, userAgent } = offer({
    'CF-Connecting-IP': '1'.repeat(500),
    'User-Agent': `a\tb\u009b31m${'x'.repeat(500)}`,
  });
  expect(address).toHaveLength(64);
  expect(userAgent).toMatch(/^a\?b\?+31mx+$/);
  expect(userAgent?.length).toBeLessThanOrEqual(120);
  expect(offer({ 'User-Agent': '\\'.repeat(30_000) }).userAgent).toHaveLength(120);
});

it('who offers a key is no secret that stands where a name should, not even a part of it', () => {
  const agent = `${'x'.repeat(110)} a-secret-of-the-tests`;
  expect(offer({ 'user-agent': agent }).userAgent).toBe(`${'x'.repeat(110)} [redacted`);
});
