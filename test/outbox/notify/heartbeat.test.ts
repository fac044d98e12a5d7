import fc from 'fast-check';
import { expect } from 'vitest';
import { configOf } from '../../ingest/support.ts';
import { Heartbeats, watchedSources, type Heartbeat } from '../../../src/outbox/notify/heartbeat.ts';
import { it } from '../it.ts';
import { countRows, empty, HOUR, MINUTE, START } from '../support.ts';

const beat = (over: Partial<Heartbeat> = {}): Heartbeat => ({
  source: 'shop',
  expectedMs: HOUR,
  lastAt: null,
  ...over,
});

/** The kinds of what is reported of a source. */
const look = (heartbeats: Heartbeats, now: number, ...beats: readonly Heartbeat[]): readonly string[] =>
  heartbeats.check(beats, now).map(({ isSilent }) => (isSilent ? 'source.silent' : 'source.back'));

it('a source is reported once when it is silent for too long, and once when it is back', ({ sql }) => {
  const heartbeats = new Heartbeats(sql);
  const at = (minutes: number, heardOf: number) =>
    look(heartbeats, START + minutes * MINUTE, beat({ lastAt: START + heardOf * MINUTE }));
  const looks = [
    [0, 0],
    [60, 0],
    [61, 0],
    [65, 0],
    [70, 69],
    [75, 69],
    [200, 69],
  ] as const;
  const reported = [[], [], ['source.silent'], [], ['source.back'], [], ['source.silent']];
  expect(looks.map(([minutes, heardOf]) => at(minutes, heardOf))).toEqual(reported);
});

it('a source never heard of, or long ago, has its whole time from when it is watched', ({ sql }) => {
  for (const lastAt of [null, START - 100 * HOUR]) {
    empty(sql);
    const heartbeats = new Heartbeats(sql);
    const reported = [0, HOUR, HOUR + 1].map((ms) => look(heartbeats, START + ms, beat({ lastAt })));
    expect(reported).toEqual([[], [], ['source.silent']]);
  }
});

it('a source that nobody watches any more is forgotten, and begins anew when somebody does', ({ sql }) => {
  const heartbeats = new Heartbeats(sql);
  look(heartbeats, START, beat());
  expect(heartbeats.watched()).toEqual({ shop: START });
  expect(look(heartbeats, START + 2 * HOUR)).toEqual([]);
  expect(heartbeats.watched()).toEqual({});
  expect(look(heartbeats, START + 3 * HOUR, beat())).toEqual([]);
  expect(heartbeats.watched()).toEqual({ shop: START + 3 * HOUR });
});

it('a source costs a row when it changes, and none while it does not', ({ sql }) => {
  const heartbeats = new Heartbeats(sql);
  look(heartbeats, START, beat());
  const rows = countRows(sql);
  for (let minute = 0; minute < 60; minute += 5) look(heartbeats, START + minute * MINUTE, beat());
  expect(rows.written()).toBe(0);
  look(heartbeats, START + 2 * HOUR, beat());
  expect(rows.written()).toBe(1);
});

it('silent and back are reported in turns, whenever it is looked at', ({ sql }) => {
  const looks = fc.array(fc.record({ pass: fc.nat(2 * HOUR), heard: fc.boolean(), restart: fc.boolean() }));
  fc.assert(
    fc.property(looks, (list) => {
      empty(sql);
      let heartbeats = new Heartbeats(sql);
      let now = START;
      let lastAt: number | null = null;
      const reported: string[] = [];
      for (const { pass, heard, restart } of list) {
        now += pass;
        if (heard) lastAt = now;
        if (restart) heartbeats = new Heartbeats(sql);
        reported.push(...look(heartbeats, now, beat({ lastAt })));
      }
      expect(reported).toEqual(reported.map((_, at) => (at % 2 === 0 ? 'source.silent' : 'source.back')));
    }),
  );
});

it('the next look is at once for a source that is new or watched no more', ({ sql }) => {
  const heartbeats = new Heartbeats(sql);
  expect(heartbeats.nextAt([], START)).toBeNull();
  expect(heartbeats.nextAt([beat()], START)).toBe(START);
  look(heartbeats, START, beat());
  expect(heartbeats.nextAt([], START + 1)).toBe(START + 1);
  expect(heartbeats.nextAt([beat({ source: 'form' })], START + 1)).toBe(START + 1);
});

it('the next look is when a source is overdue, or a silent one is back', ({ sql }) => {
  const heartbeats = new Heartbeats(sql);
  const beats = [beat({ lastAt: START + 5 }), beat({ source: 'form', expectedMs: 2 * HOUR })];
  look(heartbeats, START, ...beats);
  const at = START + 5 + HOUR + 1;
  expect(heartbeats.nextAt(beats, START)).toBe(at);
  expect([look(heartbeats, at - 1, ...beats), look(heartbeats, at, ...beats)]).toEqual([
    [],
    ['source.silent'],
  ]);
  expect(heartbeats.isSilent('shop')).toBe(true);
  expect(heartbeats.nextAt(beats, at)).toBe(START + 2 * HOUR + 1);
  const back = [beat({ lastAt: at + 1 }), ...beats.slice(1)];
  expect(heartbeats.nextAt(back, at + 2)).toBe(at + 2);
  look(heartbeats, at + 2, ...back);
  expect(heartbeats.isSilent('shop')).toBe(false);
});

it('the sources that are watched are those of the account that have a heartbeat', () => {
  const open = { verify: { scheme: 'none' } };
  const shop = { ...open, heartbeat: '1h' };
  const sources = { shop, quiet: open, other: { ...shop, account: 'sales' } };
  const config = configOf(sources, { accounts: { sales: {} } });
  expect(watchedSources(config, 'default')).toEqual([{ source: 'shop', expectedMs: HOUR }]);
});
