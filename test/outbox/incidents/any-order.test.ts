import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isEnd,
  arrive,
  calling,
  expire,
  maybeNotified,
  notCalled,
  notified,
  pendingOf,
  resolve,
  stable,
  type Flaps,
  type Incident,
  type Said,
  type Statement,
} from '../../../src/outbox/incidents/incident.ts';
import { outcomesOf, saidNow } from './said.ts';

/** Some are here twice, or most stories would be short of them. */
const STEPS = [
  'fire',
  'fire',
  'resolve',
  'try',
  'try',
  'sent',
  'failed',
  'uncertain',
  'expire',
  'stable',
  'close',
] as const;

/**
 * The statement of the last message on the phone about the incident; `none` if there is no message, or its statement
 * expired before the incident opened again.
 */
type OnPhone = Statement | 'none';

/** One incident, and a phone that knows nothing but the messages that may have arrived. */
class Story {
  incident: Incident | null = null;
  onPhone: ReadonlySet<OnPhone> = new Set(['none']);
  #call: Said | null = null;
  readonly #flaps: Flaps | null;
  #seq = 0;
  #now = 0;

  constructor(flaps: Flaps | null) {
    this.#flaps = flaps;
  }

  get isCalling(): boolean {
    return this.#call !== null;
  }

  do(step: (typeof STEPS)[number]): void {
    this.#now += 1;
    const { incident } = this;
    if (step === 'fire' || step === 'resolve') this.#arrive(step === 'resolve');
    else if (incident === null) return;
    else if (step === 'try') this.#try(incident);
    else if (step === 'sent' || step === 'failed' || step === 'uncertain') this.#end(incident, step);
    else if (step === 'stable')
      this.incident = incident.flapping === 'no' ? incident : stable(incident, null);
    else if (incident.resolvedAt !== null) return;
    else if (step === 'close') this.incident = resolve(incident, null, null, this.#now);
    else if (!this.isCalling) this.incident = expire(incident, this.#now);
  }

  #arrive(isResolved: boolean): void {
    const rules = { flaps: this.#flaps, held: null, now: this.#now };
    if (this.incident?.lost === 'expired') this.onPhone = new Set([...this.onPhone, 'none']);
    this.incident = arrive(this.incident, { isResolved, isLone: false }, rules);
  }

  #try(incident: Incident): void {
    const said = this.isCalling ? null : saidNow(incident);
    if (said === null) return;
    this.#call = said;
    this.incident = calling(incident, said.statement);
  }

  #end(incident: Incident, how: 'sent' | 'failed' | 'uncertain'): void {
    if (this.#call === null) return;
    const said = this.#call;
    this.#call = null;
    if (how === 'failed') this.incident = notCalled(incident, null);
    else if (how === 'uncertain') {
      this.incident = maybeNotified(incident, said.statement);
      this.onPhone = new Set([...this.onPhone, said.statement]);
    } else {
      this.incident = notified(incident, said, (this.#seq += 1), this.#now);
      this.onPhone = new Set([said.statement]);
    }
  }
}

/** The statements that the last message may make when there is nothing, or nothing more, to notify of. */
const TRUE_OF = {
  nothing: ['none', 'resolved'],
  known: ['open', 'flapping'],
  muted: ['flapping'],
} as const;

const stories = fc.record({
  steps: fc.array(fc.constantFrom(...STEPS), { maxLength: 30, size: 'max' }),
  flaps: fc.constantFrom(null, { changes: 3, perMs: 10 }),
});

/** Holds in any story, after each step. `before`: the incident before it. */
function holds(check: (story: Story, incident: Incident, before: Incident | null) => void): void {
  fc.assert(
    fc.property(stories, ({ steps, flaps }) => {
      const story = new Story(flaps);
      for (const step of steps) {
        const before = story.incident;
        story.do(step);
        if (story.incident !== null) check(story, story.incident, before);
      }
    }),
    RUNS,
  );
}

const RUNS = { numRuns: 200 };

describe('in any order of items, calls and times', () => {
  it('each item gets one outcome, which never changes, and none waits when there is nothing to say', () => {
    holds((_, incident, before) => {
      const all = outcomesOf(incident);
      if (pendingOf(incident) === 'nothing') expect(all).not.toContain('waiting');
      const decided = before === null ? [] : outcomesOf(before).filter((outcome) => outcome !== 'waiting');
      expect(all.slice(0, decided.length)).toEqual(decided);
    });
  });

  it('the last message on the phone is true, or its incident expired, whenever nothing is to be notified', () => {
    holds(({ isCalling, onPhone }, incident) => {
      const pending = pendingOf(incident);
      if (
        isCalling ||
        incident.lost === 'expired' ||
        pending === 'opened' ||
        pending === 'flaps' ||
        isEnd(pending)
      )
        return;
      expect(TRUE_OF[pending]).toEqual(expect.arrayContaining([...onPhone]));
    });
  });

  it('a resolution is owed only to a phone that may say that it is open, an opening to one that may not', () => {
    holds(({ isCalling, onPhone }, incident) => {
      if (isCalling) return;
      const pending = pendingOf(incident);
      if (pending === 'resolved') expect(onPhone.has('open') || onPhone.has('flapping')).toBe(true);
      if (pending === 'opened') expect([...onPhone]).not.toEqual(['open']);
    });
  });

  it('one message that the gateway takes leaves nothing to be notified', () => {
    fc.assert(
      fc.property(stories, ({ steps, flaps }) => {
        const story = new Story(flaps);
        for (const step of [...steps, 'sent', 'try', 'sent'] as const) story.do(step);
        if (story.incident !== null) expect(Object.keys(TRUE_OF)).toContain(pendingOf(story.incident));
      }),
      RUNS,
    );
  });
});
