import { describe, expect, test } from 'vitest';
import { scriptSchema } from '../../simulator/step.ts';
import { PHONE } from './harness.ts';

describe('scriptSchema', () => {
  test('a step is taken once and by any call, unless it says otherwise', () => {
    expect(scriptSchema.parse({ steps: [{ failure: 'html' }] })).toEqual({
      steps: [{ failure: 'html', times: 1 }],
      repeat: false,
    });
  });

  test.each([
    ['an unknown failure', { failure: 'explode' }],
    ['a status that is none', { failure: 'status', status: 99 }],
    ['a status without a code', { failure: 'status' }],
    ['a key of another failure', { failure: 'html', status: 500 }],
    ['no times at all', { failure: 'html', times: 0 }],
    ['half a time', { failure: 'html', times: 1.5 }],
    ['a delay without an end', { failure: 'slow' }],
    ['a negative delay', { failure: 'hang', ms: -1 }],
    ['a phone with a plus', { failure: 'html', match: { phone: '+4915112345678' } }],
    ['an unknown kind', { failure: 'html', match: { kind: 'fax' } }],
    ['a header name with a space', { failure: 'status', status: 503, headers: { 'Retry After': '1' } }],
    ['a header value with a line break', { failure: 'status', status: 503, headers: { 'X-A': 'a\r\nb: c' } }],
    ['a content length', { failure: 'status', status: 503, headers: { 'Content-Length': '1' } }],
    ['a phone before the body is read', { failure: 'reset_before', match: { phone: PHONE } }],
  ])('refuses %s', (_, step) => {
    expect(scriptSchema.safeParse({ steps: [step] }).success).toBe(false);
  });
});
