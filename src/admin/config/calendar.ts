import { registry } from '../../config/registry-client.ts';
import { onCallBetween } from '../../config/compiled/rotation.ts';
import { equalsInConstantTime } from '../../lib/constant-time.ts';
import { DAY } from '../../lib/duration.ts';
import { Failures } from '../../lib/failures.ts';
import { fault } from '../../lib/log.ts';
import { NOWHERE, problemResponse } from '../../lib/problem.ts';
import { tooMany } from '../auth/auth.ts';
import { calendarText } from './calendar-text.ts';
import { findRotation } from './find-rotation.ts';

/** The time that a calendar covers, from now on. */
const AHEAD_MS = 60 * DAY;
const MAX_EVENTS = 500;

/** A name of a list, and the code of its link. */
const FILE = /^([A-Za-z0-9][\w-]{0,63})\.([0-9a-z]{24})\.ics$/;

/** Links that are wrong, by the address that asks for them. */
const failures = new Failures();

/** The path of a list's calendar, which nobody can guess. `isNew`: earlier ones are not found any more. */
export const calendarPath = async (env: Env, name: string, isNew: boolean): Promise<string> =>
  `/calendar/${name}.${await registry(env).makeCalendar(name, isNew)}.ics`;

/** The feed of a list's rotation, for whoever has its link. */
export async function handleCalendar(request: Request, file: string, env: Env): Promise<Response> {
  const now = Date.now();
  // The log must not contain the path, since the code is in it.
  const text = await feed(env, file, now).catch((thrown: unknown) => fault(thrown, '/calendar'));
  if (text === null) {
    const limited = failures.add(request.headers.get('cf-connecting-ip') ?? '', now);
    return problemResponse(limited === null ? NOWHERE : tooMany(limited.retryAfterSeconds));
  }
  if (typeof text !== 'string') return text;
  const headers = { 'content-type': 'text/calendar; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(text, { headers: { ...headers, 'x-robots-tag': 'noindex' } });
}

/** Null if there is no such link. */
async function feed(env: Env, file: string, now: number): Promise<string | null> {
  const [, name, code] = FILE.exec(file) ?? [];
  if (name === undefined || code === undefined) return null;
  const right = await registry(env).calendarCode(name);
  if (right === null || !(await equalsInConstantTime(code, right))) return null;
  const found = await findRotation(env, name);
  if (found === null) return null;
  const range = { from: now, to: now + AHEAD_MS };
  return calendarText(name, onCallBetween(found.turns, range.from, range.to, MAX_EVENTS), range);
}
