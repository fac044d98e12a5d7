import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { HOUR } from '../../src/lib/duration.ts';
import { errorsOf, setOf } from './support.ts';

const NOW = Date.now();
const at = (offsetMs: number): string => new Date(NOW + offsetMs).toISOString();
const WHEN = 'item.env == "staging"';
const errors = (document: object, name = 'night') => errorsOf({ silences: { [name]: document } });

const warnings = (document: object) =>
  compileConfig(setOf({ silences: { night: document } }), 1, NOW).warnings.map(
    ({ path, message }) => `${path}: ${message}`,
  );

describe('a silence', () => {
  it('has the times of its document, in ms, and is in force without end if it has none', () => {
    const silences = {
      all: { when: WHEN },
      night: {
        when: WHEN,
        from: '2026-01-31T22:00:00+01:00', // fixed date: `now` is an argument
        until: '2026-02-01T06:00:00.500Z', // fixed date: `now` is an argument
        every: { days: ['sun'], from: '02:00', to: '04:00', timezone: 'Europe/Berlin' },
        reason: 'maintenance',
      },
    };
    expect(compileConfig(setOf({ silences }), 1).config.silences).toMatchObject([
      { id: 'all', when: { source: WHEN }, from: null, until: null, every: null },
      {
        id: 'night',
        from: Date.UTC(2026, 0, 31, 21), // fixed date: `now` is an argument
        until: Date.UTC(2026, 1, 1, 6, 0, 0, 500), // fixed date: `now` is an argument
        every: { from: 120, to: 240, days: [0], timezone: 'Europe/Berlin' },
      },
    ]);
  });

  it.each([
    [{}, 'when: is required'],
    [{ when: 'itm.env' }, 'when: column 1: unknown name "itm" (did you mean "item"?)'],
    [{ when: 'items.env' }, 'when: column 1: unknown name "items"'],
    [{ when: WHEN, until: 'tomorrow' }, 'until: must be a time with its offset from UTC'],
    [{ when: WHEN, until: '2026-01-31T22:00:00' }, 'until: must be a time with its offset from UTC'], // fixed date: `now` is an argument
    [{ when: WHEN, until: '2026-01-31T25:00:00Z' }, 'until: must be a time with its offset from UTC'], // fixed date: `now` is an argument
    [{ when: WHEN, from: at(HOUR), until: at(0) }, 'until: must be after `from`'],
    [{ when: WHEN, from: at(HOUR), until: at(HOUR) }, 'until: must be after `from`'],
    [
      { when: WHEN, every: { from: '02:00', to: '02:00' } },
      'every.to: must differ from `from` (a whole day is "00:00" to "24:00")',
    ],
    [
      { when: WHEN, every: { from: '02:00', to: '03:00', timezone: 'Berlin' } },
      'every.timezone: must be an IANA time zone',
    ],
    [{ when: WHEN, evry: {} }, 'evry: unknown key `evry`; did you mean `every`?'],
  ])('is refused as %j', (document, error) => {
    expect(errors(document)[0]).toContain(`silences.night.${error}`);
  });

  it('may not have a name that looks like the id of one by hand', () => {
    expect(errors({ when: WHEN }, 'sil_abc')).toEqual([
      'silences.sil_abc: the name must not begin with `sil_`, as the ids of silences added by hand do',
    ]);
    expect(errors({ when: WHEN }, 'silent')).toEqual([]);
  });

  it('may be over already, with a warning', () => {
    expect(warnings({ when: WHEN, until: at(0) })).toEqual([
      'silences.night.until: is in the past: the silence no longer has any effect',
    ]);
    expect(warnings({ when: WHEN, until: at(1) })).toEqual([]);
  });

  it('has its hours in UTC if it names no zone, with a warning', () => {
    expect(warnings({ when: WHEN, every: { from: '02:00', to: '04:00' } })).toEqual([
      'silences.night.every: has no `timezone`, so its hours are in UTC; name one, such as Europe/Berlin',
    ]);
  });
});
