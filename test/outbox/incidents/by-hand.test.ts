import { describe, expect, it } from 'vitest';
import { route, type IncidentsBench } from './bench.ts';
import { ANNA, refTo, staged, story, type Scene } from './story.ts';

const REPEATED: Scene = {
  routes: [route({ incident: { key: '{{ item.name }}', resolved: 'item.x', repeat: '4h' } })],
};
const repeated = story(REPEATED);
const holder = (one: IncidentsBench) => one.incident({ ...refTo('disk'), phone: ANNA }).acknowledged;

describe('an incident that a person has', () => {
  it('is not repeated, also while it fires again and over a restart, and its resolution goes to who was notified', () => repeated`
    +disk                                       > +disk =1
    ack anna disk; crash; +disk; 23h 59m; -disk > -disk =0
  `);

  it('is of the first who says so, and of the next one, for as long as they said, once that one takes it back', () =>
    staged(REPEATED, async (one, tell) => {
      const { now } = one;
      await tell`
        +disk > +disk =1
        ack anna disk; 1h; ack ben disk
      `;
      expect(holder(one)).toMatchObject({ by: 'anna', at: now });
      await tell`1h; ack anna disk; back anna disk`;
      expect(holder(one)).toMatchObject({ by: 'ben', at: now + 3_600_000 });
      await tell`after 23h > +disk =1`;
    }));

  it('is nobody’s when all who said so have taken that back', () =>
    staged(REPEATED, async (one, tell) => {
      await tell`
        +disk > +disk =1
        ack anna disk; ack ben disk; ack cleo disk; ack ben disk; back ben disk; back anna disk
      `;
      expect(holder(one)?.by).toBe('cleo');
      await tell`back cleo disk`;
      expect(holder(one)).toBeNull();
    }));

  it('is theirs for no longer because of somebody who takes that back', () => repeated`
    +disk                                               > +disk =1
    ack anna disk; 20h; ack ben disk; back ben disk; 4h > +disk =1
  `);

  it('is nobody’s once it opens again, and is repeated', () => repeated`
    +disk                > +disk =1
    ack anna disk; -disk > -disk =0
    +disk                > +disk =1
    4h                   > =1
  `);

  it('is still notified to who was not, since a call failed', () => repeated`
    calls failed; +disk; ack anna disk; calls sent; retry > +disk =1 anna has it: disk
    23h 59m
  `);

  it('keeps the interval of its group, also when all the others have resolved', () => story({
    routes: [route({ group: { wait: '1s', interval: '5m' } })],
    items: () => ({ group: 'db' }),
  })`
    +disk +fan; 1h           > +disk +fan =2
    ack anna disk; -fan; 1m  > -fan =1
    crash; +heat; 3m 59s; 5s > +heat =2
  `);
});
