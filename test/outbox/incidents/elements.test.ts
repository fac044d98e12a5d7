import { describe, expect, it } from 'vitest';
import { countRows } from '../support.ts';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, item, route } from './bench.ts';

const MINUTE = 60_000;
const LIMITED =
  '{{ first.item.name }} {% for one in new limit: 5 %}+{{ one.item.name }} {{ one.event.id }} {% endfor %}={{ count }} {{ new.size }}';
const ALL = '{% for one in new %}+{{ one.item.name }} {% endfor %}={{ count }} {{ more }}';

const NAMES = (size: number): readonly string[] => Array.from({ length: size }, (_, n) => `a${n}`);

interface Written {
  /** The rows that were read. */
  readonly read: number;
  readonly text: string;
}

/** A message about N incidents is written, with items that have a text of this length. */
const written = (size: number, over: object, bytes = 100, quiet = false): Promise<Written> =>
  inStorage(async ({ storage }) => {
    const one = new IncidentsBench(storage, [route({ group: { wait: '30s', max: 3 }, ...over })]);
    if (quiet) one.now = Date.UTC(2026, 6, 1, 23); // fixed date: its own clock
    one.isSending = false;
    const filler = 'x'.repeat(bytes);
    for (const name of NAMES(size))
      await one.take(item(name, { group: quiet ? name : 'db', value: JSON.stringify({ name, filler }) }));
    const rows = countRows(storage.sql);
    await one.pass(quiet ? 9 * 60 * MINUTE : MINUTE);
    const [message] = one.messages;
    expect(message?.reason).toBeNull();
    return { read: rows.read(), text: message?.text.trim() ?? '' };
  });

describe('a message about a group reads the rows', () => {
  it('of the incidents that its template names, whatever the number of the others', async () => {
    const send = { kind: 'text', message: LIMITED };
    const small = await written(10, { send });
    const large = await written(300, { send });
    expect(large.text).toContain('a297 +a0 evt_1 +a1');
    expect(large.text).toContain('=300 300');
    expect(large.read).toBe(small.read);
    expect(large.read).toBeLessThanOrEqual(12);
  });

  it('of the ten that the built-in text names', async () => {
    const send = { kind: 'text', message: '{{ item.none }}' };
    const rows = async (size: number): Promise<number> =>
      inStorage(async ({ storage }) => {
        const one = new IncidentsBench(storage, [route({ group: { wait: '30s', max: 20 }, send })]);
        one.isSending = false;
        await one.take(...NAMES(size).map((name) => item(name, { group: 'db' })));
        const counted = countRows(storage.sql);
        await one.pass(MINUTE);
        expect(one.messages[0]?.reason).toContain('built-in');
        return counted.read();
      });
    expect(await rows(300)).toBe(await rows(20));
  });

  it('of a thousand, for a template that names all', async () => {
    const { read, text } = await written(1_200, { send: { kind: 'text', message: ALL } });
    expect(text).toMatch(/^\+a200 /);
    expect(read).toBeLessThanOrEqual(1_010);
  });
});

describe('a digest reads the rows', () => {
  it('of the five that it names', async () => {
    const over = { quiet: { from: '22:00', to: '07:00', timezone: 'UTC' } };
    const small = await written(10, over, 100, true);
    const large = await written(200, over, 100, true);
    expect(large.text).toContain('200 firing');
    expect(large.text).toContain('and 195 more');
    expect(large.read).toBe(small.read);
    expect(large.read).toBeLessThanOrEqual(12);
  });
});

describe('a template that names items of many megabytes', () => {
  it('sees all of them', async () => {
    const send = {
      kind: 'text',
      message: '{{ new | pluck: "item.filler" | size }} {{ new | map: "item.name" | first }}',
    };
    expect((await written(40, { send }, 500_000)).text).toBe('40 a0');
  });
});

const COUNT = { kind: 'text', message: '{{ count }}' };

/** The rows that a message about N incidents reads at noon, and its text. `from`: when a silence begins each day. */
const readAtNoon = (
  size: number,
  from: string,
): Promise<{ readonly read: number; readonly texts: unknown }> =>
  inStorage(async ({ storage }) => {
    const every = { from, to: '13:00', timezone: 'UTC' };
    const silences = { work: { when: 'item.name contains "a"', every } };
    const one = new IncidentsBench(storage, [route({ group: { wait: '30s' }, send: COUNT })], { silences });
    const { sql } = storage;
    const rows = countRows(sql);
    await one.take(...Array.from({ length: size }, (_, n) => item(`a${n}`, { group: 'db' })));
    one.isSending = false;
    rows.reset();
    await one.pass(MINUTE);
    return { read: rows.read(), texts: one.messages.map(({ text }) => text) };
  });

describe('the row of an incident', () => {
  it('is not read for a silence that is not active', async () => {
    const small = await readAtNoon(10, '12:30');
    expect(small.texts).toEqual(['10']);
    const large = await readAtNoon(300, '12:30');
    expect(large.texts).toEqual(['300']);
    expect(large.read).toBe(small.read);
  });

  it('is read for one that is', async () => {
    expect((await readAtNoon(10, '11:00')).texts).toEqual([]);
  });
});
