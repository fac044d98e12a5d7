import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { showName } from '../../simulator/refusal.ts';

test('a plain name is quoted', () => {
  expect(showName('mesage')).toBe('`mesage`');
});

test('what is shown is short, whatever the name', () => {
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (name) => showName(name).length <= 40));
});

test('a name with markup in it is not repeated', () => {
  expect(showName('{"api_key":"x"}')).not.toContain('api_key');
});
