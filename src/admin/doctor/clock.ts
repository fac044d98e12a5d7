import { span, type Check } from './check.ts';

/** A `Date` header has whole seconds, and the answer needed some time. */
const TOLERATED_MS = 30_000;

/** Compares two clocks, both in ms: signatures are refused by their time, usually beyond five minutes. */
export function clockCheck({ theirs, ours }: { readonly theirs: number; readonly ours: number }): Check {
  const apart = Math.abs(theirs - ours);
  const found = { id: 'clock', title: 'Clock' };
  if (apart <= TOLERATED_MS) return { ...found, status: 'ok', detail: 'agrees with the gateway’s' };
  return {
    ...found,
    status: 'warn',
    detail: `the gateway’s is ${span(apart)} ${theirs > ours ? 'ahead' : 'behind'}`,
    remedy:
      'On Cloudflare, the gateway’s is wrong. Elsewhere, set this machine’s: with a wrong clock, signed times are refused',
  };
}
