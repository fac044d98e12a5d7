import { describe, expect, it } from 'vitest';
import { rsaSchema } from '../../../src/signature/schemes/rsa-scheme.ts';
import { verifyRsa } from '../../../src/signature/schemes/rsa.ts';
import { serverOf } from '../rsa-support.ts';
import { requestOf } from '../support.ts';

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
