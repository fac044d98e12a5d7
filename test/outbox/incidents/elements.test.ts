import { describe, expect, it } from 'vitest';
import { countRows, MINUTE } from '../support.ts';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, item, route } from './bench.ts';

interface Written {
  /** The rows that were read. */
  readonly read: number;
  readonly texts: readonly string[];
  readonly reason: string | null | undefined;
}

interface By {
  readonly message?: string;
  /** Keys of the route. */
  readonly over?: object;
  readonly set?: object;
  /** The length of a text in each item. */
  readonly bytes?: number;
  /** They wait for the morning, each in a group of its own. */
  readonly isNight?: boolean;
}

/** A message about so many incidents is written. */
const written = (
  size: number,
  { message = '{{ count }}', over, set, bytes = 100, isNight = false }: By,
): Promise<Written> =>
  inStorage(async ({ storage }) => {
    const send = { kind: 'text', message };
    const one = new IncidentsBench(storage, [route({ group: { wait: '30s', max: 3 }, send, ...over })], set);
    if (isNight) one.now = Date.UTC(2026, 6, 1, 23); // fixed date: its own clock
    one.isSending = false;
    const filler = 'x'.repeat(bytes);
    const names = Array.from({ length: size }, (_, n) => `a${n}`);
    const items = names.map((name) =>
      item(name, { group: isNight ? name : 'db', value: JSON.stringify({ name, filler }) }),
    );
    for (const each of items) await one.take(each);
    const rows = countRows(storage.sql);
    await one.pass(isNight ? 9 * 60 * MINUTE : MINUTE);
    return {
      read: rows.read(),
      texts: one.messages.map(({ text }) => text.trim()),
      reason: one.messages[0]?.reason,
    };
  });

const LIMITED =
  '{{ first.item.name }} {% for one in new limit: 5 %}+{{ one.item.name }} {{ one.event.id }} {% endfor %}={{ count }} {{ new.size }}';
const ALL = '{% for one in new %}+{{ one.item.name }} {% endfor %}={{ count }} {{ more }}';
const QUIET = { quiet: { from: '22:00', to: '07:00', timezone: 'UTC' } };
/** A silence of each day, which ends at 13:00. A story begins at noon. */
const silenceFrom = (from: string) => ({
  silences: { work: { when: 'item.name contains "a"', every: { from, to: '13:00', timezone: 'UTC' } } },
});

describe('a message reads the rows', () => {
  it.each<[string, By, number, RegExp]>([
    ['that its template names', { message: LIMITED }, 12, /^a197 \+a0 evt_1 \+a1.*=200 200$/],
    [
      'that the built-in text names',
      { message: '{{ item.none }}', over: { group: { wait: '30s', max: 20 } } },
      25,
      /200 firing/,
    ],
    ['that a digest names', { over: QUIET, isNight: true }, 12, /200 firing[^]*and 195 more/],
    ['that no silence asks for, since none is active', { set: silenceFrom('12:30') }, 12, /^200$/],
  ])('%s, whatever the number of the others', async (_, by, most, text) => {
    const [small, large] = [await written(20, by), await written(200, by)];
    expect(large.texts).toEqual([expect.stringMatching(text)]);
    expect(large.read).toBe(small.read);
    expect(large.read).toBeLessThanOrEqual(most);
    expect(large.reason === null).toBe(by.message !== '{{ item.none }}');
  });

  it('of a thousand, for a template that names all', async () => {
    const { read, texts } = await written(1_200, { message: ALL });
    expect(texts).toEqual([expect.stringMatching(/^\+a200 /)]);
    expect(read).toBeLessThanOrEqual(1_010);
  });

  it('of items of many megabytes', async () => {
    const message = '{{ new | pluck: "item.filler" | size }} {{ new | map: "item.name" | first }}';
    expect((await written(40, { message, bytes: 500_000 })).texts).toEqual(['40 a0']);
  });

  it('for a silence that is active', async () => {
    expect((await written(10, { set: silenceFrom('11:00') })).texts).toEqual([]);
  });
});
