import { describe, expect, it } from 'vitest';
import { gatewayDigits } from '../../src/schema/gateway-digits.ts';

describe('the gateway’s digits', () => {
  it.each(['4915112345678', '1234567', '123456789012345'])('are %s', (digits) => {
    expect(gatewayDigits.test(digits)).toBe(true);
  });

  it.each(['+4915112345678', '04915112345678', '123456', '1234567890123456', '4915 1123', '٤٩١٥١١٢٣٤٥', ''])(
    'are not %j',
    (text) => {
      expect(gatewayDigits.test(text)).toBe(false);
    },
  );
});
