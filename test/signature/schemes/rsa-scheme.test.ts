import { describe, expect, it } from 'vitest';
import { problemsOf, schemeOf } from '../support.ts';

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
  ])('%s is refused', (_, knobs, problem) => {
    expect(problemsOf({ scheme: 'rsa', ...knobs }).join('\n')).toMatch(problem);
  });
});
