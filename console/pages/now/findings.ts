import type { AccountStatus, EventSummary, Incident, Rejection } from '../../api/types.ts';
import { HOURS, type Overview } from './load.ts';

/** Something that is open or needs a person, in the order in which it is worth a look. */
export type Finding =
  | {
      readonly is: 'paused';
      readonly account: string;
      readonly by: string;
      readonly reason: string;
      readonly since: string;
      readonly waiting: number;
    }
  | {
      readonly is: 'circuit';
      readonly account: string;
      readonly error: string | null;
      readonly probeAt: string | null;
      readonly waiting: number;
    }
  | { readonly is: 'full'; readonly account: string; readonly state: 'low' | 'full'; readonly ratio: number }
  | { readonly is: 'dead' | 'uncertain'; readonly count: number; readonly isLeast: boolean }
  | { readonly is: 'failed'; readonly events: readonly EventSummary[]; readonly isLeast: boolean }
  | { readonly is: 'rejected'; readonly source: string; readonly count: number; readonly last: Rejection }
  | {
      readonly is: 'silent';
      readonly source: string;
      readonly expected: string;
      readonly lastAt: string | null;
    }
  | { readonly is: 'incident'; readonly incident: Incident };

const DAY_MS = HOURS * 3_600_000;

/** Returns the findings of the overview that need attention. `now` in ms. */
export function findingsOf(overview: Overview, now: number): readonly Finding[] {
  const accounts = overview.status?.items ?? [];
  return [
    ...accounts.flatMap(ofAccount),
    ...stuck(accounts, 'dead'),
    ...stuck(accounts, 'uncertain'),
    ...failed(overview),
    ...rejected(overview.rejections?.items ?? [], now),
    ...silent(overview),
    ...(overview.incidents?.items ?? []).map((incident): Finding => ({ is: 'incident', incident })),
  ];
}

function ofAccount(status: AccountStatus): readonly Finding[] {
  const { account, paused, circuit, storage } = status;
  const waiting = status.queued + status.retrying + status.sending;
  return [
    ...(paused === null
      ? []
      : [
          {
            is: 'paused',
            account,
            by: paused.by,
            reason: paused.reason,
            since: paused.since,
            waiting,
          } as const,
        ]),
    ...(circuit.state === 'open'
      ? [
          {
            is: 'circuit',
            account,
            error: circuit.last_error?.detail ?? null,
            probeAt: circuit.probe_at ?? null,
            waiting,
          } as const,
        ]
      : []),
    ...(storage.state === 'ok'
      ? []
      : [{ is: 'full', account, state: storage.state, ratio: storage.bytes / storage.max_bytes } as const]),
  ];
}

function stuck(accounts: readonly AccountStatus[], is: 'dead' | 'uncertain'): readonly Finding[] {
  const count = accounts.reduce((sum, status) => sum + status[is], 0);
  const isLeast = accounts.some(({ inexact }) => inexact?.includes(is) ?? false);
  return count === 0 ? [] : [{ is, count, isLeast }];
}

function failed({ failed }: Overview): readonly Finding[] {
  return failed === null || failed.items.length === 0
    ? []
    : [{ is: 'failed', events: failed.items, isLeast: failed.next_cursor !== null }];
}

/** Of the last day, one finding for each source: a sender with a wrong secret is rejected with each webhook. */
function rejected(rejections: readonly Rejection[], now: number): readonly Finding[] {
  const recent = rejections.filter(({ at }) => now - Date.parse(at) < DAY_MS);
  return [...Map.groupBy(recent, ({ source }) => source)].flatMap(([source, own]): readonly Finding[] => {
    const [last] = own;
    return last === undefined ? [] : [{ is: 'rejected', source, count: own.length, last }];
  });
}

const silent = ({ stats }: Overview): readonly Finding[] =>
  Object.entries(stats?.sources ?? {}).flatMap(([source, { heartbeat, last_event_at: lastAt }]) =>
    heartbeat?.overdue === true
      ? [{ is: 'silent', source, expected: heartbeat.expected, lastAt } as const]
      : [],
  );
