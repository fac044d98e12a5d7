import { equalsInConstantTime, relayMac } from '../../../lib/constant-time.ts';
import { DAY } from '../../../lib/duration.ts';

/** The last part of the address at which a page asks for its moment: `/hooks/contact/moment`. */
export const MOMENT_PATH = 'moment';

/** The field in which a form sends it back. */
export const MOMENT_FIELD = '_moment';

/** A page may stay open overnight. */
export const MOMENT_LASTS_MS = DAY;

const CODE_DIGITS = 32;

const MOMENT = /^(\d{1,15})\.[0-9a-f]{32}$/;

/**
 * Returns a time that a page can send back later but cannot invent: the moment when it was opened. Valid for one source
 * only.
 */
export function newMoment(env: object, source: string, now: number): string {
  const code = relayMac(env, 'form moment', `${source}\n${now}`);
  return `${now}.${code.slice(0, CODE_DIGITS)}`;
}

/** Returns the time when a moment was issued (ms); null if it was not issued, or not for this source. */
export async function readMoment(env: object, source: string, moment: string): Promise<number | null> {
  const [, time] = MOMENT.exec(moment) ?? [];
  if (time === undefined) return null;
  const at = Number(time);
  return (await equalsInConstantTime(moment, newMoment(env, source, at))) ? at : null;
}
