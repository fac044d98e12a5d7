import type { OverrideByHand } from '../../config/compiled/overrides.ts';
import type { Check } from './check.ts';

/** Overrides that a publish ended, since their person was removed, for as long as they were meant to last. */
export const onCallChecks = (overrides: readonly OverrideByHand[], now: number): readonly Check[] =>
  overrides
    .filter(({ is_gone, until }) => is_gone === true && Date.parse(until) > now)
    .map(({ id, list, person, until, ended_at }) => ({
      id: `on-call:${id}` as const,
      status: 'warn',
      title: `On call: ${list}`,
      code: 'override-ended',
      params: { person, until, list },
      detail: `the override by hand of ${person} until ${until} ended at ${ended_at}, when a publish removed them from the list`,
      remedy: 'See who is on call: npx hookbell on-call. To have somebody else: npx hookbell on-call swap',
    }));
