import { describe, expect, it } from 'vitest';
import { normaliser } from './normal.ts';

const normalise = normaliser([]);

const shown = (first: string, second: string) =>
  `✓ Gateway               ${first}\n${' '.repeat(24)}${second}\n✓ Clock                 is right`;

describe('a screen whose line breaks depend on the run', () => {
  it('is broken anew where it says how long ago something was', () => {
    const kept = shown(
      'answers (“The parameter `phone` is missing.”), and',
      'accepted a message ‹while› ago',
    );
    expect(
      normalise(
        shown('answers (“The parameter `phone` is missing.”), and', 'accepted a message 7 seconds ago'),
      ),
    ).toBe(kept);
    expect(
      normalise(
        shown('answers (“The parameter `phone` is missing.”),', 'and accepted a message 12 minutes ago'),
      ),
    ).toBe(kept);
  });

  it('has the details of attempts below them, however long those took', () => {
    const beside = [
      'TRY  AT          TOOK  OUTCOME   STATUS  DETAIL',
      '  1  19:09:38  124 ms  rejected     400  the gateway answered 400: it rejects',
      '                                         this call',
      '  2  19:09:40    7 ms  sent         200  ',
      '',
      'ANSWER TO ATTEMPT 1',
    ];
    const below = [
      'TRY  AT        TOOK  OUTCOME   STATUS',
      '  DETAIL',
      '  1  19:09:38  9 ms  rejected     400',
      '  the gateway answered 400: it rejects this call',
      '  2  19:09:40  7 ms  sent         200',
      '',
      'ANSWER TO ATTEMPT 1',
    ];
    expect(normalise(beside.join('\n'))).toBe(normalise(below.join('\n')));
  });
});
