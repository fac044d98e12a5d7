import type { AccountPolicy, LoadedConfig, Quiet, Silence } from '../../config/config.ts';
import { hoursEnd } from '../../config/hours.ts';
import { silencedBy } from '../../config/silenced.ts';
import { DAY } from '../../lib/duration.ts';
import { describeError, log } from '../../lib/log.ts';
import type { Scope } from '../../template/basics/scope.ts';
import {
  type About,
  type AcceptedEvent,
  type DraftItem,
  type DraftMessage,
  type Origin,
} from '../state/acceptance.ts';
import { Arrivals, type Move } from './arrivals.ts';
import {
  Board,
  factsOf,
  nameOf,
  type Entry,
  type Group,
  type Grouping,
  type Place,
  type Teller,
  type ToldEntry,
} from './board.ts';
import { compose } from './compose.ts';
import { dueAt } from './due.ts';
import { idOfName } from './incident-id.ts';
import { drop, end, expire, pendingOf, steady, steadyAt, takeBack, tell, type Incident } from './incident.ts';
import { plan, type DueGroup, type Gate, type Plan } from './plan.ts';
import { rulesOf, type Rules } from './rules.ts';
import { loadBoard, readIncident, writeIncident, writeTeller } from './store.ts';

/** After a fault, or when the object has stopped, everything is looked at again after this (ms). */
const AGAIN_MS = 30_000;

/** No throttle looks further back (ms), or counts more messages. */
const MAX_THROTTLE_MS = 7 * DAY;
const MAX_TOLD = 100;

/** How long an account without space for messages waits (ms). */
const FULL_MS = 60_000;

/** The messages of what is told, and where they come from. */
export interface TellingDrafts {
  readonly drafts: readonly DraftMessage[];
  readonly origin: Origin;
}

const NO_ITEMS = { references: [], waiting: 0 };

interface IncidentsDeps {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;
  /** The configuration in force. */
  readonly config: () => Promise<LoadedConfig>;
  readonly policyIn: (config: LoadedConfig) => AccountPolicy;
  /** When the account lets a receiver have another message and one more after it (ms). */
  readonly updateAt: (policy: AccountPolicy, phone: string, now: number) => number;
  /** Queues messages; `also` writes in the same transaction. Null: there is no space. */
  readonly queue: (telling: TellingDrafts, also: (seq: number) => void) => number | null;
  /** Whether a message was never tried, and is not being sent. */
  readonly isWaiting: (seq: number) => boolean;
  /** Changes a message that waits, or takes it out (null); `also` writes in the same transaction. Returns its number. */
  readonly replace: (seq: number, telling: TellingDrafts | null, also?: () => void) => number;
  /** What a silence's condition sees of an incident: its newest item, and that one's event. */
  readonly scopeOf: (place: Place) => Scope;
  /** Incidents opened, ended, expired or are held back. */
  readonly onMoved: (moves: readonly Move[]) => void;
  /** A receiver is told something by the message of this number, or the first one of its parts. */
  readonly onTold: (seq: number, teller: Teller, about: About) => void;
  /** Sets the alarm (ms). */
  readonly wakeAt: (at: number) => void;
  readonly account: () => string;
  readonly clock: () => number;
}

/** What an incident was and is now; a change that is not written yet. */
interface Change {
  readonly place: Place;
  readonly grouping: Grouping;
  readonly known: Incident;
  readonly incident: Incident;
}

const changed = ({ place, grouping, incident: known }: Entry, incident: Incident): Change => ({
  place,
  grouping,
  known,
  incident,
});

/**
 * The incidents of an outbox: takes items, and tells what is due. Rows are the truth, the board is what they say in
 * memory. Everything that is decided is decided by the pure functions of `incident.ts`, `due.ts` and `plan.ts`.
 */
export class Incidents {
  readonly #deps: IncidentsDeps;
  #board: Board | null = null;
  /** The messages that wait to be sent, by number. */
  readonly #unsent = new Map<number, Teller>();
  #isAsked = false;
  /** The version whose silences were looked at. */
  #silences: readonly Silence[] = [];

  constructor(deps: IncidentsDeps) {
    this.#deps = deps;
  }

  /** What is open, read when it is needed first. */
  get board(): Board {
    if (this.#board !== null) return this.#board;
    const board = new Board();
    this.#board = board;
    loadBoard(this.#deps.storage.sql, board);
    board.lookAtAll(this.#deps.clock());
    return board;
  }

  /** The items of a commit. Call `apply` after its transaction. */
  arrivals(now: number): Pick<Arrivals, 'take' | 'apply'> {
    const { sql } = this.#deps.storage;
    let arrivals: Arrivals | null = null;
    return {
      take: (event: AcceptedEvent, items: readonly DraftItem[]) =>
        items.length === 0 ? NO_ITEMS : (arrivals ??= new Arrivals(sql, this.board, now)).take(event, items),
      apply: () => {
        if (arrivals === null) return;
        arrivals.apply();
        this.#deps.onMoved(arrivals.moves);
        // If the object stops before it has looked, its alarm looks.
        this.#deps.wakeAt(now + AGAIN_MS);
        this.ask();
      },
    };
  }

  /** When something is to be looked at (ms); null: never. */
  nextAt(): number | null {
    return this.#isAny() ? this.board.nextAt() : null;
  }

  /** Looks at what is due, soon and once. */
  ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    // Not in the commit that asks.
    void Promise.resolve().then(() => this.run());
  }

  /** Another configuration is in force, or a person changed something: everything is looked at again. */
  lookAtAll(): void {
    if (!this.#isAny()) return;
    this.board.lookAtAll(this.#deps.clock());
    this.ask();
  }

  /** A message does not wait any more: it is being sent, or it is too old. */
  gone(seq: number): void {
    const teller = this.#unsent.get(seq);
    if (teller === undefined) return;
    this.#unsent.delete(seq);
    teller.unsent = null;
    this.board.tellerTimes.bringForward(teller, this.#deps.clock());
    this.ask();
  }

  /** A person may have taken messages out of delivery. */
  lookAtUnsent(): void {
    for (const [seq] of this.#unsent) if (!this.#deps.isWaiting(seq)) this.gone(seq);
  }

  /** Ends an incident, for all its receivers. False: it is not open. */
  close(name: Omit<Place, 'phone'>): boolean {
    const { board } = this;
    const now = this.#deps.clock();
    const entries = board.entriesOf(nameOf(name)).filter(({ incident }) => incident.endedAt === null);
    this.#write(
      entries.map((entry) => changed(entry, end(entry.incident, null, entry.held, now))),
      now,
    );
    if (entries.length > 0) this.ask();
    return entries.length > 0;
  }

  /** How many incidents are open, and how many have something to be told, counted for each receiver. */
  counts(): { readonly open: number; readonly waiting: number } {
    if (!this.#isAny()) return { open: 0, waiting: 0 };
    const { burning: open, waiting } = this.board;
    return { open, waiting };
  }

  /** Tells what is due. Never throws. */
  async run(): Promise<void> {
    this.#isAsked = false;
    if (!this.#isAny()) return;
    const { config, clock, wakeAt, account } = this.#deps;
    try {
      const loaded = await config();
      this.#look(loaded, clock());
      const next = this.board.nextAt();
      if (next !== null) wakeAt(next);
    } catch (thrown) {
      log('error', 'outbox.incidents.failed', { account: account(), error: describeError(thrown) });
      // What the board says may differ from the rows.
      this.#board = null;
      this.#unsent.clear();
      wakeAt(clock() + AGAIN_MS);
    }
  }

  /** Most accounts have no incidents: their rows are not asked for again. */
  #isAny(): boolean {
    return this.board.size > 0 || this.board.tellers.size > 0;
  }

  #look(config: LoadedConfig, now: number): void {
    const { board } = this;
    if (config.silences !== this.#silences) {
      this.#silences = config.silences;
      board.releaseSilenced(now);
    }
    const rules = new Map<Teller, Rules>();
    const rulesFor = (teller: Teller): Rules => {
      let known = rules.get(teller);
      if (known === undefined) rules.set(teller, (known = rulesOf(config, teller)));
      return known;
    };
    // What ends here may let others be told. What is held back is known also where nothing is told now: what ends in
    // quiet hours and was silenced was not missed.
    for (let groups: readonly Group[] | null = null; groups === null || groups.length > 0;) {
      this.#holdBack(board.takeUnchecked(), rulesFor, config, now);
      groups = board.groupTimes.take(now);
      for (const group of groups) this.#lookAt(group, rulesFor(group.teller), now);
    }
    for (const teller of board.tellerTimes.take(now)) this.#tell(teller, rulesFor(teller), config, now);
  }

  /** Works out whether a group is due. */
  #lookAt(group: Group, rules: Rules, now: number): void {
    if (group.timersAt <= now) this.#runTimers(group, rules, now);
    const { board } = this;
    const { teller } = group;
    if (group.entries.size === 0) return;
    const at = dueAt(factsOf(group), rules);
    // What its receiver is about to be told is not true any more.
    if (group.waitsSince !== null && teller.unsent?.told.some((one) => one.group === group))
      board.tellerTimes.bringForward(teller, now);
    if (at !== null && at <= now) {
      teller.due.add(group);
      board.groupTimes.bringForward(group, group.timersAt);
      board.tellerTimes.bringForward(teller, now);
      return;
    }
    teller.due.delete(group);
    board.groupTimes.bringForward(group, Math.min(at ?? Infinity, group.timersAt));
  }

  /** Closes what expired, and what does not flap any more; looks again at what was held back. */
  #runTimers(group: Group, { incident: rule, expiresMs }: Rules, now: number): void {
    const changes: Change[] = [];
    const moves: Move[] = [];
    let nextAt = Infinity;
    const later = (at: number | null): void => {
      if (at !== null && at > now) nextAt = Math.min(nextAt, at);
    };
    for (const entry of group.entries.values()) {
      const { place, incident, held } = entry;
      const steadyFrom = steadyAt(incident, rule?.flapping ?? null);
      const mayExpire = !incident.isLone && incident.endedAt === null;
      const expiresAt = mayExpire ? incident.heardAt + expiresMs : null;
      if (steadyFrom !== null && steadyFrom <= now) changes.push(changed(entry, steady(incident, held)));
      else if (expiresAt !== null && expiresAt <= now) {
        changes.push(changed(entry, expire(incident, now)));
        moves.push({ stage: 'incident.expired', place });
      } else if (held !== null && held.until !== null && held.until <= now) this.board.release(entry, now);
      later(steadyFrom);
      later(expiresAt);
      later(held?.until ?? null);
    }
    this.#write(changes, now);
    this.#deps.onMoved(moves);
    group.timersAt = nextAt;
  }

  /** Tells a receiver what it may be told now. */
  #tell(teller: Teller, rules: Rules, config: LoadedConfig, now: number): void {
    const { board } = this;
    const replaced = this.#takeBack(teller, now);
    if (replaced === 'kept') return;
    const gate = this.#gateOf(teller, rules, config, now);
    let planned = plan(dueOf(teller), gate, now);
    while (
      planned.tell !== null &&
      this.#holdBack(entriesOf(planned.tell.groups), () => rules, config, now)
    ) {
      for (const { group } of planned.tell.groups) this.#lookAt(group, rules, now);
      planned = plan(dueOf(teller), gate, now);
    }
    if (planned.held !== teller.held) {
      if (teller.held === null || planned.held === null) teller.missed = 0;
      teller.held = planned.held;
      writeTeller(this.#deps.storage.sql, teller);
    }
    if (planned.tell === null && replaced !== null) this.#deps.replace(replaced, null);
    const isDone =
      planned.tell === null || this.#say(teller, planned, { rules, config, gate, replaced }, now);
    if (!isDone) board.tellerTimes.bringForward(teller, now + FULL_MS);
    else if (planned.until !== null && teller.unsent === null)
      board.tellerTimes.bringForward(teller, Math.max(now, planned.until));
  }

  /**
   * While its last message waits to be sent, a receiver is told nothing more of the route (`kept`), unless what that
   * message tells has changed: then it is taken back, and another one takes its place. Returns its number; null: none
   * waits.
   */
  #takeBack(teller: Teller, now: number): number | 'kept' | null {
    const { unsent } = teller;
    if (unsent === null) return null;
    const { board } = this;
    if (!this.#deps.isWaiting(unsent.seq)) {
      this.#forget(teller);
      return null;
    }
    const isChanged = unsent.told.some(
      ({ place, group, after }) =>
        (board.get(place) === null) !== (pendingOf(after) === 'over') || group.waitsSince !== null,
    );
    if (!isChanged) return 'kept';
    this.#forget(teller);
    teller.told = unsent.toldBefore;
    const { sql } = this.#deps.storage;
    const changes = unsent.told.flatMap(({ place, grouping, before }): Change[] => {
      const known = board.get(place)?.incident ?? readIncident(sql, place);
      return known === null
        ? []
        : [{ place, grouping, known, incident: takeBack(known, before, unsent.seq) }];
    });
    for (const { group } of unsent.told) group.toldAt = null;
    this.#write(changes, now);
    for (const { place } of changes) {
      const group = board.get(place)?.group;
      if (group === undefined) continue;
      for (const { incident } of group.entries.values())
        if (incident.toldAt !== null) group.toldAt = Math.max(group.toldAt ?? 0, incident.toldAt);
      if (group.waitsSince !== null) teller.due.add(group);
    }
    return unsent.seq;
  }

  #forget(teller: Teller): void {
    if (teller.unsent !== null) this.#unsent.delete(teller.unsent.seq);
    teller.unsent = null;
  }

  #gateOf(teller: Teller, rules: Rules, config: LoadedConfig, now: number): Gate {
    const policy = this.#deps.policyIn(config);
    return {
      quiet: quietNow(rules.quiets, now),
      throttle: rules.throttle,
      told: teller.told,
      updateAt: this.#deps.updateAt(policy, teller.phone, now),
      held: teller.held,
      missed: teller.missed,
      digestAbove: rules.priority === 'high' ? null : policy.digestAbove,
    };
  }

  /** Marks what a silence or an open incident holds back. True: some of it is. */
  #holdBack(
    entries: Iterable<Entry>,
    rulesFor: (teller: Teller) => Rules,
    config: LoadedConfig,
    now: number,
  ): boolean {
    const moves: Move[] = [];
    let isAny = false;
    for (const entry of entries) {
      const { place, incident, group } = entry;
      if (entry.held !== null || pendingOf(incident) !== 'opened') continue;
      const held = this.#whyHeld(entry, rulesFor(group.teller), config, now);
      if (held === null) continue;
      isAny = true;
      if (incident.isLone) this.#write([changed(entry, drop(incident, held, now))], now);
      else {
        const by = held.fate === 'inhibited' ? idOfName(held.by) : held.by;
        moves.push({ stage: 'incident.held', place, by });
        this.board.hold(entry, held);
        group.timersAt = Math.min(group.timersAt, held.until ?? Infinity);
      }
    }
    this.#deps.onMoved(moves);
    return isAny;
  }

  #whyHeld({ place, grouping }: Entry, rules: Rules, { silences }: LoadedConfig, now: number): Entry['held'] {
    const inhibitor = grouping.unlessOpen.find(
      (name) => name !== nameOf(place) && this.board.isBurning(name),
    );
    if (inhibitor !== undefined) return { fate: 'inhibited', by: inhibitor, until: null };
    if (silences.length === 0) return null;
    const scope = this.#deps.scopeOf(place);
    const silence = silencedBy(silences, scope, rules.locale, now);
    return silence === null ? null : { fate: 'silenced', by: silence.id, until: silence.until };
  }

  /** Queues the message of what is told. False: there is no space for it. */
  #say(
    teller: Teller,
    { tell: telling, isFree }: Plan<Due>,
    context: { rules: Rules; config: LoadedConfig; gate: Gate; replaced: number | null },
    now: number,
  ): boolean {
    if (telling === null) return true;
    const { rules, config, gate, replaced } = context;
    const { queue, replace, storage } = this.#deps;
    const groups = telling.groups.map(({ group }) => group);
    const composed = compose({
      sql: storage.sql,
      teller,
      rules,
      form: telling.form,
      groups,
      held: gate.held,
      missed: gate.missed,
      now,
    });
    const told: ToldEntry[] = [];
    const also = (seq: number): void => {
      for (const group of groups) told.push(...entriesTold(group, composed.shown, seq, now));
      for (const { place, before, after } of told)
        writeIncident(storage.sql, place, { known: before, incident: after, now });
    };
    const toldBefore = teller.told;
    const origin = {
      event: composed.event,
      source: teller.source,
      since: now,
      configVersion: config.version,
    };
    const drafts = { drafts: composed.drafts, origin };
    const isOne = composed.drafts.length === 1;
    if (replaced !== null && !isOne) replace(replaced, null);
    const seq =
      replaced !== null && isOne ? replace(replaced, drafts, () => also(replaced)) : queue(drafts, also);
    if (seq === null) return false;
    this.#deps.onTold(seq, teller, composed.about);
    for (const { place: at, grouping, after } of told) this.board.put(at, after, grouping, now);
    for (const group of groups) {
      teller.due.delete(group);
      if (group.entries.size > 0) this.#lookAt(group, rules, now);
    }
    if (rules.throttle.length > 0 && !isFree) {
      teller.told = [...teller.told.filter((at) => at > now - MAX_THROTTLE_MS), now].slice(-MAX_TOLD);
      writeTeller(storage.sql, teller);
    }
    // What is forgotten once it is told cannot be told again.
    if (isOne && rules.source?.store !== 'metadata') {
      teller.unsent = { seq, told, toldBefore };
      this.#unsent.set(seq, teller);
    }
    return true;
  }

  /** Writes changes that no item brought, and tells the board. */
  #write(changes: readonly Change[], now: number): void {
    if (changes.length === 0) return;
    const { storage } = this.#deps;
    storage.transactionSync(() => {
      for (const { place, known, incident } of changes)
        if (known !== incident) writeIncident(storage.sql, place, { known, incident, now });
    });
    for (const { place, incident, grouping } of changes) this.board.put(place, incident, grouping, now);
  }
}

/** A group that is due, as the plan and the board know it. */
interface Due extends DueGroup {
  readonly group: Group;
}

const dueOf = ({ due }: Teller): Due[] =>
  [...due].map((group) => ({ group, facts: factsOf(group), isLone: isLone(group) }));

const entriesOf = (due: readonly Due[]): readonly Entry[] =>
  due.flatMap(({ group }) => [...group.entries.values()]);

function isLone({ entries }: Group): boolean {
  for (const { incident } of entries.values()) return incident.isLone;
  return false;
}

/** The quiet hours that a receiver has now: until the last of them ends, and what becomes of what is held back. */
function quietNow(quiets: readonly Quiet[], now: number): Gate['quiet'] {
  const ends = quiets.flatMap(({ hours, do: as }) => {
    const until = hoursEnd(hours, now);
    return until === null ? [] : [{ until, as }];
  });
  if (ends.length === 0) return null;
  return {
    until: Math.max(...ends.map(({ until }) => until)),
    as: ends.some(({ as }) => as === 'digest') ? 'digest' : 'hold',
  };
}

/**
 * The group's incidents after it was told: those that had something to be told, and those that got items since the last
 * message. One at least, so that the group knows after a restart when it was told.
 */
function entriesTold(group: Group, shown: ReadonlySet<string>, seq: number, now: number): ToldEntry[] {
  const told: ToldEntry[] = [];
  let known: ToldEntry | null = null;
  for (const [key, { place, grouping, incident, held }] of group.entries) {
    const pending = pendingOf(incident);
    if (held !== null || pending === 'muted') continue;
    const after = tell(incident, { seq, now, isShown: shown.has(key) });
    const one = { place, grouping, group, before: incident, after };
    if (pending !== 'known' || after.fates !== incident.fates) told.push(one);
    else known = one;
  }
  if (known !== null && !told.some(({ after }) => pendingOf(after) !== 'over')) told.push(known);
  return told;
}
