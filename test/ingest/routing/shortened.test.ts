import { expect, it } from 'vitest';
import { itemsOf } from './on-call.ts';
import { shortened } from '../../../src/ingest/routing/items.ts';

const MAX = 65_536;
const ESCAPED = '\u0001';

/** An object of `keys` long keys at each of `levels` levels. */
const deep = (levels: number, keys: number, leaf: unknown): unknown =>
  levels === 0
    ? leaf
    : Object.fromEntries(
        Array.from({ length: keys }, (_, at) => [
          ESCAPED.repeat(62) + String(at).padStart(2, '0'),
          deep(levels - 1, keys, leaf),
        ]),
      );

it('a value that is too long keeps what is short, and the beginnings of the rest', () => {
  const value = { id: 7, text: 'x'.repeat(100_000), list: [1, 2] };
  expect(JSON.parse(shortened(value, MAX))).toEqual({ id: 7, text: `${'x'.repeat(4_096)}…`, list: [1, 2] });
  expect(JSON.parse(shortened({ ['x'.repeat(100_000)]: 1 }, MAX))).toBe(`{"${'x'.repeat(8_190)}`);
});

it('a value that is too long keeps its name and the keys that its messages use, among thousands of others, and else its title', () => {
  const labels = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, n) => [`a${String(n).padStart(4, '0')}`, 'x'.repeat(25)]),
  );
  const annotations = { summary: 'Late' };
  const alert = { labels: { ...labels, alertname: 'BackupLate', shelf: '7' }, annotations };
  const message =
    '{% for one in firing %}{{ one.item.labels | json }}{{ one.item.labels.shelf }}{% endfor %}';
  const [item] = itemsOf({ send: { kind: 'text', message } }, [{ id: 'a', ...alert, status: 'firing' }]);
  const kept = { alertname: 'BackupLate', shelf: '7', a0000: 'x'.repeat(25) };
  expect(JSON.parse(item?.value ?? '')).toMatchObject({ labels: kept, annotations });
  const huge = { annotations, more: deep(8, 3, ESCAPED.repeat(50)) };
  expect(shortened(huge, MAX)).toBe('{"title":"Late"}');
});

it('a value that is too long fits, whatever it is', () => {
  for (const value of [
    ESCAPED.repeat(70_000),
    '\ud83d'.repeat(70_000),
    Array.from({ length: 200 }, () => 'x'.repeat(1_000)),
    Array.from({ length: 5_000 }, () => [[[1, 2, 3]], 'abc']),
    deep(1, 99, ESCAPED.repeat(2_000)),
    { ['x'.repeat(100_000)]: 1, id: 7 },
    deep(9, 3, 'x'),
    deep(8, 3, ESCAPED.repeat(50)),
  ]) {
    const json = shortened(value, MAX);
    expect(json.length).toBeLessThanOrEqual(MAX);
    expect(json.isWellFormed()).toBe(true);
    expect(JSON.parse(json)).not.toBeNull();
  }
});
