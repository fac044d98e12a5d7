import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { open, routeWith, setOf } from './support.ts';

const warnings = (parts: Parameters<typeof setOf>[0], now: number | null = 0) =>
  compileConfig(setOf(parts), 1, now).warnings.map(({ path, message }) => `${path}: ${message}`);

describe('a number that no phone has', () => {
  it.each([
    [
      '49171555',
      '"+491…" is not a valid number: the digits after +49, or how many there are, cannot be right',
    ],
    ['+49 0171 3920001', '"+490…" has a 0 after +49 that is not dialled from abroad: leave it out'],
    ['9991234567', '"+999…" does not begin with a country code: check it'],
  ])('is warned of, with its place: %s', (number, message) => {
    const recipients = { team: { numbers: ['+49 171 3920001', number], people: { 'Anna Müller': number } } };
    expect(warnings({ recipients })).toEqual([
      `recipients.team.numbers[1]: ${message}`,
      `recipients.team.people.Anna Müller: ${message}`,
    ]);
  });

  it('is warned of in a route, but not where it names a list', () => {
    const sources = {
      shop: open({
        routes: [routeWith({ to: ['team', '+49 171 555'] }), routeWith({ name: 'b', to: '49171555' })],
      }),
    };
    const recipients = { team: { numbers: ['+49 171 3920001'] } };
    expect(warnings({ sources, recipients }).filter((one) => one.includes('.routes['))).toEqual([
      expect.stringContaining('sources.shop.routes[0].to[1]: "+491…"'),
      expect.stringContaining('sources.shop.routes[1].to: "+491…"'),
    ]);
  });

  it('is counted after the first ten of a list', () => {
    const numbers = Array.from({ length: 13 }, (_, at) => `491715${50 + at}`);
    const all = warnings({ recipients: { team: { numbers } } });
    expect(all).toHaveLength(11);
    expect(all.at(-1)).toBe('recipients.team: and 3 more such numbers');
  });

  it('costs nothing where nobody reads warnings', () => {
    expect(warnings({ recipients: { team: { numbers: ['49171555'] } } }, null)).toEqual([]);
  });
});
