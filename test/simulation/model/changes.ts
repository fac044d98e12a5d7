/** The severity that an item states: silences may be of warnings only. */
export type Severity = 'warning' | 'critical';

/** A sender said so; `acceptedAt` null: nobody knows whether it was accepted. */
export interface Change {
  readonly status: 'firing' | 'resolved';
  readonly requestedAt: number;
  readonly acceptedAt: number | null;
  /** A person says so, by a link: the incident was not heard of. */
  readonly isByHand?: boolean;
  /** As its item says; absent: the world does not say. */
  readonly severity?: Severity;
  /** Its sender has said something newer of the incident, so it may have changed nothing. */
  readonly mayBeOutdated?: boolean;
}

/** A time in which nobody can say what an incident is. */
interface Doubt {
  readonly from: number;
  /** A request after this time ends it. */
  clearFrom: number;
  until: number;
}

/** A request whose answer nobody saw has been handled by then (ms). */
const UNANSWERED_MS = 60_000;

/** For a time nobody spoke of an incident: it expired by `sureAt`, or may have. */
interface Gap {
  readonly isSure: boolean;
  readonly sureAt: number;
  /** Its route has another name since. Absent: nobody spoke of it. */
  readonly isRenamed?: true;
}

/** The route has another name: what was open is not watched any more. Times in ms. */
export interface Rename {
  readonly from: number;
  /** The new name is in force everywhere by then, and nobody spoke of anything in between; Infinity: it is not yet. */
  until: number;
}

/** An incident may expire so much sooner or later: clocks are wrong, alarms are late (ms). */
const EDGE_MS = 200_000;

export class Changes {
  readonly #expiresMs: number;
  readonly #all = new Map<string, Change[]>();
  readonly #doubts = new Map<string, Doubt[]>();
  readonly renames: Rename[] = [];

  /** `expiresMs`: an incident of which nobody spoke for so long is over; null: none ends like this. */
  constructor(expiresMs: number | null) {
    this.#expiresMs = expiresMs ?? Infinity;
  }

  said(key: string, change: Change): void {
    const changes = this.#all.get(key) ?? [];
    this.#all.set(key, changes);
    changes.push(change);
    const { requestedAt, acceptedAt } = change;
    if (acceptedAt === null) return;
    for (const doubt of this.#doubts.get(key) ?? [])
      if (doubt.until === Infinity && requestedAt > doubt.clearFrom) doubt.until = acceptedAt;
  }

  /** It was not so: the sender's answer was that nothing was done. */
  unsaid(key: string, change: Change): void {
    const changes = this.#all.get(key) ?? [];
    if (changes.includes(change)) changes.splice(changes.indexOf(change), 1);
  }

  /** Somebody asks that it is resolved: until the answer is there, and if nobody spoke of it meanwhile, nobody knows what it is. */
  doubt(key: string, from: number): { end: (at: number, isAnswered: boolean) => void } {
    const doubt: Doubt = { from, clearFrom: Infinity, until: Infinity };
    const doubts = this.#doubts.get(key) ?? [];
    this.#doubts.set(key, doubts);
    doubts.push(doubt);
    return {
      end: (at, isAnswered) => {
        const others = this.of(key).filter(({ isByHand }) => isByHand !== true);
        const isAlone = others.every(
          ({ requestedAt, acceptedAt }) => (acceptedAt ?? requestedAt + UNANSWERED_MS) < from,
        );
        if (isAnswered && isAlone) doubt.until = at;
        doubt.clearFrom = isAnswered ? at : at + UNANSWERED_MS;
      },
    };
  }

  /** True if it may have ended in this time: it was resolved, or it expired. */
  mayHaveEnded(key: string, from: number, to: number): boolean {
    const isResolved = this.of(key).some(
      ({ status, requestedAt, acceptedAt }) =>
        status === 'resolved' && requestedAt <= to && (acceptedAt ?? requestedAt + UNANSWERED_MS) >= from,
    );
    return isResolved || this.#gaps(key, to).some(({ sureAt }) => sureAt > from - EDGE_MS);
  }

  /** True if it may have begun anew in this time. */
  mayHaveReopened(key: string, from: number, to: number): boolean {
    const isFiring = this.of(key).some(
      ({ status, requestedAt, acceptedAt }) =>
        status === 'firing' && requestedAt <= to && (acceptedAt ?? requestedAt + UNANSWERED_MS) >= from,
    );
    return isFiring && (this.mayHaveEnded(key, from, to) || !this.#wasOpen(key, from));
  }

  /** True if it surely was open then. */
  #wasOpen(key: string, at: number): boolean {
    const last = this.of(key).findLast(({ requestedAt }) => requestedAt < at);
    if (last === undefined || last.status !== 'firing' || (last.acceptedAt ?? Infinity) > at) return false;
    return !this.mayHaveEnded(key, last.requestedAt, at);
  }

  /** The last time when it surely ended, of what was asked for after `from` (ms). Null if it may not have. */
  endedAfter(key: string, from: number): number | null {
    const end = this.of(key).findLast(
      ({ status, requestedAt, acceptedAt }) =>
        status === 'resolved' && requestedAt > from && acceptedAt !== null,
    );
    return end?.acceptedAt ?? null;
  }

  get keys(): Iterable<string> {
    return this.#all.keys();
  }

  of(key: string): readonly Change[] {
    return this.#all.get(key) ?? [];
  }

  /** The severities that its newest item may have had at some time from `from` until now. */
  severities(key: string, from: number, at: number): ReadonlySet<Severity> {
    const said = this.of(key).filter(({ requestedAt }) => requestedAt <= at);
    const before = said.findLast(
      ({ acceptedAt, mayBeOutdated }) => acceptedAt !== null && acceptedAt <= from && mayBeOutdated !== true,
    );
    const since = (before?.requestedAt ?? -Infinity) - UNANSWERED_MS;
    return new Set(
      said.flatMap(({ requestedAt, severity }) => (requestedAt >= since && severity ? [severity] : [])),
    );
  }

  /** Since when it has surely been open, up to now; null: it may not be. */
  openSince(key: string, at: number): number | null {
    let since: number | null = null;
    let heardAt = at;
    for (const { status, requestedAt, acceptedAt } of this.of(key).toReversed()) {
      if (status !== 'firing' || heardAt - requestedAt > this.#expiresMs - EDGE_MS) break;
      if (this.renames.some(({ from }) => from > requestedAt && from < at)) break;
      if (acceptedAt === null) continue;
      since = acceptedAt;
      heardAt = requestedAt;
    }
    return since;
  }

  /**
   * The earliest time since which it may have been open, up to now; null: it was not. An incident that was resolved
   * just now may be said to be open still.
   */
  mayBeOpenSince(key: string, at: number): number | null {
    const expiredAt = this.expiredAt(key, at);
    let since: number | null = null;
    for (const { status, requestedAt, acceptedAt } of this.of(key).toReversed()) {
      if (requestedAt <= expiredAt) break;
      if (status === 'firing') since = requestedAt;
      else if (acceptedAt !== null && acceptedAt < at - UNANSWERED_MS) break;
    }
    return since;
  }

  /**
   * The time since which it has surely not been open, up to now; null: it may be open. An incident that nobody ever
   * spoke of was never open.
   */
  overSince(key: string, at: number): number | null {
    if (this.statusOf(key, at) === 'expired') {
      const expiredAt = this.expiredAt(key, at);
      // It may have opened since, and nobody saw the answer.
      const isAsked = this.of(key).some(
        ({ status, requestedAt }) => status === 'firing' && requestedAt > expiredAt,
      );
      return isAsked ? null : expiredAt;
    }
    const changes = this.of(key);
    const first = changes.findLastIndex(({ status }) => status === 'firing') + 1;
    if (first === 0) return -Infinity;
    return changes.slice(first).find(({ acceptedAt }) => acceptedAt !== null)?.acceptedAt ?? null;
  }

  /** The last time when it surely expired, or was not watched any more. Earlier messages are about an earlier incident. -Infinity if it never did. */
  expiredAt(key: string, at: number): number {
    return this.#gaps(key, at).findLast(({ isSure }) => isSure)?.sureAt ?? -Infinity;
  }

  /** True if it may have expired, or may not: nobody knows its status from then on. */
  isDoubtful(key: string, at: number): boolean {
    const isDoubted = (this.#doubts.get(key) ?? []).some(
      ({ from, until }) => at >= from && at <= until + UNANSWERED_MS,
    );
    const isRenamed = this.renames.some(({ from, until }) => at >= from && at <= until + UNANSWERED_MS);
    return isDoubted || isRenamed || this.#gaps(key, at).some(({ isSure }) => !isSure);
  }

  /** True if any incident may have expired in this time, or was not watched any more. */
  mayHaveExpired(from: number, to: number): boolean {
    return [...this.keys].some((key) => this.#gaps(key, to).some(({ sureAt }) => sureAt > from));
  }

  /** The most that may have been resolved since then (ms). */
  resolvedSince(from: number): number {
    return [...this.keys].reduce(
      (sum, key) =>
        sum +
        this.of(key).filter(
          ({ status, requestedAt, acceptedAt }) =>
            status === 'resolved' && (acceptedAt ?? requestedAt + UNANSWERED_MS) >= from,
        ).length,
      0,
    );
  }

  /** The most that may have expired between these times (ms). */
  expiredSince(from: number, to: number): number {
    const isExpiry = ({ sureAt, isRenamed }: Gap): boolean => isRenamed !== true && sureAt > from - EDGE_MS;
    return [...this.keys].reduce((sum, key) => sum + this.#gaps(key, to).filter(isExpiry).length, 0);
  }

  /** True if it expired, and its sender said afterwards that it is over. */
  isOverLate(key: string, at: number): boolean {
    const expiredAt = this.expiredAt(key, at);
    const isRenamed = this.renames.some(({ until }) => until >= expiredAt);
    const last = this.of(key).at(-1);
    return (
      expiredAt > -Infinity &&
      !isRenamed &&
      last?.status === 'resolved' &&
      last.isByHand !== true &&
      last.acceptedAt !== null &&
      this.of(key).every(({ status, requestedAt }) => status === 'resolved' || requestedAt < expiredAt)
    );
  }

  /** Its status, as far as its sender was answered. */
  statusOf(key: string, at: number): Change['status'] | 'expired' {
    const last = this.of(key).findLast(({ acceptedAt }) => acceptedAt !== null);
    if (last === undefined || last.status === 'resolved') return 'resolved';
    return this.expiredAt(key, at) > last.requestedAt ? 'expired' : 'firing';
  }

  /** The ends of what is known of it: by renames, and by times in which nobody spoke of it for too long, or nearly. */
  #gaps(key: string, at: number): readonly Gap[] {
    const renames = this.renames.filter(({ until }) => until < at);
    const byName = renames.map(({ until }): Gap => ({ isSure: true, sureAt: until, isRenamed: true }));
    const gaps = [...this.#silentGaps(key, at), ...byName];
    return byName.length === 0 ? gaps : gaps.toSorted((one, other) => one.sureAt - other.sureAt);
  }

  /** Those in which it may have been open. */
  #silentGaps(key: string, at: number): readonly Gap[] {
    if (this.#expiresMs === Infinity) return [];
    /** Since then it may have been heard of, and surely was: what was refused, or not answered, was perhaps not heard. */
    let heardAt = Infinity;
    let surelyHeardAt = Infinity;
    const now: Change = { status: 'resolved', requestedAt: at, acceptedAt: null };
    const heard = this.of(key).filter(({ isByHand, acceptedAt }) => isByHand !== true || acceptedAt !== null);
    return [...heard, now].flatMap((change) => {
      const { status, requestedAt, acceptedAt } = change;
      const isPast = (sureAt: number): boolean => requestedAt > sureAt - 2 * EDGE_MS;
      const sureAt = heardAt + this.#expiresMs + EDGE_MS;
      const earliestAt = surelyHeardAt + this.#expiresMs + EDGE_MS;
      const isOver = status === 'resolved' && acceptedAt !== null;
      heardAt = isOver ? Infinity : (acceptedAt ?? requestedAt);
      if (acceptedAt !== null || isPast(sureAt)) surelyHeardAt = isOver ? Infinity : (acceptedAt ?? Infinity);
      if (isPast(sureAt)) return [{ isSure: requestedAt > sureAt, sureAt }];
      const isKnown = acceptedAt !== null || change === now;
      return isKnown && isPast(earliestAt) ? [{ isSure: false, sureAt: earliestAt }] : [];
    });
  }
}
