import { expect, it } from 'vitest';
import { withDigits } from '../../cli/receiver.ts';

it('a filter by receiver has a number in any spelling, and the id of a group’s chat as it is', () => {
  for (const [phone, stored] of [
    ['+49 151 12345678', '4915112345678'],
    ['-1001234567890', '-1001234567890'],
  ] as const)
    expect(withDigits({ phone })).toEqual({ ok: true, value: { phone: stored } });
});
