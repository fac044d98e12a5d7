import { expect, it } from 'vitest';
import { iso } from '../../src/lib/iso.ts';

it('writes a time as ISO 8601 in UTC, with milliseconds', () => {
  expect(iso(0)).toBe('1970-01-01T00:00:00.000Z');
});
