import type { AccountStatus, AccountStatuses, EventSummary, ListPage } from '../../api/types.ts';
import type { OpenIncidentsAnswer, RejectionAnswer, Series, Stats } from '../../api/types.ts';
import { timesOf } from '../rejections/rejections.tsx';

export interface Urgent {
  readonly status: Omit<AccountStatuses, 'next_cursor'>;
  readonly rejections: ListPage<RejectionAnswer>;
  readonly failed: ListPage<EventSummary>;
  readonly partly: ListPage<EventSummary>;
  readonly incidents: ListPage<OpenIncidentsAnswer>;
}

export interface Figures {
  readonly stats: Stats;
  readonly events: Series;
  readonly sent: Series;
  readonly lost: Series;
}

/** All that the first screen shows; a part that could not be read is null. */
export type Overview = { readonly [Name in keyof (Urgent & Figures)]: (Urgent & Figures)[Name] | null };

/** The cards that this browser hides, each with the mark that it had: a card whose mark has grown is shown again. */
export type DoneMarks = Readonly<Record<string, number | undefined>>;

const DAY_MS = 86_400_000;

/** The open findings, and those that are hidden in this browser; not `isWhole`: there may be more. `now` in ms. */
export function findingsOf(overview: Overview, done: DoneMarks, now: number) {
  const { status, stats, rejections, failed, partly, incidents } = overview;
  const isDone = ({ card, mark }: Finding): boolean => mark !== null && mark <= (done[card] ?? -1);
  const all = allOf(overview, now).toSorted((one, other) => rankOf(one) - rankOf(other));
  return {
    isWhole:
      ![status, stats, rejections, failed, partly, incidents].includes(null) &&
      status?.unreachable === undefined,
    open: all.filter((one) => !isDone(one)),
    done: all.filter(isDone),
  };
}

/**
 * What needs a person, each with the name of its card, and a mark: a number that grows with each occurrence; null if
 * nobody can mark it as done, since it ends by itself.
 */
const allOf = (overview: Overview, now: number) => [
  ...(overview.status?.items ?? []).flatMap(ofAccount),
  ...(overview.incidents?.items ?? []).flatMap(incidentsOf),
  ...stuck(overview, 'dead'),
  ...stuck(overview, 'uncertain'),
  ...failed(overview, 'failed'),
  ...failed(overview, 'partly'),
  ...rejected(overview, now),
  ...silent(overview),
];

export type Finding = ReturnType<typeof allOf>[number];

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

function ofAccount(status: AccountStatus) {
  const { account, paused, circuit, storage, receivers_at_cap: capped } = status;
  const waiting = status.queued + status.retrying + status.sending;
  const waitsFor = status.waits_for?.for;
  const of = <Is extends string>(is: Is, mark: number | null) => {
    return { is, card: `${is}:${account}`, mark, account };
  };
  const ratio = storage.bytes / storage.max_bytes;
  return [
    ...(paused === null ? [] : [{ ...of('paused', Date.parse(paused.since)), paused, waiting }]),
    // An open circuit holds up nothing while no message may go for another reason.
    ...(circuit.state === 'open' && waitsFor === 'circuit'
      ? [{ ...of('circuit', null), circuit, waiting }]
      : []),
    ...(waitsFor === 'receiver' && capped !== undefined ? [{ ...of('capped', null), capped }] : []),
    ...(storage.state === 'ok'
      ? []
      : [{ ...of('full', Math.round(ratio * 100)), state: storage.state, ratio }]),
  ];
}

/** One card for each source with incidents that nobody has acknowledged and nothing holds back. */
function incidentsOf(of: OpenIncidentsAnswer) {
  const mark = of.fired_at === null ? null : Date.parse(of.fired_at);
  return of.unattended === 0 ? [] : [{ is: 'incidents' as const, card: `incidents:${of.source}`, mark, of }];
}

function stuck({ status, stats }: Overview, is: 'dead' | 'uncertain') {
  const accounts = status?.items ?? [];
  const count = accounts.reduce((sum, one) => sum + one[is], 0);
  const isLeast = accounts.some(({ inexact }) => inexact?.includes(is) ?? false);
  const ever = Object.values(stats?.accounts ?? {}).reduce((sum, one) => sum + (one?.messages[is] ?? 0), 0);
  // All times that a message came to this state: one that is retried and fails again is an occurrence, too.
  return count === 0 ? [] : [{ is, card: is, mark: stats === null ? null : ever, count, isLeast }];
}

/** A replay that failed as well is not another event. */
function failed(overview: Overview, is: 'failed' | 'partly') {
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
function rejected({ rejections, stats }: Overview, now: number) {
  const acceptedAt = (source: string): number => Date.parse(stats?.sources[source]?.last_event_at ?? '') || 0;
  // A visitor corrects a form at once, and needs nobody.
  const recent = (rejections?.items ?? []).filter(
    ({ at, source, field }) =>
      now - Date.parse(at) < DAY_MS && (field === undefined || acceptedAt(source) < Date.parse(at)),
  );
  return [
    ...Map.groupBy(recent, ({ source, near }) => (near === undefined ? source : `/${near ?? ''}`)),
  ].flatMap(([of, own]) => {
    const [last] = own;
    if (last === undefined) return [];
    const { source, near, times = 1 } = last;
    const mark = Date.parse(last.at);
    if (acceptedAt(source) > mark + FIXED_MS) return [];
    const count = near === undefined ? timesOf(own) : times;
    return { is: 'rejected' as const, card: `rejected:${of}`, mark, source, count, last };
  });
}

const silent = ({ stats }: Overview) =>
  Object.entries(stats?.sources ?? {}).flatMap(([source, { heartbeat, last_event_at: lastAt }]) => {
    if (heartbeat?.overdue !== true) return [];
    const mark = lastAt === null ? 0 : Date.parse(lastAt);
    const { expected } = heartbeat;
    return { is: 'silent' as const, card: `silent:${source}`, mark, source, expected, lastAt };
  });
