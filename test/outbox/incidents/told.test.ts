import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOutdated, newestOf, type Told } from '../../../src/outbox/incidents/incident.ts';
import { route } from './bench.ts';
import { story } from './story.ts';

const INCIDENT = { key: '{{ item.name }}', resolved: 'item.status == "resolved"' };
const LIST = { recipients: { all: { numbers: ['4915112345678', '4915112345679'] } } };

/** Two people; Carl is woken after ten minutes; reminders after an hour. */
const ON_CALL = {
  routes: [
    route({
      to: 'all',
      incident: { ...INCIDENT, repeat: '1h' },
      escalate: [{ after: '10m', to: ['4915112345680'] }],
    }),
  ],
  set: LIST,
};

const LASTED =
  '{% for one in new %}+{{ one.item.name }} since {{ one.started_at | date: "%H:%M" }} {% endfor %}{% for one in resolved %}-{{ one.item.name }} {{ one.duration_ms | divided_by: 60000 }}m until {{ one.resolved_at | date: "%H:%M" }} {% endfor %}';
const DURATIONS = { routes: [route({ send: { kind: 'text', message: LASTED } })] };

/** What is known after these came, one after the other. */
const last = (all: readonly Told[]): Told | null =>
  all.reduce<Told | null>((known, one) => (isOutdated(known, one) ? known : one), null);

describe('what is told later than something newer', () => {
  it('opens nothing once the end is known, whatever is as old or older, but a later opening does', () =>
    story({})`
      +a~11:50 > +a =1
      -a~11:55 > -a =0
      +a~11:50; +a~11:55; open > 0
      +a~11:56 > +a =1
      outcomes > notified notified outdated outdated notified`);

  it('ends nothing that opened since', () =>
    story({})`
      +a~11:50 > +a =1
      -a~11:49; open > 1
      -a~11:50 > -a =0`);

  it('ends nothing that opened since, although the opening before it was in the future when it came', () =>
    story({})`
      +a~now12:00/12:04 > +a =1
      6m; -a~12:05 > -a =0
      5m; +a~12:10 > +a =1
      -a~12:04; restart; -a~12:04; open > 1
      -a~12:11 > -a =0`);

  it('is remembered for a day if it is the end of what has not opened yet', () =>
    story({})`
      -a~11:55; +a~11:50; +a~11:55; open > 0
      outcomes > resolved outdated outdated
      +a~11:56 > +a =1
      -b~11:55; 23h; restart; +b~11:50; open > 1
      1h; +b~11:50 > +b =1`);

  it('is not what counts as now, although the clock of its machine is behind', () =>
    story({})`
      +a~11:50 > +a =1
      -a~now11:49 > -a =0
      +a~11:50; open > 0
      +a~11:51 > +a =1`);

  it('is the same opening by a clock that is fast, once its time is not in the future any more', () =>
    story({})`
      +a~now12:00/12:04 > +a =1
      1m; -a~now12:01/12:05 > -a =0
      restart; 10m; +a~12:04; open > 0
      23h; restart; +a~12:04; open > 0
      +a~12:06 > +a =1`);

  it('is older by the same fast clock: an opening that its end overtook, or that comes again', () =>
    story({})`
      -a~now12:00/12:05; restart; 1m; +a~now12:01/12:04; open > 0
      outcomes > resolved outdated
      +a~now12:01/12:06 > +a =1
      1m; -a~now12:02/12:07 > -a =0
      restart; 1m; +a~now12:03/12:06; open > 0
      +a~now12:03/12:08 > +a =1`);

  it('is never an opening whose time is in the future whenever it comes', () =>
    story({})`
      +a~now12:00/23:00 > +a =1
      1m; -a~now12:01/23:00 > -a =0
      1m; +a~now12:02/22:00 > +a =1`);

  it('counts as heard, so that its incident does not expire', () =>
    story({ routes: [route({ incident: { ...INCIDENT, expires: '1h' } })] })`
      +a~11:50 > +a =1
      50m; -a~11:49; 50m; open > 1
      11m; open > 0`);

  it('opens nothing for somebody who is new on the list', () =>
    story({})`
      +a~11:50 > +a =1
      -a~11:55 > -a =0
      +a~11:50 @anna @ben; open > 0`);

  it('is a matter of the order in which things were so, not of the order in which they come', () => {
    const told = fc.record({ at: fc.nat(3), isEnd: fc.boolean() });

    fc.assert(
      fc.property(fc.array(told, { maxLength: 6 }), (all) => {
        expect(last(all)).toEqual(last(all.toReversed()));
        expect(newestOf(all)).toEqual(last(all));
      }),
    );
  });
});

it('a problem began and ended when its sender says so', () =>
  story(DURATIONS)`
    +a~08:40 > +a since 08:40
    10m; -a~12:05 > -a 205m until 12:05
    +b > +b since 12:10
    10m; -b > -b 10m until 12:20`);

describe('a sender who says that somebody has an incident', () => {
  it('does what a press does: all who know hear of it, no reminder follows, and nobody is woken', () =>
    story(ON_CALL)`
      +a~11:59 @anna @ben > +a =1 | ben: +a =1
      1m; !a~12:00 @anna @ben > Lea has it: a | ben: Lea has it: a
      !a~12:01 @anna @ben; 3h
      -a~15:00 @anna @ben > -a =0 | ben: -a =0`);

  it('takes it back: all hear of that, too, and the steps go on', () =>
    story(ON_CALL)`
      +a @anna @ben > +a =1 | ben: +a =1
      1m; !a @anna @ben > Lea has it: a | ben: Lea has it: a
      1h; ?a @anna @ben > Lea no longer has it: a | =1 | ben: Lea no longer has it: a | ben: =1
      after 9m > carl: +a =1 Not acknowledged since …`);

  it('leaves alone who pressed', () =>
    story(ON_CALL)`
      +a @anna @ben > +a =1 | ben: +a =1
      ack anna a; !a @anna @ben; ?a @anna @ben; 3h`);

  it('is believed before the opening comes, and not after something newer', () =>
    story(ON_CALL)`
      !a~11:55 @anna @ben; +a~11:50 @anna @ben > +a =1 Lea has it: a | ben: +a =1 Lea has it: a
      3h
      ?a~11:56 @anna @ben > …
      !a~11:54 @anna @ben; after 10m > …carl: …`);

  it('is believed for `acknowledged_for` from when that came, also if the opening came later', () =>
    story({ ...ON_CALL, routes: ON_CALL.routes.map((one) => ({ ...one, acknowledged_for: '30m' })) })`
      !a~11:55 @anna @ben; 20m; +a~11:50 @anna @ben > +a =1 Lea has it: a | ben: +a =1 Lea has it: a
      after 10m > +a =1 | ben: +a =1
      after 10m > carl: +a =1 Not acknowledged since …
      !b~12:35 @anna @ben; 31m; +b~12:30 @anna @ben > +b =1 | ben: +b =1
      after 10m > carl: +b =1 Not acknowledged since …`);

  it('opens nothing', () =>
    story(ON_CALL)`
      !a @anna @ben; open > 0
      outcomes > outdated outdated`);
});
