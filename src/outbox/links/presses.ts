import { HOUR } from '../../lib/duration.ts';
import type { MessageLink } from '../state/links.ts';

/** The number of presses of a link that are looked at in an hour, whatever they do. */
const PER_HOUR = 10;

/** Returns the presses of a link that still count (ms). */
export const recentPresses = ({ presses = [] }: MessageLink, now: number): readonly number[] =>
  presses.filter((at) => Math.abs(now - at) < HOUR);

/** Returns the time from which a link may be pressed again (ms); null if it may be pressed now. */
export function restsUntil(link: MessageLink, now: number): number | null {
  const first = recentPresses(link, now).at(-PER_HOUR);
  return first === undefined ? null : first + HOUR;
}
