import { afterEach, expect, it, vi } from 'vitest';
import { parseOwnJson } from '../../src/lib/own-json.ts';
import { incidentId } from '../../src/outbox/incidents/incident-id.ts';
import {
  logAttempt,
  logMessage,
  logHeartbeat,
  logAccountStatus,
  logMoves,
  logNotified,
} from '../../src/outbox/log-lines.ts';
import type { Decision } from '../../src/outbox/send/decide.ts';
import type { Attempt } from '../../src/outbox/state/message.ts';
import { CLOSED } from '../../src/outbox/state/circuit.ts';
import { messageSample } from './samples.ts';
import { HOUR, START, TAG } from './support.ts';

const ORIGIN = { account: 'default', tag: TAG };

afterEach(() => vi.restoreAllMocks());

/** The lines that are written, with their level. */
function linesOf(write: () => void): readonly Readonly<Record<string, unknown>>[] {
  const lines: Record<string, unknown>[] = [];
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line: unknown) => {
      lines.push({ level, ...parseOwnJson<object>(String(line)) });
    });
  write();
  return lines;
}

const refOf = (key: string, phone = '4915112345601') => ({ source: 'alerts', route: 'on-call', key, phone });

it('incidents that change together are one line, by the first one’s id and without what they say', () => {
  const lines = linesOf(() =>
    logMoves(
      [
        { stage: 'incident.opened', ref: refOf('disk') },
        { stage: 'incident.opened', ref: refOf('disk', '4915112345602') },
        { stage: 'incident.opened', ref: refOf('fan') },
        { stage: 'incident.resolved', ref: refOf('cpu') },
        { stage: 'incident.held', ref: refOf('net'), by: 'night' },
      ],
      ORIGIN,
    ),
  );
  const about = { level: 'info', source: 'alerts', route: 'on-call', account: 'default', incidents: 1 };
  expect(lines).toEqual([
    { ...about, stage: 'incident.opened', incident: incidentId(refOf('disk')), incidents: 2 },
    { ...about, stage: 'incident.resolved', incident: incidentId(refOf('cpu')) },
    { ...about, stage: 'incident.held', incident: incidentId(refOf('net')), by: 'night' },
  ]);
});

const ROW = messageSample({ seq: 1, event_id: 'evt_1', phone: '4915112345601' });

const ABOUT = {
  message: `msg_000000001${TAG}`,
  event: 'evt_1',
  source: 'shop',
  route: 'all',
  account: 'default',
  phone: '+4915•••••01',
};

/** The lines of an attempt whose message is in this state then. */
const ofAttempt = (
  attempt: Partial<Attempt>,
  state: string,
  nextAt: number | null,
  latencyMs: number | null = null,
) =>
  linesOf(() => {
    const before = { pause: null, circuit: CLOSED };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tests pair states and moments themselves
    const decision = { tries: 1, refusals: 0, reason: 'the payload', state, nextAt } as Decision;
    const whole = { n: 2, at: START, duration_ms: 40, outcome: 'server_error', ...attempt } as const;
    logAttempt({ before, row: ROW, attempt: whole, decision, latencyMs }, ORIGIN);
  });

it('an attempt is one line, without the gateway’s words; refused credentials have the pause’s', () => {
  const words = { http_status: 500, response: 'the payload', detail: 'the payload' };
  const about = { ...ABOUT, attempt: 2, outcome: 'server_error', status: 500, duration_ms: 40 };
  const uncertain = { level: 'warn', stage: 'message.uncertain', ...about };
  const retrying = { level: 'warn', stage: 'message.retrying', ...about, wait_ms: 5_000 };
  expect(ofAttempt(words, 'retrying', START + 5_040)).toEqual([retrying]);
  expect(ofAttempt(words, 'uncertain', null)).toEqual([uncertain]);
  expect(ofAttempt(words, 'dead', null)).toEqual([{ ...uncertain, level: 'error', stage: 'message.dead' }]);
  expect(ofAttempt(words, 'queued', START)).toEqual([]);
  const sent = { ...ABOUT, attempt: 1, outcome: 'sent', duration_ms: 40, latency_ms: 90 };
  const lines = ofAttempt({ n: 1, outcome: 'sent' }, 'sent', null, 90);
  expect(lines).toEqual([{ level: 'info', stage: 'message.sent', ...sent }]);
});

it('what ends a message otherwise, and what changes an account or a source, is one line each', () => {
  const counts = { form: 'group', new: 1, resolved: 2, firing: 3 } as const;
  const detail = 'the gateway answered 401';
  const paused = { pause: { at: START, by: 'gateway', reason: detail }, circuit: CLOSED };
  const heartbeat = { source: 'shop', expectedMs: HOUR, lastAt: null };
  const lines = linesOf(() => {
    logNotified({ ...ROW, about: JSON.stringify({ ...counts, incidents: ['inc_1'] }) }, ORIGIN);
    logMessage('message.cancelled', ROW, ORIGIN, { by: 'token' });
    logAccountStatus('account.paused', paused, ORIGIN);
    logAccountStatus('circuit.opened', { pause: null, circuit: { failures: 5, probeAt: START } }, ORIGIN);
    logAccountStatus('circuit.closed', { pause: null, circuit: CLOSED }, ORIGIN);
    logHeartbeat('source.silent', heartbeat, 2 * HOUR, ORIGIN);
    logHeartbeat('source.back', heartbeat, 0, ORIGIN);
  });
  const { event: _, ...known } = ABOUT;
  const [info, error] = ['info', 'error'].map((level) => ({ level, account: 'default' }));
  expect(lines).toEqual([
    { level: 'info', stage: 'incident.notified', ...known, ...counts },
    { level: 'warn', stage: 'message.cancelled', ...ABOUT, by: 'token' },
    { ...error, stage: 'account.paused', by: 'gateway', detail },
    { ...error, stage: 'circuit.opened', failures: 5 },
    { ...info, stage: 'circuit.closed' },
    { ...error, stage: 'source.silent', source: 'shop', expected_ms: HOUR, silent_ms: 2 * HOUR },
    { ...info, stage: 'source.back', source: 'shop' },
  ]);
});
