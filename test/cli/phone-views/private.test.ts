import { describe, expect, it } from 'vitest';
import { privateIn } from '../../../cli/phone-views/private.ts';

describe('what no message to a team says', () => {
  it.each([
    ['{"bounce":{"bouncedRecipients":[{"emailAddress":"ada@example.com"}]}}', 'raw JSON'],
    ['see [{"a": 1}]', 'raw JSON'],
    ['https://files.example.com/a.pdf?accessToken=eyJhbGciOi', 'a link with `accessToken`'],
    ['https://s3.example.com/a?X-Amz-Date=1&X-Amz-Signature=abcdef', 'a link with `X-Amz-Signature`'],
    ['https://example.com/reset?x=1&token=abcdef', 'a link with `token`'],
    ['https://example.com/#access_token=abcdef', 'a link with `access_token`'],
    ['https://example.com/join?code=abcdef', 'a link with `code`'],
    ['card 4242 4242 4242 4242', 'a whole card number'],
    ['card 378282246310005.', 'a whole card number'],
    ['from DE89 3704 0044 0532 0130 00', 'a whole account number (IBAN)'],
    ['from GB33BUKB20201555555555', 'a whole account number (IBAN)'],
  ])('is %s', (text, what) => {
    expect(privateIn(text)).toEqual([what]);
  });

  it.each([
    'Visa ending in 4242',
    'IBAN DE89 … 3000',
    // Another last digit: no card has this number.
    'reference 4242424242424241',
    'event 1767168060000',
    'call +491713920001',
    'https://dashboard.example.com/payments/4242424242424242?tab=token',
    'https://slack.com/app_redirect?team=T1&channel=C1',
    'https://tracking.example.com/forward?carrier=dhl_de&code=00340434161094000001',
    '{{ a set of braces }} {not json}',
  ])('is not %s', (text) => {
    expect(privateIn(text)).toEqual([]);
  });
});
