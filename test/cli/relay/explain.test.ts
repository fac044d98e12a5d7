import { expect, it } from 'vitest';
import { explainError } from '../../../cli/relay/explain.ts';

const because = (code: string, message = ''): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });

const said = (thrown: unknown, url = 'https://relay.example') => explainError(url, thrown, 30_000).error;

it('why no answer came is said by what the error is', () => {
  for (const [code, message, expected] of [
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed', /cannot trust .*self-signed.*NODE_EXTRA_CA_CERTS/],
    ['CERT_HAS_EXPIRED', 'certificate has expired', /cannot trust .*expired/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify', /cannot trust/],
    ['ENOTFOUND', '', /cannot reach .*there is no such host; check the address/],
  ] as const)
    expect(said(because(code, message)).message).toMatch(expected);
  const both = new AggregateError([Object.assign(new Error('no'), { code: 'ECONNREFUSED' })]);
  expect(said(new TypeError('fetch failed', { cause: both }), 'http://localhost:1').message).toMatch(
    /nothing listens there; start the relay/,
  );
});

it('what is said of an error is unsure of the outcome of a request that went out, and only of that', () => {
  expect(said(because('ECONNRESET')).unsure).toBe(true);
  expect(said(new DOMException('late', 'TimeoutError')).unsure).toBe(true);
  expect(said(because('ECONNREFUSED')).unsure).toBeUndefined();
});
