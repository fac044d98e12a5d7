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
