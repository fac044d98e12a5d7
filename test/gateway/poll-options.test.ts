import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinPollOptions } from '../../src/gateway/poll-options.ts';
import { err, ok } from '../../src/lib/result.ts';

describe('joinPollOptions', () => {
  it('joins by commas, trimmed and in order', () => {
    expect(joinPollOptions([' yes', 'no ', '\tmaybe\n'])).toEqual(ok('yes,no,maybe'));
  });

  it('does not let a comma inside an option make it two', () => {
    expect(joinPollOptions(['1,50 €', '2,00 €'])).toEqual(ok('1‚50 €,2‚00 €'));
  });

  it('keeps options that are alike', () => {
    expect(joinPollOptions(['a', 'a'])).toEqual(ok('a,a'));
  });

  it('refuses fewer than two options', () => {
    expect(joinPollOptions([])).toEqual(err('a poll needs at least two options, and this one has 0'));
    expect(joinPollOptions(['a'])).toEqual(err('a poll needs at least two options, and this one has 1'));
  });

  it('refuses an empty option and says which', () => {
    expect(joinPollOptions(['a', ' ', 'c'])).toEqual(err('option 2 of the poll is empty'));
  });

  it('gives the gateway as many options as it was given, whatever is in them', () => {
    const option = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(fc.array(option, { minLength: 2 }), (options) => {
        const joined = joinPollOptions(options);
        expect(joined.ok && joined.value.split(',')).toHaveLength(options.length);
      }),
    );
  });
});
