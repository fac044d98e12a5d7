import { secretValues, variable } from './secret.ts';
import { maskNumber, maskReceiver, numberOf } from './numbers.ts';
import { redact } from './redact.ts';
import { problemResponse, UNAVAILABLE } from './problem.ts';

/** The fields about a message. The log masks the phone number. */
const MESSAGE = 'message event source route account phone';
/** One line covers everything that changed at once. `incident` is the first of them. */
const INCIDENTS = 'incident incidents source route account by';
const ATTEMPT = `${MESSAGE} attempt outcome status duration_ms` as const;

/** The fields of each stage, see `docs/observability.md`: no payload, header, template or answer. Only for types. */
export const STAGES = {
  'event.accepted': 'event source account state duplicate reason messages waiting version duration_ms',
  'event.rejected': 'source status reason',
  'action.pressed': 'event source account action message duplicate messages',
  'event.limited': 'source refused',
  'event.spam': 'source spam',
  'rejection.released': 'rejection event by',
  'event.replayed': 'event of by',
  'event.accept.failed': 'event account attempt error',
  'handshake.answered': 'source method status',
  'rejection.record.failed': 'error',

  'message.sent': `${ATTEMPT} latency_ms`,
  'message.retrying': `${ATTEMPT} wait_ms`,
  'message.uncertain': ATTEMPT,
  'message.dead': ATTEMPT,
  'message.expired': MESSAGE,
  'message.superseded': MESSAGE,
  'message.suppressed': MESSAGE,
  'message.cancelled': `${MESSAGE} by`,

  'incident.opened': INCIDENTS,
  'incident.acknowledged': 'incident source route account by',
  'incident.resolved': INCIDENTS,
  'incident.expired': INCIDENTS,
  'incident.held': INCIDENTS,
  'incident.escalated': INCIDENTS,
  'incident.notified': 'message source route account phone form why new resolved firing',

  'account.paused': 'account by detail',
  'account.resumed': 'account',
  'circuit.opened': 'account failures',
  'circuit.closed': 'account',
  'source.silent': 'source account expected_ms silent_ms',
  'source.back': 'source account',
  'storage.low': 'account bytes max_bytes',
  'storage.full': 'account bytes max_bytes',
  'storage.back': 'account bytes max_bytes',
  'handing.failed': 'account error',
  'handing.unanswered': 'account error',
  'escape.sent': 'account messages',
  'escape.refused': 'account messages detail',
  'escape.failed': 'account error',
  'owner.notice': 'kind account',
  'owner.notice.refused': 'status',
  'owner.notice.failed': 'account error',
  'owner.notice.given_up': 'notices',

  'config.published': 'version by',
  'silence.added': 'silence by',
  'silence.ended': 'silence by',
  'override.added': 'override by',
  'override.ended': 'override by',
  'suppression.added': 'phone by',
  'suppression.removed': 'phone by',
  'config.read.failed': 'version error',
  'facts.read.failed': 'error',
  'config.copy.failed': 'failures error',
  'config.announce.failed': 'account error',
  'pairing.opened': 'source by',
  'pairing.captured': 'source',
  'pairing.void': 'source',
  'pairing.shown': 'source by',
  'pairing.closed': 'source by',
  'session.opened': 'session by role',
  'session.invited': 'session by role',
  'session.ended': 'session by',
  'admin.refused': 'tried address limited',
  'admin.access.failed': 'team error',

  'request.failed': 'path error',
  'outbox.alarm.failed': 'account error',
  'outbox.digest.failed': 'account error',
  'outbox.incidents.failed': 'account error',
  'outbox.message.failed': 'account message error',
  'outbox.sweep.failed': 'account error',
  'metrics.read.failed': 'account error',
} as const satisfies Readonly<Record<string, string>>;

export type Stage = keyof typeof STAGES;

type Value = string | number | boolean | null;

/** The fields of a stage. Fields that do not apply are left out. */
export type LogFields<S extends Stage> = Readonly<Partial<Record<Words<(typeof STAGES)[S]>, Value>>>;

type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text;

/** Longer texts are cut. A log line is meant for searching, not for reading. */
const MAX_TEXT = 300;

/** What is read of a text for a log line: redaction shortens it, and takes time for each character. */
const MAX_READ = 2_048;

const FREE_TEXT: ReadonlySet<string> = new Set(['error', 'detail']);

let env: object = {};

/** The environment whose secrets the log never shows, and whose `LOG_LEVEL` decides what it has. */
export function logFor(of: object): void {
  env = of;
}

/**
 * Writes one JSON line for a stage, such as `event.accepted` with its source and counts. The level `debug` is for what each
 * event does as it should: two such lines take nearly a tenth of its JavaScript, so only `LOG_LEVEL=debug` has them.
 */
export function log<S extends Stage>(
  level: 'debug' | 'info' | 'warn' | 'error',
  stage: S,
  fields: LogFields<S>,
): void {
  if (level === 'debug' && variable(env, 'LOG_LEVEL') !== 'debug') return;
  const line: Record<string, unknown> = { stage };
  for (const [name, value] of Object.entries<unknown>(fields)) line[name] = shown(name, value);
  // Workers Logs indexes the fields of a line that is a single JSON object.
  // oxlint-disable-next-line no-console -- the one place that writes: the platform's log is the console
  console[level](JSON.stringify(line));
}

function shown(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (name === 'phone') return maskReceiver(value);
  return FREE_TEXT.has(name) ? loggable(value) : value.slice(0, MAX_TEXT);
}

/** A text from outside, for the log and the tail: without secrets and numbers, at most 300 characters. */
export function loggable(text: string): string {
  const begin = text.slice(0, MAX_READ);
  // Redacts before cutting: half a secret would not be recognised.
  return withoutNumbers(redact(begin, secretValues(env), begin.length < text.length)).slice(0, MAX_TEXT);
}

/** Eight digits or more, also with the separators that people write, but not inside a word such as an id. */
const NUMBER = new RegExp(String.raw`(?<![\w.])${numberOf(8)}(?!\w)`, 'gu');

const withoutNumbers = (text: string): string => text.replaceAll(NUMBER, maskNumber);

export const describeError = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);

/** An exception is a bug or a fault of the platform. After a 503 the sender tries again, so nothing is lost. */
export function fault(thrown: unknown, path: string): Response {
  log('error', 'request.failed', {
    path: path.split('/').slice(0, 3).join('/'),
    error: describeError(thrown),
  });
  return problemResponse(UNAVAILABLE);
}
