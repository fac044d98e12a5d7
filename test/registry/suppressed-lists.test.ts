import { describe, expect, it } from 'vitest';
import { suppressedInLists } from '../../src/registry/suppressed-lists.ts';
import { setOf } from '../config/support.ts';

const [ANNA, BEN, CARO, DORA] = ['4915112345671', '4915112345672', '4915112345673', '4915112345674'] as const;

const warnings = (recipients: Record<string, object>, ...out: readonly string[]) =>
  suppressedInLists(setOf({ recipients }), out.length === 0 ? undefined : JSON.stringify(out.join('\n')));

const optedOut = (receiver: string): string =>
  `${receiver} has opted out, so only \`transactional\` routes send to them: if they want all messages again, remove their suppression`;

describe('a list is warned of', () => {
  it('where one of its numbers has opted out, however it is written', () => {
    const team = { numbers: [BEN, '+49 1511 2345671'] };
    expect(warnings({ team }, ANNA, CARO)).toEqual([
      { path: 'recipients.team.numbers[1]', message: optedOut(ANNA) },
    ]);
  });

  it('where a person has, by a number or an address', () => {
    const people = {
      Anna: ANNA,
      Ben: { phone: BEN },
      Caro: { phone: CARO, address: { ntfy: 'caro-topic' } },
      Dora: { address: { ntfy: 'dora-topic' } },
    };
    expect(warnings({ team: { people } }, ANNA, BEN, 'caro-topic')).toEqual([
      { path: 'recipients.team.people.Anna', message: optedOut(ANNA) },
      { path: 'recipients.team.people.Ben', message: optedOut(BEN) },
      { path: 'recipients.team.people.Caro', message: optedOut('caro-topic') },
    ]);
  });

  it('not at length: the first three are named, and the others counted', () => {
    const team = { numbers: [ANNA, BEN, CARO, DORA] };
    const said = warnings({ team, other: { numbers: [DORA] } }, DORA, CARO, BEN, ANNA);
    expect(said.map(({ path }) => path)).toEqual([
      'recipients.team.numbers[0]',
      'recipients.team.numbers[1]',
      'recipients.team.numbers[2]',
      'recipients.team',
      'recipients.other.numbers[0]',
    ]);
    expect(said[3]?.message).toBe('and 1 more who have opted out');
    expect(warnings({ team: { numbers: [ANNA, BEN, CARO] } }, ANNA, BEN, CARO)).toHaveLength(3);
  });

  it('not where nobody in it has', () => {
    const team = { numbers: [ANNA] };
    expect(warnings({ team })).toEqual([]);
    expect(warnings({ team }, BEN)).toEqual([]);
  });
});
