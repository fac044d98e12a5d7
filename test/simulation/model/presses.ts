import type { Changes } from './changes.ts';
import { Effects, type Effect } from './effects.ts';
import { SETTLING_MS, type Holds } from './holds.ts';
import { isOfSame, isSameQuestion, nameOf, type Link, type Page } from './link.ts';
import type { Members } from './members.ts';
import type { Phones } from './phones.ts';
import { MOMENT_MS, type Press } from './press.ts';
import type { Report } from './report.ts';

/** A request, at its time. `isLost`: an answer to it was lost. */
export interface Asked {
  readonly at: number;
  readonly isLost: boolean;
}

/** The same, of a press that is taken back. */
export interface AskedBack extends Asked {
  /** By how much clocks were wrong at most, in the time of the press (ms). */
  readonly clockOffMs: number;
}

/** A press can be taken back for so long (ms). */
const TAKE_BACK_MS = 60_000;

/** The relay knows of a message that was sent this long before a press (ms). */
const KNOWN_MS = 60_000;

export interface PressFacts {
  readonly changes: Changes;
  readonly phones: Phones;
  readonly members: Members;
  readonly holds: Holds;
  /** Absent as long as it is made. */
  readonly steps?: { readonly phones: ReadonlySet<string> };
}

/** The rules that decide how long a press lasts, in ms. */
export interface PressRules {
  readonly pressedSilenceMs: number;
  readonly acknowledgedForMs: number;
  /** With steps, a question about an incident that is held back meanwhile is asked anew. */
  readonly steps: readonly unknown[];
}

/** Presses of links: each that was answered as done is done, once, and whoever comes later reads who did it. */
export class Presses {
  readonly #report: Report;
  readonly #facts: PressFacts;
  readonly #effects: Effects;
  readonly #rules: PressRules;
  readonly #all: Press[] = [];
  readonly #effectOf = new Map<Press, Effect>();

  constructor(report: Report, facts: PressFacts, rules: PressRules) {
    this.#report = report;
    this.#facts = facts;
    this.#effects = new Effects(facts, rules.pressedSilenceMs);
    this.#rules = rules;
  }

  get all(): readonly Press[] {
    return this.#all;
  }

  /** Somebody presses a link. A link that is pressed a second time at the same moment is the same press. */
  begins(link: Link, at: number): Press {
    const { changes } = this.#facts;
    const before = this.#all.findLast((one) => one.link.token === link.token);
    const isSame =
      before !== undefined &&
      before.state !== 'not' &&
      before.undo === null &&
      !this.#wasStirred(before, at) &&
      !this.#isAskedAnew(before, at) &&
      this.#isSteady(before, at);
    if (isSame) return before;
    const open = new Set(
      link.keys.filter((key) => changes.openSince(key, at) !== null && !changes.isDoubtful(key, at)),
    );
    const press: Press = {
      link,
      requestedAt: at,
      isAgain: before !== undefined && (before.undo === null || before.undo.doneAt === null),
      open,
      knew: new Map([...open].map((key) => [key, this.#othersWhoKnow(link, key, at)])),
      state: 'asked',
      endedAt: Infinity,
      undo: null,
    };
    this.#all.push(press);
    this.#effectOf.set(press, this.#effects.begin(press));
    return press;
  }

  #othersWhoKnow({ phone: own }: Link, key: string, at: number): readonly string[] {
    const { changes, members, phones, steps } = this.#facts;
    const since = changes.openSince(key, at) ?? at;
    return [...members.phones, ...(steps?.phones ?? [])].filter((phone) => {
      if (phone === own || !members.isSteady(phone) || phones.lastOn(phone, at).get(key) !== 'firing')
        return false;
      const said = phones.of(phone).findLast(({ says }) => says.some((one) => one.key === key));
      if (said === undefined || said.isUncertain || said.at > at - KNOWN_MS) return false;
      // Since it opened: otherwise a step has yet to call it.
      if (steps?.phones.has(phone) === true && said.at < since) return false;
      return !phones.unsure.since(phone, [key], said.at) && !phones.wasRefused(phone, key);
    });
  }

  answered(press: Press, page: Page, { at, isLost }: Asked): void {
    const wasAsked = press.state === 'asked';
    if (!wasAsked) return this.looks(press, page, at);
    this.#check(press, page, at);
    press.endedAt = at;
    // It may have been done, and its incidents have opened again since: before an answer that was lost, or before the page was read.
    const mayBeDone = (isLost || page.kind === 'open') && !this.#isSteady(press, at);
    press.state = page.kind === 'own' ? 'done' : mayBeDone ? 'unknown' : 'not';
    this.#effectOf.get(press)?.end(press.state, at);
  }

  /** A monitor was answered that says who has an incident: that does what a press does, and has no page. */
  told(press: Press, at: number): void {
    press.state = 'done';
    press.endedAt = at;
  }

  #isDead({ kind }: Page): boolean {
    return kind === 'dead' || (kind === 'withdrawn' && this.#facts.changes.renames.length === 0);
  }

  gaveUp(press: Press, at: number): void {
    if (press.state !== 'asked') return;
    press.state = 'unknown';
    press.endedAt = at;
    this.#effectOf.get(press)?.end('unknown', at);
  }

  /** Somebody opens the page later. */
  looks(press: Press, page: Page, at: number): void {
    const { link, state, undo } = press;
    if (this.#isDead(page)) return this.#report('a link that was sent works', nameOf(link));
    if (page.kind === 'withdrawn' || state !== 'done' || undo !== null || page.kind === 'own') return;
    if (!this.#isSteady(press, at)) return;
    // Whoever joins is asked, too: it is another question.
    if (this.#facts.members.hasAnyJoinedSince(press.requestedAt)) return;
    // A question about an incident that nobody has any more is asked anew.
    if (this.#wasStirred(press, at) || this.#isAskedAnew(press, at)) return;
    this.#report('a press that was answered is not lost', `${nameOf(link)}: its page says ${page.kind}`);
  }

  takesBack(press: Press, at: number): void {
    press.undo ??= { requestedAt: at, doneAt: null };
    this.#effectOf.get(press)?.undo(at);
  }

  tookBack(press: Press, page: Page, { at, isLost, clockOffMs }: AskedBack): void {
    const { link, undo, requestedAt, endedAt, isAgain } = press;
    if (undo === null) return;
    if (page.kind === 'own') {
      // It may say so of the press that came after.
      if (this.#isPressedAnew(press, undo.requestedAt)) return;
      if (!isLost) press.undo = null;
      const isInTime = at - requestedAt < TAKE_BACK_MS - clockOffMs - MOMENT_MS;
      if (isInTime && !isAgain && !this.#wasTakenBackBefore(press) && link.action !== 'resolve')
        this.#report('a press can be undone for a minute', nameOf(link));
      return;
    }
    const isLate = undo.requestedAt - endedAt > TAKE_BACK_MS + clockOffMs;
    if (!this.#isSteady(press, at) || this.#isAskedAnew(press, at)) return;
    // A question whose other press was taken back is asked anew, too.
    if (this.#wasStirred(press, at, press)) return;
    if (isLate || link.action === 'resolve') this.#report('after a minute a press stays', nameOf(link));
    undo.doneAt = at;
    this.#effectOf.get(press)?.undone(at);
  }

  /** A press of the link was taken back, or may have been: that is done once. */
  #wasTakenBackBefore(press: Press): boolean {
    return this.#all.some((one) => one !== press && one.link.token === press.link.token && one.undo !== null);
  }

  #isPressedAnew({ link }: Press, since: number): boolean {
    return this.#all.some((one) => one.link.token === link.token && one.requestedAt >= since);
  }

  /** True if none of its incidents may have opened again meanwhile. */
  #isSteady(press: Press, at: number): boolean {
    const { changes } = this.#facts;
    const from = press.requestedAt - MOMENT_MS;
    return !this.#covered(press).some((key) => changes.mayHaveReopened(key, from, at));
  }

  /** The incidents that it may be about: a message that only counts some may be about all that were open before. */
  #covered({ link, requestedAt }: Press): readonly string[] {
    const { changes } = this.#facts;
    if (!link.isWide) return link.keys;
    return [...changes.keys].filter((key) =>
      changes.of(key).some((one) => one.status === 'firing' && one.requestedAt <= requestedAt),
    );
  }

  #check(press: Press, page: Page, at: number): void {
    const { link, open, requestedAt } = press;
    const { changes } = this.#facts;
    const what = nameOf(link);
    switch (page.kind) {
      case 'dead':
      case 'withdrawn':
        if (this.#isDead(page)) this.#report('a link that was sent works', what);
        return;
      case 'open':
        if (this.#isSteady(press, at) && !this.#wasStirred(press, at) && !this.#isAskedAnew(press, at))
          this.#report('a press that is answered is taken', what);
        return;
      case 'own':
        return this.#checkDone(press, at);
      case 'other':
      case 'taken': {
        const mayHave = this.#all.some(
          (one) =>
            one !== press &&
            one.link.by === page.who &&
            one.link.action === (page.kind === 'taken' ? 'ack' : link.action) &&
            isOfSame(one.link, link),
        );
        if (!mayHave && link.order === null)
          this.#report('whoever presses second sees who was first', `${what}: ${page.who}`);
        return;
      }
      case 'resolved': {
        const key = [...open].find((one) => !changes.mayHaveEnded(one, requestedAt - MOMENT_MS, at));
        if (key !== undefined) this.#report('no page calls resolved what is open', `${what}: ${key}`);
      }
    }
  }

  #checkDone(press: Press, at: number): void {
    const { link, isAgain, requestedAt } = press;
    const { changes } = this.#facts;
    if (isAgain || link.isWide) return;
    const what = nameOf(link);
    // A message about an order that was sent anew asks anew.
    if (link.order !== null) return;
    const isOver = (key: string): boolean =>
      !changes.isDoubtful(key, at) && (changes.overSince(key, at) ?? Infinity) < requestedAt - MOMENT_MS;
    if (link.keys.every(isOver)) this.#report('what is over is not acted on', what);
    const first = this.#all.find(
      (one) =>
        one !== press &&
        one.state === 'done' &&
        one.undo === null &&
        one.link.action === link.action &&
        isSameQuestion(one.link, link) &&
        !this.#wasStirred(one, at) &&
        !this.#isAskedAnew(one, at) &&
        !link.keys.some((key) =>
          changes.mayHaveReopened(key, Math.min(one.requestedAt, requestedAt) - MOMENT_MS, at),
        ),
    );
    if (first !== undefined) this.#report('a question is answered once', `${what}, after ${first.link.by}`);
  }

  /** True if somebody may have taken something back meanwhile; `own`: a press that does not count. */
  #wasStirred({ link, requestedAt }: Press, at: number, own: Press | null = null): boolean {
    return this.#all.some(
      (one) =>
        one !== own &&
        one.undo !== null &&
        one.undo.requestedAt <= at &&
        (one.undo.doneAt ?? Infinity) >= requestedAt - MOMENT_MS &&
        isOfSame(one.link, link),
    );
  }

  /** The earliest time when an acknowledgement may be over (ms). Another press of the link may have changed nothing. */
  mayLapseFrom({ requestedAt, isAgain }: Press): number {
    return isAgain && this.#rules.steps.length > 0
      ? -Infinity
      : requestedAt + this.#rules.acknowledgedForMs - SETTLING_MS;
  }

  /** The time when it surely is (ms). */
  hasLapsedBy({ endedAt }: Press): number {
    return endedAt + this.#rules.acknowledgedForMs + SETTLING_MS;
  }

  /** True if an acknowledgement, a pressed silence, or a hold that stopped the steps may have ended meanwhile. */
  #isAskedAnew(press: Press, at: number): boolean {
    const { link, requestedAt } = press;
    const { holds } = this.#facts;
    const lapses = this.#all.some(
      (one) =>
        one.link.action === 'ack' &&
        one.state !== 'not' &&
        isOfSame(one.link, link) &&
        one.requestedAt + this.#rules.acknowledgedForMs - SETTLING_MS < at &&
        this.hasLapsedBy(one) > requestedAt,
    );
    // Whoever is notified of what is still open after a silence can silence it again.
    const isOver =
      link.action === 'silence' &&
      this.#all.some(
        (one) =>
          one.link.action === 'silence' &&
          one.state !== 'not' &&
          isOfSame(one.link, link) &&
          one.requestedAt + this.#rules.pressedSilenceMs - SETTLING_MS < at &&
          one.endedAt + this.#rules.pressedSilenceMs + SETTLING_MS > requestedAt,
      );
    const from = requestedAt - SETTLING_MS;
    return (
      isOver ||
      lapses ||
      (this.#rules.steps.length > 0 && this.#covered(press).some((key) => holds.mayHold(key, from, at)))
    );
  }

  /** The number of presses of an action that have surely made an event, and of those that may have. */
  count(action: string): { readonly sure: number; readonly most: number } {
    const all = this.#all.filter(({ link }) => link.action === action);
    return {
      sure: all.filter(({ state, isAgain }) => state === 'done' && !isAgain).length,
      most: all.filter(({ state }) => state !== 'not').length,
    };
  }
}
