/**
 * The checks that only `hookbell doctor` makes, since they need a machine outside of the relay, in its order. The console
 * names them. `checks`: the statement that is true if it passes.
 */
export const OUTSIDE_CHECKS = [
  { id: 'relay', title: 'Relay', checks: 'The relay answers at its address, over TLS' },
  { id: 'token', title: 'Token', checks: 'The command line’s token is accepted' },
  { id: 'version', title: 'Version', checks: 'The relay and the command line have the same version' },
  { id: 'newest', title: 'Newest version', checks: 'There is no newer hookbell' },
  { id: 'dev-vars', title: '.dev.vars', checks: 'A relay on this machine has read the file as it is now' },
  { id: 'hooks', title: 'Addresses', checks: 'Each source answers at its address' },
  { id: 'folder', title: 'Folder', checks: 'The documents of a folder are valid, and are the active ones' },
] as const satisfies readonly Readonly<Record<'id' | 'title' | 'checks', string>>[];

export const OUTSIDE_COMMAND = 'npx hookbell doctor';

export const outsideTitle = (id: (typeof OUTSIDE_CHECKS)[number]['id']): string =>
  OUTSIDE_CHECKS.find((one) => one.id === id)?.title ?? id;

/** Negative if `a` is the older version. Versions have three numbers. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(/[.+-]/).slice(0, 3).map(Number));
  for (const at of [0, 1, 2]) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Above this, a person notices the difference in times that are shown. Signatures tolerate more. */
const TOLERATED_MS = 30_000;

/** Compares the clock of the machine that shows times with the relay's. `theirs`: ISO 8601; `ours`: ms. */
export function ownClockCheck(theirs: string, ours: number) {
  const apart = Math.round(Math.abs(Date.parse(theirs) - ours) / 1_000);
  const found = { id: 'own-clock', title: 'This machine’s clock' };
  return apart * 1_000 <= TOLERATED_MS
    ? ({ ...found, status: 'ok', code: 'clock-right', detail: 'agrees with the relay’s' } as const)
    : ({
        ...found,
        status: 'warn',
        code: 'clock-wrong',
        detail: `differs from the relay’s by ${apart} s`,
        remedy: 'Set this machine’s clock',
      } as const);
}
