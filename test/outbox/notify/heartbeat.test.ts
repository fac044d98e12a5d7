import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configOf } from '../../ingest/support.ts';
import {
  Heartbeats,
  silentFor,
  watchedSources,
  type Heartbeat,
} from '../../../src/outbox/notify/heartbeat.ts';
import { countRows, empty, HOUR, MINUTE, START } from '../support.ts';
import { inStorage } from '../in-storage.ts';

const beat = (over: Partial<Heartbeat> = {}): Heartbeat => ({
  source: 'shop',
  expectedMs: HOUR,
  lastAt: null,
  ...over,
});

const kinds = (changes: ReturnType<Heartbeats['check']>): readonly string[] =>
  changes.map(({ notification }) => notification.kind);

describe('a watched source', () => {
  it('is reported once when it is silent for longer than expected, and once when it is back', () =>
    inStorage(({ storage: { sql } }) => {
      const heartbeats = new Heartbeats(sql);
      const at = (minutes: number, lastAt: number) =>
        kinds(heartbeats.check([beat({ lastAt })], 'default', START + minutes * MINUTE));
      expect(at(0, START)).toEqual([]);
      expect(at(60, START)).toEqual([]);
      expect(at(61, START)).toEqual(['source.silent']);
      expect(at(65, START)).toEqual([]);
      expect(at(70, START + 69 * MINUTE)).toEqual(['source.back']);
      expect(at(75, START + 69 * MINUTE)).toEqual([]);
      expect(at(200, START + 69 * MINUTE)).toEqual(['source.silent']);
    }));

  it('that was never heard of counts from when it is watched, not from the beginning of time', () =>
    inStorage(({ storage: { sql } }) => {
      const heartbeats = new Heartbeats(sql);
      expect(heartbeats.check([beat()], 'default', START)).toEqual([]);
      expect(heartbeats.check([beat()], 'default', START + HOUR)).toEqual([]);
      expect(kinds(heartbeats.check([beat()], 'default', START + HOUR + 1))).toEqual(['source.silent']);
    }));

  it('whose last event is old when its heartbeat is published gets its whole time first', () =>
    inStorage(({ storage: { sql } }) => {
      const heartbeats = new Heartbeats(sql);
      const old = beat({ lastAt: START - 100 * HOUR });
      expect(heartbeats.check([old], 'default', START)).toEqual([]);
      expect(kinds(heartbeats.check([old], 'default', START + HOUR + 1))).toEqual(['source.silent']);
    }));

  it('is reported in words that a person can act on', () =>
    inStorage(({ storage: { sql } }) => {
      const heartbeats = new Heartbeats(sql);
      heartbeats.check([beat(), beat({ source: 'form' })], 'sales', START - 2 * HOUR);
      const lastAt = START - 90 * MINUTE;
      const [shop, form] = heartbeats.check([beat({ lastAt }), beat({ source: 'form' })], 'sales', START);
      expect(shop?.silentMs).toBe(90 * MINUTE);
      expect(shop?.notification).toEqual({
        kind: 'source.silent',
        account: 'sales',
        at: new Date(START).toISOString(),
        text: `hookbell: the source shop has sent no webhook for more than 1h. The last one came at ${new Date(lastAt).toISOString()}; check that it is still set up at its provider.`,
      });
      expect(form?.notification.text).toContain('It has never sent any');
      const [back] = heartbeats.check([beat({ lastAt: START })], 'sales', START + 1);
      expect(back?.notification.text).toBe('hookbell: the source shop sends webhooks again.');
    }));

  it('is forgotten when nobody watches it any more, and begins anew when somebody does', () =>
    inStorage(({ storage: { sql } }) => {
      const heartbeats = new Heartbeats(sql);
      heartbeats.check([beat()], 'default', START);
      expect(heartbeats.watched()).toEqual({ shop: START });
      expect(heartbeats.check([], 'default', START + 2 * HOUR)).toEqual([]);
      expect(heartbeats.watched()).toEqual({});
      expect(heartbeats.check([beat()], 'default', START + 3 * HOUR)).toEqual([]);
      expect(heartbeats.watched()).toEqual({ shop: START + 3 * HOUR });
    }));

  it('costs a row when it changes, and none while it does not', () =>
    inStorage(({ storage: { sql } }) => {
      const heartbeats = new Heartbeats(sql);
      heartbeats.check([beat()], 'default', START);
      const rows = countRows(sql);
      for (let minute = 0; minute < 60; minute += 5)
        heartbeats.check([beat()], 'default', START + minute * MINUTE);
      expect(rows.written()).toBe(0);
      heartbeats.check([beat()], 'default', START + 2 * HOUR);
      expect(rows.written()).toBe(1);
    }));
});

describe('whenever it is looked at, and whenever the object stops', () => {
  it('silent and back are reported in turns', () =>
    inStorage(({ storage: { sql } }) => {
      const looks = fc.array(
        fc.record({ pass: fc.nat(2 * HOUR), heard: fc.boolean(), restart: fc.boolean() }),
      );
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
            reported.push(...kinds(heartbeats.check([beat({ lastAt })], 'default', now)));
          }
          expect(reported).toEqual(
            reported.map((_, index) => (index % 2 === 0 ? 'source.silent' : 'source.back')),
          );
        }),
      );
    }));
});

const inHeartbeats = (body: (heartbeats: Heartbeats) => void) =>
  inStorage(({ storage: { sql } }) => body(new Heartbeats(sql)));

describe('the next look', () => {
  it('is never where nothing is watched', () =>
    inHeartbeats((heartbeats) => {
      expect(heartbeats.nextAt([], START)).toBeNull();
    }));

  it('is at once for a source that is new, or watched no more', () =>
    inHeartbeats((heartbeats) => {
      expect(heartbeats.nextAt([beat()], START)).toBe(START);
      heartbeats.check([beat()], 'default', START);
      expect(heartbeats.nextAt([], START + 1)).toBe(START + 1);
      expect(heartbeats.nextAt([beat({ source: 'form' })], START + 1)).toBe(START + 1);
    }));

  it('is at the very moment when the first source is overdue: then it is, and a millisecond before it is not', () =>
    inHeartbeats((heartbeats) => {
      const beats = [beat({ lastAt: START + 5 }), beat({ source: 'form', expectedMs: 2 * HOUR })];
      heartbeats.check(beats, 'default', START);
      const at = heartbeats.nextAt(beats, START) ?? 0;
      expect(at).toBe(START + 5 + HOUR + 1);
      expect(heartbeats.check(beats, 'default', at - 1)).toEqual([]);
      expect(kinds(heartbeats.check(beats, 'default', at))).toEqual(['source.silent']);
      expect(heartbeats.isSilent('shop')).toBe(true);
      expect(heartbeats.nextAt(beats, at)).toBe(START + 2 * HOUR + 1);
    }));

  it('of a silent source is when it is back', () =>
    inHeartbeats((heartbeats) => {
      heartbeats.check([beat()], 'default', START - 2 * HOUR);
      heartbeats.check([beat()], 'default', START);
      expect(heartbeats.nextAt([beat()], START)).toBeNull();
      const back = [beat({ lastAt: START + 1 })];
      expect(heartbeats.nextAt(back, START + 2)).toBe(START + 2);
      heartbeats.check(back, 'default', START + 2);
      expect(heartbeats.isSilent('shop')).toBe(false);
    }));
});

describe('how long a source is silent', () => {
  it.each([
    [null, 10, 15, 5],
    [5, 10, 15, 5],
    [12, 10, 15, 3],
  ])('last heard of at %s, watched since %d, at %d: %d', (lastAt, since, now, silent) => {
    expect(silentFor(lastAt, since, now)).toBe(silent);
  });
});

describe('the sources that are watched', () => {
  it('are those of the account that have a heartbeat', () => {
    const open = { verify: { scheme: 'none' } };
    const config = configOf(
      {
        shop: { ...open, heartbeat: '1h' },
        quiet: open,
        other: { ...open, heartbeat: '1h', account: 'sales' },
      },
      { accounts: { sales: {} } },
    );
    expect(watchedSources(config, 'default')).toEqual([{ source: 'shop', expectedMs: HOUR }]);
  });
});
