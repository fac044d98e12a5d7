import { describe, expect, it } from 'vitest';
import { route } from './bench.ts';
import { BEN, staged, story, type Scene } from './story.ts';

const QUIET = { from: '22:00', to: '07:00', timezone: 'UTC' };
const plain = story({});

/** A route to a list with quiet hours: its items wait for the morning, and belong to no incident. */
const loneBy = (over: object = {}): Scene => ({
  routes: [
    route({ incident: undefined, quiet: QUIET, send: { kind: 'text', message: '{{ item.name }}' }, ...over }),
  ],
});
const lone = story(loneBy());

describe('an item that belongs to no incident', () => {
  it('is sent at once, although a person cancelled the one before, which goes out with it', () => lone`
    pause; post first; cancel 1; go; post second > first | second
    outcomes                                     > notified notified
  `);

  it('is sent at once, although the one before died', () => lone`
    calls refused for good; post first; calls sent; post second > first | second
  `);

  it.each(['', 'crash'])('and cannot be sent is given up after a week (%s)', (crash) =>
    staged(loneBy(), async (one, tell) => {
      await tell`
        calls refused for good; post first; post second; ${crash}; 6d; outcomes > waiting waiting
        2d; outcomes                                                            > expired expired
        open                                                                    > 0
      `;
      const { length } = one.messages;
      await tell`2d`;
      expect(one.messages).toHaveLength(length);
    }),
  );

  it('waits for longer where nothing has failed', () => lone`
    pause; post paused; 10d; go > paused
  `);

  it('waits for longer behind a throttle, although an earlier message had died', () => story(
    loneBy({ throttle: [{ max: 1, per: '7d' }] }),
  )`
    calls refused for good; post first; calls sent; post second > first
    post third; outcomes                                        > notified waiting waiting
    8d                                                          > … 2 firing: • second • third
    outcomes                                                    > notified notified notified
  `);
});

describe('a resolution that cannot be sent', () => {
  it.each(['', 'crash'])('is given up after a week (%s)', (crash) =>
    staged({}, async (one, tell) => {
      await tell`
        +a                                             > +a =1
        calls refused for good; -a; ${crash}; 6d; open > 1
        2d; open                                       > 0
      `;
      const { length } = one.messages;
      await tell`2d`;
      expect(one.messages).toHaveLength(length);
    }),
  );

  it('waits for longer where nothing has failed', () => plain`
    +a                 > +a =1
    pause; -a; 10d; go > -a =0
  `);
});

describe('a count of what opened and closed in quiet hours', () => {
  const night: Scene = { routes: [route({ quiet: QUIET })], at: '23:00' };

  it.each(['', 'crash'])('that cannot be sent is given up after a week (%s)', (crash) =>
    staged(night, async (one, tell) => {
      await tell`
        calls refused for good; +a; -a; 6d 9h
      `;
      expect(one.messages.length).toBeGreaterThan(20);
      await tell`
        ${crash}; 1d
      `;
      const last = one.messages.length;
      await tell`2d`;
      expect(one.messages).toHaveLength(last);
      expect(one.incidents.open.subscribers.size).toBe(0);
      await tell`
        calls sent; +b > +b =1
      `;
    }),
  );

  it('is given up a week after the last of them', () => story(night)`
    calls refused for good; +a; -a; 5d; +b; -b; 5d 9h; calls sent; 7h > … 2 opened and resolved meanwhile
  `);

  it('waits for longer where nothing has failed', () => story(night)`
    pause; +a; -a; 10d 9h; go > … 1 opened and resolved meanwhile
  `);

  it('and of what is open, that is retried, is tried at once when something else opens', () => story(night)`
    +a +b; calls failed; 8h; states > retrying
    1m; calls sent; +c              > … 3 firing: • a • b • c
  `);
});

describe('what had no part in a message that was not sent', () => {
  const briefly = { expires: '1m' };

  it('is tried after it, once', () => story({ routes: [route(briefly)] })`
    pause; +a; +b; states       > queued
    cancel 1; run; states       > cancelled queued
    cancel 2; crash; 1d; states > cancelled cancelled
    go; +c                      > +a =1 | +b =1 | +c =1
  `);

  it('is tried when it is due, after its group’s wait; once something is sent, what was cancelled is due, too', () => story(
    { routes: [route({ ...briefly, group: { wait: '30s' } })], items: (name) => ({ group: name }) },
  )`
    pause; +a; 20s; +b; 15s; cancel 1; go; 1m > +b =1 | +a =1
  `);

  it('is tried when what inhibits it ends', () => story({
    routes: [
      route({ name: 'cluster', to: BEN }),
      route({ incident: { key: '{{ item.name }}', inhibited_by: 'cluster/eu' } }),
    ],
    items: (name) => (name === 'held' ? { inhibitedBy: ['alerts/cluster/eu'] } : {}),
  })`
    +cluster/eu @ben                                 > ben: +eu =1
    +held; pause; +a; cancel 2; go; -cluster/eu @ben > +held =1 | +a =1 | ben: -eu =0
    1m
  `);

  it('after a dead one waits as well: it is the same number', () => plain`
    calls pending; +a; +b; calls refused for good; end refused for good; states > dead dead
    5m; states                                                                  > dead dead
  `);
});
