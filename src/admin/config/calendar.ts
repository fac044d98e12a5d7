import { onCallBetween, rotationOf } from '../../config/rotation.ts';
import { DEFAULT_ACCOUNT_NAME } from '../../config/credential-names.ts';
import { equalsInConstantTime } from '../../lib/constant-time.ts';
import { DAY } from '../../lib/duration.ts';
import { Failures } from '../../lib/failures.ts';
import { calendarText } from './calendar-text.ts';
import { findRotation } from './find-rotation.ts';

/** The time that a calendar shows from now on. */
const AHEAD_MS = 60 * DAY;
const MAX_EVENTS = 500;

const FILE = /^([A-Za-z0-9][A-Za-z0-9_-]{0,63})\.([0-9a-z]{24})\.ics$/;

/** Links that do not work, by where they are asked for. */
const failures = new Failures();

/** The path of a list's calendar, which nobody can guess. */
export const calendarPath = async (env: Env, name: string): Promise<string> =>
  `/calendar/${name}.${await codeOf(env, name)}.ics`;

/** By the key of the links of messages, so a restart or another secret changes nothing. */
const codeOf = (env: Env, name: string): Promise<string> =>
  env.OUTBOX.getByName(DEFAULT_ACCOUNT_NAME).calendarCode(name);

/** The feed of a list's rotation, for whoever has its link. */
export async function handleCalendar(request: Request, file: string, env: Env): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, { allow: 'GET, HEAD' });
  const now = Date.now();
  const address = request.headers.get('cf-connecting-ip');
  const wait = address === null ? null : failures.waitSeconds(address, now);
  if (wait !== null) return plain(429, { 'retry-after': String(wait) });
  const text = await feed(env, file, now);
  if (text !== null)
    return new Response(request.method === 'HEAD' ? null : text, {
      headers: { ...HEADERS, 'content-type': 'text/calendar; charset=utf-8' },
    });
  if (address !== null) failures.add(address, now);
  return plain(404);
}

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
};

const plain = (status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status, headers: { ...HEADERS, ...headers } });

/** Null: there is no such link. */
async function feed(env: Env, file: string, now: number): Promise<string | null> {
  const [, name = '', code = ''] = FILE.exec(file) ?? [];
  if (code === '' || !(await equalsInConstantTime(code, await codeOf(env, name)))) return null;
  const found = await findRotation(env, name);
  if (found === null) return null;
  const spans = onCallBetween(rotationOf(found.rotation), now, now + AHEAD_MS, MAX_EVENTS);
  return calendarText(name, spans, { from: now, to: now + AHEAD_MS });
}
