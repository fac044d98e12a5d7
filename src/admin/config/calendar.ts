import { DEFAULT_ACCOUNT_NAME } from '../../config/credential-names.ts';
import { onCallBetween, rotationOf } from '../../config/rotation.ts';
import { equalsInConstantTime } from '../../lib/constant-time.ts';
import { DAY } from '../../lib/duration.ts';
import { fault } from '../../lib/fault.ts';
import { NOWHERE, problemResponse } from '../../lib/problem.ts';
import { calendarText } from './calendar-text.ts';
import { findRotation } from './find-rotation.ts';

/** The time that a calendar covers, from now on. */
const AHEAD_MS = 60 * DAY;
const MAX_EVENTS = 500;

/** The path of a list's calendar, which nobody can guess. */
export const calendarPath = async (env: Env, name: string): Promise<string> =>
  `/calendar/${name}.${await codeOf(env, name)}.ics`;

/** Made with the key of the links of messages, so that a restart or another secret does not change it. */
const codeOf = (env: Env, name: string): Promise<string> =>
  env.OUTBOX.getByName(DEFAULT_ACCOUNT_NAME).calendarCode(name);

/** The feed of a list's rotation, for whoever has its link. */
export async function handleCalendar(file: string, env: Env): Promise<Response> {
  // The log must not contain the path, since the code is in it.
  const text = await feed(env, file, Date.now()).catch((thrown: unknown) => fault(thrown, '/calendar'));
  if (text === null) return problemResponse(NOWHERE);
  if (typeof text !== 'string') return text;
  const headers = { 'content-type': 'text/calendar; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(text, { headers: { ...headers, 'x-robots-tag': 'noindex' } });
}

/** Null if there is no such link. */
async function feed(env: Env, file: string, now: number): Promise<string | null> {
  const [name = '', code = '', ics, ...more] = file.split('.');
  if (ics !== 'ics' || more.length > 0) return null;
  if (!(await equalsInConstantTime(code, await codeOf(env, name)))) return null;
  const found = await findRotation(env, name);
  if (found === null) return null;
  const range = { from: now, to: now + AHEAD_MS };
  return calendarText(
    name,
    onCallBetween(rotationOf(found.rotation), range.from, range.to, MAX_EVENTS),
    range,
  );
}
