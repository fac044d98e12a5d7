import type { Source, LoadedConfig } from '../../config/compiled/config.ts';
import { isOpen } from '../../config/compiled/source-limit.ts';
import { DOCTOR_AGENT } from '../../lib/version.ts';
import { log, describeError } from '../../lib/log.ts';
import { secretValues } from '../../lib/secret.ts';
import type { Arrival } from './event.ts';
import type { Rejected, RejectedProblem } from './verify.ts';
import { iso, MINUTE } from '../../lib/time.ts';
import type { RefusedNotice } from '../../outbox/owner.ts';
import { registry } from '../../config/load.ts';
import { type LimitedEntry, OTHER } from '../../registry/rejections.ts';
import type { RejectionEntry } from '../../answers/api-registry.ts';
import { NAME } from '../../config/documents/name.ts';
import { problemResponse } from '../../lib/problem.ts';
import { redact } from '../../lib/redact.ts';
import { STRAYS } from '../../lib/shares.ts';
import { suggest } from '../../lib/suggest.ts';
import { EVENT_METHODS } from './receive.ts';
import type { Offer } from '../../registry/pairing.ts';

/** A flood of bad requests must not become a flood of writes: beyond this rate they are summed. */
const mayRecord = atMost(10, 1_000);

/** Lets work continue after the response. */
export type Waiter = Pick<ExecutionContext, 'waitUntil'>;

/** The rejection of a request whose body was not taken, by the problem that its sender gets. */
export const rejectedBy = (problem: RejectedProblem, source: Source): Rejected => ({
  problem,
  code: problem.type,
  detail: problem.status === TOO_LARGE ? `${problem.detail} ${sizeAdvice(source)}` : problem.detail,
});

const TOO_LARGE = 413;
const MALFORMED: ReadonlySet<string> = new Set(['malformed-body', 'unsupported-type']);

/** Records for the admin why a request was rejected, after the answer is out. Best effort, without the body. */
export function recordRejection(env: Env, ctx: Waiter, arrival: Arrival, rejected: Rejected): void {
  const { code, detail, problem, field } = rejected;
  // No webhook: the doctor looks whether the address leads here.
  if (problem.status === 405 && arrival.headers.get('user-agent') === DOCTOR_AGENT) return;
  const now = arrival.receivedAt;
  const { id: source, account, verify } = arrival.source;
  const isTooLarge = problem.status === TOO_LARGE;
  // Of a refused body nobody hears otherwise; but a stranger's malformed one is nobody's fault.
  const isMalformed = MALFORMED.has(code) && !isOpen(verify);
  const kind = isTooLarge ? 'webhook.too_large' : 'webhook.malformed';
  if (isTooLarge || isMalformed) tellOwner({ env, ctx }, account, { kind, source, detail }, now);
  log('warn', 'event.rejected', { source, status: problem.status, reason: code });
  const entry = {
    at: iso(now),
    source,
    status: problem.status,
    code,
    detail,
    from: describeSender(senderOf(arrival, secretValues(env))),
    ...(field !== undefined && { field }),
  };
  if (!mayRecord(now)) return countFlood(entry, { env, ctx }, now);
  reportTo(env, ctx, (reports) => reports.recordRejection(entry));
}

/** The same, and returns the answer to the sender. */
export function refuse(arrival: Arrival, rejected: Rejected, { env, ctx }: FloodContext): Response {
  recordRejection(env, ctx, arrival, rejected);
  return problemResponse(rejected.problem);
}

export type FloodContext = Readonly<{ env: Env; ctx: Waiter }>;

/** A flood is reported to the registry as sums, one report at most this often (ms). */
const REPORTED_EACH_MS = 2_000;

const LEASE_MS = 2 * REPORTED_EACH_MS;

/** The rejections since the last report to the registry, by source and code. */
const unreported = new Map<string, LimitedEntry>();
/** The time until which a request is reporting them (ms). It is a time because a request may be cut off. */
let reportedUntil = 0;

/** Counts a rejection of a flood. The first is reported at once, so that it is seen; the rest is summed. */
export function countFlood(entry: RejectionEntry, { env, ctx }: FloodContext, now: number): void {
  const key = `${entry.source} ${entry.code} ${entry.field}`;
  unreported.set(key, { ...entry, times: (unreported.get(key)?.times ?? 0) + 1 });
  if (now < reportedUntil) return;
  reportedUntil = now + LEASE_MS;
  reportTo(env, ctx, (reports) => reportInTurns(reports).finally(() => (reportedUntil = 0)));
}

/** Reports all counts, waits, and reports those that came since; ends when none came. */
async function reportInTurns(reports: Registry): Promise<void> {
  for (let rounds = 0; unreported.size > 0 && rounds < MAX_ROUNDS; rounds += 1) {
    const entries = [...unreported.values()];
    unreported.clear();
    reportedUntil = Date.now() + LEASE_MS;
    // Other rejections are logged one by one.
    for (const { source, code, times } of entries)
      if (code === 'limited') log('warn', 'event.limited', { source, refused: times });
    await reports.recordLimited(entries);
    await scheduler.wait(REPORTED_EACH_MS);
  }
}

/** The platform lets work continue for 30 seconds after the answer; the next rejection starts again. */
const MAX_ROUNDS = 8;

type Registry = ReturnType<typeof registry>;

/** Reports to the registry after the answer is out; a failure is only logged. */
function reportTo(env: Env, ctx: Waiter, report: (reports: Registry) => Promise<unknown>): void {
  ctx.waitUntil(
    report(registry(env)).catch((thrown: unknown) =>
      log('error', 'rejection.record.failed', { error: describeError(thrown) }),
    ),
  );
}

/**
 * The names to which webhooks came since the last report, those like a source's apart from others; and the time up to
 * which reports are used (ms): some are free at once, then there is one each `everyMs`.
 */
const newStrays = () => ({ entries: new Map<string, LimitedEntry>(), usedTo: 0 });
const near = newStrays();
const far = newStrays();

/** Anybody may post to any address, so names are counted: a flood must not cost a write for each. */
export function recordStray(
  method: string,
  sent: string,
  config: LoadedConfig,
  { env, ctx }: FloodContext,
  now: number,
): void {
  if (!EVENT_METHODS.includes(method)) return;
  const isName = NAME.test(sent) && redact(sent, secretValues(env)) === sent;
  const meant = isName ? suggest(sent, [...config.sources.keys()]) : null;
  const strays = meant === null ? far : near;
  const { entries } = strays;
  const source = isName && (entries.has(sent) || entries.size < STRAYS.names) ? sent : OTHER;
  const likely = source === OTHER ? null : meant;
  const detail =
    likely === null
      ? 'somebody posts to an address that no source has'
      : `somebody posts to \`/hooks/${source}\`; did you mean \`${likely}\`?`;
  const times = (entries.get(source)?.times ?? 0) + 1;
  const entry = { at: iso(now), source, status: 404, code: 'unknown-source', detail } as const;
  entries.set(source, { ...entry, near: likely, times });
  const to = Math.max(strays.usedTo, now - STRAYS.reports * STRAYS.everyMs) + STRAYS.everyMs;
  if (to > now) return;
  strays.usedTo = to;
  const report = [...entries.values()];
  entries.clear();
  reportTo(env, ctx, (reports) => reports.recordLimited(report));
}

/** The time until which an outbox is not called again (ms), by kind, source and account: once a minute for each. */
const told = new Map<string, number>();

/** Has the owner of the source's account notified that a webhook was refused. The outbox does so once an hour. */
function tellOwner({ env, ctx }: FloodContext, account: string, notice: RefusedNotice, now: number): void {
  const key = `${notice.kind} ${notice.source} ${account}`;
  const until = told.get(key) ?? 0;
  // The clock may have been set back.
  if (now < until && until - now <= MINUTE) return;
  for (const [one, end] of told) if (end <= now) told.delete(one);
  told.set(key, now + MINUTE);
  ctx.waitUntil(
    env.OUTBOX.getByName(account)
      .refused(notice)
      .catch((thrown: unknown) => {
        // The next one tells it: many senders neither repeat such a webhook nor report it.
        told.delete(key);
        log('error', 'owner.notice.failed', { account, error: describeError(thrown) });
      }),
  );
}

const POST_LESS = 'Have the sender post less at once: fewer items or fields, no attachments.';
const PROVE_MORE =
  ' A source that proves its sender, by a signature, a password or a token in a header, may post 4 MiB.';

/** Says how a source's webhooks become small enough: by a setting of its sender, or by a proof of it. */
const sizeAdvice = ({ provider: { name, size_setting: setting }, verify }: Source): string =>
  (setting ? `At ${name}, ${setting}.` : POST_LESS) + (isOpen(verify) ? PROVE_MORE : '');

/** Long enough for an IPv6 address with a zone, and for what providers call themselves. */
const MAX_ADDRESS = 64;
const MAX_AGENT = 120;
/** A header may have a hundred KB, and is read before the sender is known. */
const MAX_READ = 1_024;

/** The sender in a form that is safe to show: printable, on one line, short, without these secrets. */
export function senderOf({ headers, receivedAt }: Arrival, hidden: readonly string[]): Offer {
  const agent = headers.get('user-agent') ?? '';
  const begin = agent.slice(0, MAX_READ);
  return {
    at: receivedAt,
    address: shown(headers.get('cf-connecting-ip'), MAX_ADDRESS),
    userAgent: shown(redact(begin, hidden, begin.length < agent.length), MAX_AGENT),
  };
}

/** The sender chooses a header's bytes; anything but printable ASCII could change how the text around it is shown. */
function shown(text: string | null, max: number): string | null {
  const begin = (text ?? '').slice(0, max);
  return begin.replaceAll(/[^\x20-\x7e]/g, '?').trim() || null;
}

/** Describes a sender for the list of rejections. */
export const describeSender = ({ address, userAgent }: Offer): string =>
  `${address ?? 'an unknown address'}${userAgent === null ? '' : `, which calls itself ${JSON.stringify(userAgent)}`}`;

/** Returns a limiter: true `limit` times in each `windowMs` for a key, in this isolate. `now` in ms. */
export function atMost(limit: number, windowMs: number): (now: number, key?: string) => boolean {
  let begun = 0;
  const seen = new Map<string, number>();
  return (now, key = '') => {
    // Also if the clock was set back: otherwise nothing would pass until it has caught up.
    if (now - begun >= windowMs || now < begun) {
      begun = now;
      seen.clear();
    }
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count <= limit;
  };
}
