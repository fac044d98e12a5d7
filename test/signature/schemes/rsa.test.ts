import { describe, expect, it } from 'vitest';
import { rsaSchema, verifyRsa } from '../../../src/signature/schemes/rsa.ts';
import { serverOf } from '../rsa-support.ts';
import { problemsOf, requestOf, schemeOf } from '../support.ts';

describe('an rsa block', () => {
  it('needs only a format, and allows five minutes', () => {
    expect(schemeOf({ scheme: 'rsa', format: 'sns' })).toEqual({
      scheme: 'rsa',
      format: 'sns',
      tolerance: 300_000,
    });
  });

  it.each([
    ['no format', {}, /^format: must be one of sns, paypal/],
    ['an unknown format', { format: 'snss' }, /^format: .*did you mean `sns`\?/],
    ['hosts of its own', { format: 'sns', host: 'evil.example' }, /unknown key `host`/],
    ['a tolerance without end', { format: 'sns', tolerance: '30d' }, /^tolerance: must be between/],
  ])('%s is refused', (_, options, problem) => {
    expect(problemsOf({ scheme: 'rsa', ...options }).join('\n')).toMatch(problem);
  });
});

const verify = (format: 'sns' | 'paypal') =>
  verifyRsa(
    rsaSchema.parse({ scheme: 'rsa', format }),
    ['arn:aws:sns:us-east-1:123456789012:orders'],
    requestOf({ body: '{"Type":"Notification"}' }),
    serverOf(),
  );

describe('an rsa signature', () => {
  it('is looked for where its format has it', async () => {
    expect(await verify('sns')).toEqual({
      ok: false,
      error: { reason: 'missing_field', detail: 'body field Message is missing' },
    });
    expect(await verify('paypal')).toEqual({
      ok: false,
      error: { reason: 'missing_header', detail: 'header PAYPAL-TRANSMISSION-ID is missing' },
    });
  });
});
