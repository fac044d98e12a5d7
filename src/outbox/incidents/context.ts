import type { Alarm } from '../../lib/alarm.ts';
import { log } from '../../lib/log.ts';
import type { AccountPolicy, LoadedConfig } from '../../config/compiled/config.ts';
import type { DraftMessage, Drafts, MessageOrigin } from '../state/acceptance.ts';
import type { Notice } from '../notify/post.ts';
import type { End, MessageRow } from '../state/message.ts';
import type { Flight } from '../send/claims.ts';
import type { Pace } from '../send/pace.ts';
import type { Beyond } from './beyond.ts';
import { factsOf } from './owed.ts';
import {
  nameOf,
  type Entry,
  type Group,
  type IncidentParts,
  type IncidentRef,
  type Subscriber,
  type SubscriberState,
} from './entries.ts';
import { incidentId, writeIncident, writeSubscriber } from './store.ts';
import { pendingOf, type Incident } from './incident.ts';
import type { OpenIncidents } from './open-incidents.ts';
import { rulesOf, type Rules } from './rules.ts';

export interface Move {
  readonly stage:
    'incident.opened' | 'incident.resolved' | 'incident.expired' | 'incident.held' | 'incident.escalated';
  readonly ref: IncidentRef;
  /** The silence or the incident that holds it back, or the step that was taken. */
  readonly by?: string;
}

export interface IncidentsDeps {
  readonly sql: SqlStorage;
  readonly config: {
    readonly known: LoadedConfig | null;
    inForce(now: number): LoadedConfig | null;
    policyIn(config: LoadedConfig): AccountPolicy;
  };
  readonly claims: {
    readonly flight: Pick<Flight, 'has'>;
    readonly pace: Pick<Pace, 'nextSendToAt'>;
  };
  readonly messages: {
    queue(message: Drafts, also?: () => void): number | null;
    rewrite(row: MessageRow, draft: DraftMessage, origin: MessageOrigin): MessageRow;
    hurry(seq: number): void;
    postpone(row: MessageRow, at: number): void;
    end(row: MessageRow, end: End): void;
  };
  readonly owner: { first(notice: Notice): void };
  readonly alarm: Pick<Alarm, 'bringForward'>;
  readonly account: () => string;
  readonly tag: string;
  readonly clock: () => number;
}

export type Look = ReturnType<typeof createLook>;

/** One look at the open incidents, at this moment (ms) and by this configuration. */
export function createLook(
  deps: IncidentsDeps,
  open: OpenIncidents,
  beyond: Beyond,
  config: LoadedConfig,
  now: number,
) {
  const { sql, account } = deps;
  const setSubscriber = (subscriber: Subscriber, change: Partial<SubscriberState>): void =>
    writeSubscriber(sql, Object.assign(subscriber, change), now);
  /** Writes an incident's new state, in its row and in memory. */
  const set = (entry: Pick<Entry, 'ref' | 'grouping' | 'incident'>, incident: Incident): void => {
    const { ref, grouping, incident: known } = entry;
    writeIncident(sql, ref, { known, incident, now });
    open.put(ref, incident, grouping, now);
  };
  return {
    deps,
    sql,
    open,
    beyond,
    config,
    now,
    set,
    setSubscriber,
    /** Changes an incident for each receiver for whom it is open. Returns these entries. */
    change(name: IncidentParts, change: (entry: Entry) => Incident): readonly Entry[] {
      const entries = open.entriesOf(nameOf(name)).filter(({ incident }) => incident.resolvedAt === null);
      for (const entry of entries) set(entry, change(entry));
      return entries;
    },
    /** Returns a receiver's rules. Its row keeps their quiet hours for the time when it is on no list any more. */
    rulesFor(subscriber: Subscriber): Rules {
      let known = subscriber.rules;
      if (known?.of !== config || known.rules.handoverAt <= now) {
        known = { of: config, rules: rulesOf(config, subscriber, now) };
        const { quiets } = known.rules;
        if (JSON.stringify(quiets) !== JSON.stringify(subscriber.quiets))
          setSubscriber(subscriber, { quiets });
      }
      subscriber.rules = known;
      open.handoverAt = Math.min(open.handoverAt, known.rules.handoverAt);
      return known.rules;
    },
    moved: (moves: readonly Move[]): void => logMoves(sql, moves, account()),
  };
}

/**
 * One incident's row has when the group was notified last, on which the next repeat depends. If it closes, another
 * keeps it, even one that is held back.
 */
export function keepNotifiedAt(
  look: Look,
  { entries }: Group,
  { notifiedAt, notifiedIn }: Pick<Incident, 'notifiedAt' | 'notifiedIn'>,
): void {
  if ((factsOf(entries).notifiedAt ?? 0) >= (notifiedAt ?? 0)) return;
  const heir = [...entries].find(({ incident }) => pendingOf(incident) === 'known');
  if (heir !== undefined) look.set(heir, { ...heir.incident, notifiedAt, notifiedIn });
}

/** One line for the incidents of each route that changed in the same way at once, whoever their receivers are. */
export function logMoves(sql: SqlStorage, moves: readonly Move[], account: string): void {
  const alike = Map.groupBy(moves, ({ stage, ref: { source, route }, by }) =>
    [stage, source, route, by].join(),
  );
  for (const some of alike.values()) {
    const [first] = some;
    if (first === undefined) continue;
    const { stage, ref, by } = first;
    const { source, route } = ref;
    const incidents = new Set(some.map((move) => move.ref.key)).size;
    const incident = incidentId(sql, ref);
    log('info', stage, { incident, incidents, source, route, account, ...(by !== undefined && { by }) });
  }
}
