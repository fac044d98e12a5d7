import { outboxNames } from '../../outbox/outboxes.ts';

/** A silence before it is made. */
export interface SilencePreview {
  /** The number of open incidents, and of those that it matches. */
  readonly open: number;
  readonly matches: number;
  /** Mistakes that its author may have made. */
  readonly warnings: readonly string[];
}

/** Counts the open incidents that a condition matches in all accounts, and warns of unknown fields. */
export async function lookAtSilence(env: Env, when: string): Promise<SilencePreview> {
  const names = await outboxNames(env);
  const found = await Promise.all(names.map((name) => env.OUTBOX.getByName(name).lookAtSilence(when)));
  const looks = found.filter((one) => one !== null);
  const sum = (key: 'open' | 'matches'): number => looks.reduce((total, one) => total + one[key], 0);
  const looked = looks.filter(({ fields }) => fields.looked > 0).map(({ fields }) => fields.unknown);
  const [first = [], ...rest] = looked;
  const unknown = first.filter((path) => rest.every((paths) => paths.includes(path)));
  return {
    open: sum('open'),
    matches: sum('matches'),
    warnings: unknown.map((path) => `no recent event has \`${path}\`: check its name`),
  };
}
