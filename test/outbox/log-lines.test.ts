import { afterEach, describe, expect, it, vi } from 'vitest';
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
import type { Attempt, MessageRow } from '../../src/outbox/state/message.ts';
import { CLOSED } from '../../src/outbox/state/circuit.ts';
import { draft, HOUR, queue, rowOf, START, TAG } from './support.ts';
import { inStorage } from './in-storage.ts';

const ORIGIN = { account: 'default', tag: TAG };

afterEach(() => vi.restoreAllMocks());

/** The lines that are written, with their level. */
function watch(): readonly Readonly<Record<string, unknown>>[] {
  const lines: Record<string, unknown>[] = [];
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line: unknown) => {
      lines.push({ level, ...parseOwnJson<object>(String(line)) });
    });
  return lines;
}

const refOf = (key: string, phone = '4915112345601') => ({ source: 'alerts', route: 'on-call', key, phone });

describe('incidents', () => {
  it('that change together are one line, by the first one’s id and without what they say', () => {
    const lines = watch();
    logMoves(
      [
        { stage: 'incident.opened', ref: refOf('disk') },
        { stage: 'incident.opened', ref: refOf('disk', '4915112345602') },
        { stage: 'incident.opened', ref: refOf('fan') },
        { stage: 'incident.resolved', ref: refOf('cpu') },
        { stage: 'incident.held', ref: refOf('net'), by: 'night' },
      ],
      ORIGIN,
    );
    const about = { level: 'info', source: 'alerts', route: 'on-call', account: 'default' };
    expect(lines).toEqual([
      { ...about, stage: 'incident.opened', incident: incidentId(refOf('disk')), incidents: 2 },
      { ...about, stage: 'incident.resolved', incident: incidentId(refOf('cpu')), incidents: 1 },
      { ...about, stage: 'incident.held', incident: incidentId(refOf('net')), incidents: 1, by: 'night' },
    ]);
  });
});

const withRow = (body: (row: MessageRow) => void): Promise<void> =>
  inStorage(({ storage: { sql } }) => {
    const [seq = 0] = queue(sql, START, draft());
    body({ ...rowOf(sql, seq), event_id: 'evt_1' });
  });

const ABOUT = {
  message: `msg_000000001${TAG}`,
  event: 'evt_1',
  source: 'shop',
  route: 'all',
  account: 'default',
  phone: '+4915•••••01',
};

const ATTEMPT: Attempt = {
  n: 2,
  at: START,
  duration_ms: 40,
  outcome: 'server_error',
  http_status: 500,
  response: 'the payload',
  detail: 'the payload',
};

const decided = (decision: Pick<Decision, 'state' | 'nextAt'>): Decision =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tests pair states and moments themselves
  ({ tries: 1, refusals: 0, reason: 'the payload', ...decision }) as Decision;

describe('an attempt', () => {
  it.each([
    ['retrying', START + 5_040, 'warn', { wait_ms: 5_000 }],
    ['uncertain', null, 'warn', {}],
    ['dead', null, 'error', {}],
  ] as const)(
    'that leaves its message %s is one line, without the gateway’s words',
    (state, nextAt, level, extra) =>
      withRow((row) => {
        const lines = watch();
        const before = { pause: null, circuit: CLOSED };
        logAttempt(
          { before, row, attempt: ATTEMPT, decision: decided({ state, nextAt }), latencyMs: null },
          ORIGIN,
        );
        expect(lines).toEqual([
          {
            level,
            stage: `message.${state}`,
            ...ABOUT,
            attempt: 2,
            outcome: 'server_error',
            status: 500,
            duration_ms: 40,
            ...extra,
          },
        ]);
      }),
  );

  it('that sends says how long the message took from its webhook', () =>
    withRow((row) => {
      const lines = watch();
      const attempt: Attempt = { n: 1, at: START, duration_ms: 40, outcome: 'sent' };
      const before = { pause: null, circuit: CLOSED };
      logAttempt(
        { before, row, attempt, decision: decided({ state: 'sent', nextAt: null }), latencyMs: 90 },
        ORIGIN,
      );
      expect(lines).toEqual([
        {
          level: 'info',
          stage: 'message.sent',
          ...ABOUT,
          attempt: 1,
          outcome: 'sent',
          duration_ms: 40,
          latency_ms: 90,
        },
      ]);
    }));

  it('that finds the login refused has no line of its own: the account’s pause has', () =>
    withRow((row) => {
      const lines = watch();
      const decision = decided({ state: 'queued', nextAt: START });
      logAttempt(
        { before: { pause: null, circuit: CLOSED }, row, attempt: ATTEMPT, decision, latencyMs: null },
        ORIGIN,
      );
      expect(lines).toEqual([]);
    }));
});

describe('a message that notifies of incidents', () => {
  it('is one line when it is sent, with how many it is about and without what it says', () =>
    withRow((row) => {
      const lines = watch();
      const counts = { form: 'group', new: 1, resolved: 2, firing: 3 } as const;
      logNotified({ ...row, about: JSON.stringify({ ...counts, incidents: ['inc_1'] }) }, ORIGIN);
      const { event: _, ...about } = ABOUT;
      expect(lines).toEqual([{ level: 'info', stage: 'incident.notified', ...about, ...counts }]);
    }));
});

describe('a message that ends without an attempt', () => {
  it('is one line, with who did it', () =>
    withRow((row) => {
      const lines = watch();
      logMessage('message.expired', row, ORIGIN);
      logMessage('message.cancelled', row, ORIGIN, { by: 'token' });
      expect(lines).toEqual([
        { level: 'warn', stage: 'message.expired', ...ABOUT },
        { level: 'warn', stage: 'message.cancelled', ...ABOUT, by: 'token' },
      ]);
    }));
});

describe('an account’s status', () => {
  const PAUSE = { at: START, by: 'gateway', reason: 'the gateway answered 401' };

  it('is one line a change', () => {
    const lines = watch();
    const open = { failures: 5, probeAt: START };
    logAccountStatus('account.paused', { pause: PAUSE, circuit: CLOSED }, ORIGIN);
    logAccountStatus('account.resumed', { pause: null, circuit: CLOSED }, ORIGIN);
    logAccountStatus('circuit.opened', { pause: null, circuit: open }, ORIGIN);
    logAccountStatus('circuit.closed', { pause: null, circuit: CLOSED }, ORIGIN);
    const about = { account: 'default' };
    expect(lines).toEqual([
      {
        level: 'error',
        stage: 'account.paused',
        ...about,
        by: 'gateway',
        detail: 'the gateway answered 401',
      },
      { level: 'info', stage: 'account.resumed', ...about },
      { level: 'error', stage: 'circuit.opened', ...about, failures: 5 },
      { level: 'info', stage: 'circuit.closed', ...about },
    ]);
  });
});

describe('a source’s heartbeat', () => {
  it('is one line when it stops and one when it is back', () => {
    const lines = watch();
    const heartbeat = { source: 'shop', expectedMs: HOUR, lastAt: null };
    logHeartbeat('source.silent', heartbeat, 2 * HOUR, ORIGIN);
    logHeartbeat('source.back', heartbeat, 0, ORIGIN);
    expect(lines).toEqual([
      {
        level: 'error',
        stage: 'source.silent',
        source: 'shop',
        account: 'default',
        expected_ms: HOUR,
        silent_ms: 2 * HOUR,
      },
      { level: 'info', stage: 'source.back', source: 'shop', account: 'default' },
    ]);
  });
});
