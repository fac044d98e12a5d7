import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInText } from '../../src/render/built-in-text.ts';
import { elementOf } from './notification-elements.ts';

const localeOf = (locale: string) => ({ country: undefined, locale, timezone: 'Europe/Berlin' });
const NOTHING = { firing: [], resolved: [] };
const over = (item: unknown, duration_ms = 720_000) =>
  elementOf(item, { resolved_at: '2026-11-21T06:12:00.000Z', duration_ms });

const text = (report: object, locale = 'en', max = 4_096) =>
  builtInText({ ...NOTHING, ...report }, localeOf(locale), max);

describe('the built-in text', () => {
  const slow = elementOf({ title: 'API slow' }, { flapping: true, changes: 7 });
  const firing = [elementOf({ summary: 'Disk full' }), slow];
  const report = { firing, count: 5, resolved: [over({ name: 'CPU hot' })] };

  it('says how many are open and how many ended, for how long, and how many more there are', () => {
    const open = ['5 firing:', '• 🔥 Disk full', '• API slow (flapping, 7×)', 'and 3 more'];
    expect(text({ ...report, critical: 1 }).split('\n')).toEqual([
      ...open,
      '1 resolved:',
      '• CPU hot (after 12 minutes)',
    ]);
  });

  it.each([
    ['de-DE', '5 aktiv:', 'und 3 weitere', '• CPU hot (Dauer: 12 min)'],
    ['fr', '5 en cours:', 'et 3 de plus', '• CPU hot (après 12 minutes)'],
    ['es-MX', '5 en curso:', 'y 3 más', '• CPU hot (tras 12 minutos)'],
    ['pl', '5 firing:', 'and 3 more', '• CPU hot (after 12 minut)'],
  ])('is in the words of %s', (locale, ...lines) => {
    expect(text(report, locale).split('\n')).toEqual(expect.arrayContaining(lines));
  });

  it('says of a digest since when, in the source’s zone', () => {
    const digest = text({ since: '2026-11-21T21:00:00.000Z', resolved: [over('x')] }, 'de');
    expect(digest).toBe('Seit 21.11.26, 22:00:\n1 behoben:\n• x (Dauer: 12 min)');
  });

  it('names the first ten of each', () => {
    const many = Array.from({ length: 30 }, (_, n) => elementOf(`n${n}`));
    const lines = text({ firing: many }).split('\n');
    expect(lines).toHaveLength(12);
    expect([lines[1], lines.at(-1)]).toEqual(['• n0', 'and 20 more']);
  });
});

it.each([
  [{ labels: { alertname: 'Down' }, annotations: { summary: 'Host is down' } }, 'Host is down'],
  [{ labels: { alertname: 'Down' } }, 'Down'],
  [{ subject: ' Two\n lines ' }, 'Two lines'],
  ['a text', 'a text'],
  [{ title: '', message: 'Failed' }, 'Failed'],
  [{ title: { a: 1 } }, 'k'],
  [{}, 'k'],
  [null, 'k'],
])('the title of an item of %j is %s', (item, title) => {
  expect(text({ firing: [elementOf(item)] })).toBe(`1 firing:\n• ${title}`);
});

it('the title of an item without a key is the event’s type, else the source', () => {
  const bare = elementOf({}, { key: null });
  expect(text({ firing: [bare] })).toContain('• alert');
  const untyped = { ...bare, event: { ...bare.event, type: null } };
  expect(text({ firing: [untyped] })).toContain('• shop');
});

it('the title of an item formats nothing, and is cut where it is long', () => {
  expect(text({ firing: [elementOf('*loud* _x_')] })).not.toMatch(/\*loud\*|_x_/);
  expect(text({ firing: [elementOf('x'.repeat(500))] }).split('\n')[1]).toBe(`• ${'x'.repeat(119)}…`);
});

it('is never longer than the route allows, nor broken, whatever the items are', () => {
  const item = fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue());
  const items = fc.array(item, { minLength: 1, maxLength: 15 });
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 300 }), (given, max) => {
      const made = text({ firing: given.map((one) => elementOf(one)) }, 'fr', max);
      expect(made.length).toBeLessThanOrEqual(max);
      expect(made.isWellFormed()).toBe(true);
      expect(made).not.toBe('');
    }),
  );
});
