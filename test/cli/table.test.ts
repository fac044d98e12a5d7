import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tableLines } from '../../cli/table.ts';
import { oneLine, widthOf } from '../../cli/text.ts';

const plain = (line: string): string => line;
const bare = (some: string): string => some.replaceAll(/\s/g, '');

const SHAPE = [
  { title: 'AT' },
  { title: 'ID' },
  { title: 'KIND', optional: 1 },
  { title: 'TEXT', gives: true },
  { title: 'WHY', wraps: true },
];
const WHY = 'the gateway answers with HTTP 500: no device is connected';
const ROWS = [
  ['19:05:01', 'msg_000000009hk7nd0g', 'text', 'Hello Ada, how are you doing?', WHY],
  ['19:05:00', 'msg_000000009hk7nd0f', 'poll', 'Lunch?', ''],
];
const shown = (columns: number): string => tableLines(SHAPE, ROWS, columns, plain).join('\n');

it('a table says why below its row where there is no room, leaves out what it can do without, and takes its rows apart', () => {
  expect(shown(42)).toBe(
    `
AT        ID                    TEXT
  WHY
19:05:01  msg_000000009hk7nd0g  Hello Ada…
  the gateway answers with HTTP 500: no
  device is connected
19:05:00  msg_000000009hk7nd0f  Lunch?`.slice(1),
  );
  expect(shown(30)).toBe(
    `
AT    19:05:01
ID    msg_000000009hk7nd0g
KIND  text
TEXT  Hello Ada, how are you…
WHY   the gateway answers with
      HTTP 500: no device is
      connected

AT    19:05:00
ID    msg_000000009hk7nd0f
KIND  poll
TEXT  Lunch?`.slice(1),
  );
});

it('a table never cuts what says why, and is never wider than the terminal but for its longest word', () => {
  const unit = fc.constantFrom('a', 'be', 'sea', ' ', '  ', '\n', '日本', '👩‍👩‍👧', 'é', 'ü', '…', '-');
  const text = fc.array(unit, { maxLength: 40 }).map((parts) => parts.join(''));
  const title = fc.constantFrom('AT', 'MESSAGE');
  const column = fc.record({ title, gives: fc.boolean(), optional: fc.nat(3) });
  const table = fc.array(column, { maxLength: 5 }).chain((columns) => {
    const row = fc.array(text, { minLength: columns.length + 1, maxLength: columns.length + 1 });
    const shape = fc.constant([...columns, { title: 'WHY', wraps: true }]);
    return fc.record({ shape, rows: fc.array(row, { maxLength: 4 }) });
  });
  fc.assert(
    fc.property(table, fc.integer({ min: 20, max: 160 }), ({ shape, rows }, columns) => {
      const lines = tableLines(shape, rows, columns, plain);
      const words = rows.flat().flatMap((cell) => oneLine(cell).split(' '));
      const limit = Math.max(columns, ...words.map(widthOf));
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(limit);
      const all = bare(lines.join(''));
      for (const row of rows) expect(all).toContain(bare(oneLine(row.at(-1) ?? '')));
    }),
    { numRuns: 200 },
  );
});
