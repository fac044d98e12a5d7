import type { AccountStatus, EventSummary, OpenIncidentsAnswer, RejectionAnswer } from '../../api/types.ts';
import { timesOf } from '../rejections/groups.ts';
import type { DoneMarks } from './cards.ts';
import { HOURS, type Overview } from './load.ts';

/** Something that needs a person, in the order in which it is worth a look. */
export type Finding = Card &
  (
    | {
        readonly is: 'paused';
        readonly account: string;
        readonly paused: NonNullable<AccountStatus['paused']>;
        readonly waiting: number;
      }
    | {
        readonly is: 'circuit';
        readonly account: string;
        readonly error: AccountStatus['circuit']['last_error'] | null;
        readonly probeAt: string | null;
        readonly waiting: number;
      }
    | {
        readonly is: 'capped';
        readonly account: string;
        readonly receivers: number;
        readonly messages: number;
        readonly nextAt: string;
      }
    | {
        readonly is: 'full';
        readonly account: string;
        readonly state: 'low' | 'full';
        readonly ratio: number;
      }
    | { readonly is: 'dead' | 'uncertain'; readonly count: number; readonly isLeast: boolean }
    | {
        readonly is: 'failed' | 'partly';
        readonly events: readonly EventSummary[];
        readonly isLeast: boolean;
      }
    | {
        readonly is: 'rejected';
        readonly source: string;
        readonly count: number;
        readonly last: RejectionAnswer;
      }
    | {
        readonly is: 'silent';
        readonly source: string;
        readonly expected: string;
        readonly lastAt: string | null;
      }
    | { readonly is: 'incidents'; readonly of: OpenIncidentsAnswer }
  );

interface Card {
  readonly card: string;
  /** A number that grows with each occurrence. Null if nobody can mark the finding as done, since it ends by itself. */
  readonly mark: number | null;
}

export interface Findings {
  readonly open: readonly Finding[];
  /** Those that are hidden in this browser. */
  readonly done: readonly Finding[];
  /** False if a part of the overview could not be read, so that there may be more findings. */
  readonly isWhole: boolean;
}

const DAY_MS = HOURS * 3_600_000;

/** Returns the open findings of the overview, and separately those that are done. `now` is in ms. */
export function findingsOf(overview: Overview, done: DoneMarks, now: number): Findings {
  const { status, stats, rejections, failed, partly, incidents } = overview;
  const isDone = ({ card, mark }: Finding): boolean => mark !== null && mark <= (done[card] ?? -1);
  const all = worstFirst(allOf(overview, now));
  return {
    isWhole:
      ![status, stats, rejections, failed, partly, incidents].includes(null) &&
      status?.unreachable === undefined,
    open: all.filter((one) => !isDone(one)),
    done: all.filter(isDone),
  };
}

function allOf(overview: Overview, now: number): readonly Finding[] {
  const accounts = overview.status?.items ?? [];
  return [
    ...accounts.flatMap(ofAccount),
    ...incidents(overview.incidents?.items ?? []),
    ...stuck(overview, 'dead'),
    ...stuck(overview, 'uncertain'),
    ...failed(overview, 'failed'),
    ...failed(overview, 'partly'),
    ...rejected(overview, now),
    ...silent(overview),
  ];
}

/** The worst first. */
const ORDER = [
  'paused',
  'circuit',
  'full',
  'critical incidents',
  'incidents',
  'failed',
  'dead',
  'silent',
  'uncertain',
  'low',
  'rejected',
  'partly',
  'capped',
] as const;

function rankOf(finding: Finding): number {
  if (finding.is === 'full') return ORDER.indexOf(finding.state);
  const isCritical = finding.is === 'incidents' && finding.of.critical > 0;
  return ORDER.indexOf(isCritical ? 'critical incidents' : finding.is);
}

const worstFirst = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((one, other) => rankOf(one) - rankOf(other));

function ofAccount(status: AccountStatus): readonly Finding[] {
  const { account, paused, circuit, storage } = status;
  const waiting = status.queued + status.retrying + status.sending;
  const found: Finding[] = [];
  if (paused !== null) {
    const mark = Date.parse(paused.since);
    found.push({ is: 'paused', card: `paused:${account}`, mark, account, paused, waiting });
  }
  // An open circuit holds up nothing while no message may go for another reason.
  if (circuit.state === 'open' && status.waits_for?.for === 'circuit')
    found.push({
      is: 'circuit',
      card: `circuit:${account}`,
      mark: null,
      account,
      error: circuit.last_error ?? null,
      probeAt: circuit.probe_at ?? null,
      waiting,
    });
  const { receivers_at_cap: capped } = status;
  if (status.waits_for?.for === 'receiver' && capped !== undefined)
    found.push({
      is: 'capped',
      card: `capped:${account}`,
      mark: null,
      account,
      receivers: capped.receivers,
      messages: capped.messages,
      nextAt: capped.next_at,
    });
  if (storage.state !== 'ok') {
    const ratio = storage.bytes / storage.max_bytes;
    const mark = Math.round(ratio * 100);
    found.push({ is: 'full', card: `full:${account}`, mark, account, state: storage.state, ratio });
  }
  return found;
}

/** One card for each source with incidents that nobody has acknowledged and nothing holds back. */
const incidents = (sources: readonly OpenIncidentsAnswer[]): readonly Finding[] =>
  sources.flatMap((of) =>
    of.unattended === 0
      ? []
      : [
          {
            is: 'incidents',
            card: `incidents:${of.source}`,
            mark: of.fired_at === null ? null : Date.parse(of.fired_at),
            of,
          } as const,
        ],
  );

function stuck({ status, stats }: Overview, is: 'dead' | 'uncertain'): readonly Finding[] {
  const accounts = status?.items ?? [];
  const count = accounts.reduce((sum, one) => sum + one[is], 0);
  const isLeast = accounts.some(({ inexact }) => inexact?.includes(is) ?? false);
  const ever = Object.values(stats?.accounts ?? {}).reduce((sum, one) => sum + (one?.messages[is] ?? 0), 0);
  // All times that a message came to this state: one that is retried and fails again is an occurrence, too.
  return count === 0 ? [] : [{ is, card: is, mark: stats === null ? null : ever, count, isLeast }];
}

/** A replay that failed as well is not another event. */
function failed(overview: Overview, is: 'failed' | 'partly'): readonly Finding[] {
  const page = overview[is];
  const byOriginal = Map.groupBy(page?.items ?? [], ({ id, replay_of: of }) => of ?? id);
  const events = [...byOriginal.values()].flatMap(([newest]) => newest ?? []);
  const [newest] = events;
  if (newest === undefined) return [];
  const isLeast = page?.next_cursor !== null;
  return [{ is, card: is, mark: Date.parse(newest.received_at), events, isLeast }];
}

/** A sender that is accepted this long after its last rejection is fixed (ms). */
const FIXED_MS = 10 * 60_000;

/**
 * One finding for each source with rejections of the last day: a sender with a wrong secret is rejected with each
 * webhook. One for the addresses that resemble a source's, for each such source, and one for all others that no source
 * has: anybody can post to many.
 */
function rejected({ rejections, stats }: Overview, now: number): readonly Finding[] {
  const acceptedAt = (source: string): number => Date.parse(stats?.sources[source]?.last_event_at ?? '') || 0;
  // A visitor corrects a form at once, and needs nobody.
  const recent = (rejections?.items ?? []).filter(
    ({ at, source, field }) =>
      now - Date.parse(at) < DAY_MS && (field === undefined || acceptedAt(source) < Date.parse(at)),
  );
  return [
    ...Map.groupBy(recent, ({ source, near }) => (near === undefined ? source : `/${near ?? ''}`)),
  ].flatMap(([of, own]): readonly Finding[] => {
    const [last] = own;
    if (last === undefined) return [];
    const { source, near, times = 1 } = last;
    const mark = Date.parse(last.at);
    if (acceptedAt(source) > mark + FIXED_MS) return [];
    const count = near === undefined ? timesOf(own) : times;
    return [{ is: 'rejected', card: `rejected:${of}`, mark, source, count, last }];
  });
}

const silent = ({ stats }: Overview): readonly Finding[] =>
  Object.entries(stats?.sources ?? {}).flatMap(([source, { heartbeat, last_event_at: lastAt }]) =>
    heartbeat?.overdue === true
      ? [
          {
            is: 'silent',
            card: `silent:${source}`,
            mark: lastAt === null ? 0 : Date.parse(lastAt),
            source,
            expected: heartbeat.expected,
            lastAt,
          } as const,
        ]
      : [],
  );
