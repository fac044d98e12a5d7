import { describe, it } from 'vitest';
import { route } from './bench.ts';
import { ANNA, BEN, BOSS, story } from './story.ts';

const by = (over: object = {}, incident: object = {}) =>
  route({
    incident: { key: '{{ item.name }}', resolved: 'item.status == "resolved"', ...incident },
    ...over,
  });

/** Ben takes over at midnight. */
const TEAM = {
  recipients: {
    team: {
      people: { anna: ANNA, ben: BEN },
      // fixed date: the story has its own clock
      rotation: { order: ['anna', 'ben'], every: '1d', from: '2026-07-01T00:00', timezone: 'UTC' },
    },
  },
};

describe('a notification says why it goes out now:', () => {
  it('first, new, resolved', () => story({
    routes: [by({ group: { wait: '1s' } })],
    items: () => ({ group: 'db' }),
  })`
    +a; 1s > …
    +b; 5m > …
    -a -b  > …
    whys > first new resolved
  `);

  it('repeat', () => story({ routes: [by({}, { repeat: '4h' })] })`
    +a > …
    4h > …
    whys > first repeat
  `);

  it('escalated, for the people of a step', () => story({
    routes: [by({ escalate: [{ after: '10m', to: [BOSS] }] })],
  })`
    +a  > …
    10m > …
    whys > first escalated
  `);

  it('unacknowledged', () => story({ routes: [by({ acknowledged_for: '1h' })] })`
    +a             > …
    ack anna a; 1h > …
    whys > first unacknowledged
  `);

  it('flapping, stable', () => story({
    routes: [by({}, { flapping: { changes: 3, per: '30m' } })],
    items: () => ({ flapping: { changes: 3, perMs: 1_800_000 } }),
  })`
    +a  > …
    -a  > …
    +a  > …
    30m > …
    whys > first resolved flapping stable
  `);

  it('corrected, when an earlier message may not have arrived', () => story({})`
    calls dead and uncertain; +a; calls sent; 5m > …
    whys > first corrected
  `);

  it('turn, joined', () => story({ routes: [by({ to: 'team' })], set: TEAM })`
    +a > …
    1d > …
    1d > …
    whys > first joined turn
  `);

  it('removed', () => story({ published: { other: { routes: [by({ name: 'other' })] } } })`
    +a            > …
    publish other > …
    whys > first removed
  `);

  it('digest, of what a throttle held back', () => story({
    routes: [by({ throttle: [{ max: 1, per: '10m' }] })],
  })`
    +a          > …
    +b; +c; 10m > …
    whys > first digest
  `);

  it('morning', () => story({
    at: '23:00',
    routes: [by({ to: 'team' })],
    set: {
      recipients: {
        team: { numbers: [ANNA], quiet: { from: '22:00', to: '07:00', timezone: 'UTC', do: 'hold' } },
      },
    },
  })`
    +a; 07:00 > …
    whys > morning
  `);
});
