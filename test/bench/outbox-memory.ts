import { table } from '../../scripts/page-section.ts';
import { MAX_ENTRIES, MAX_OPEN } from '../../src/outbox/incidents/open-incidents.ts';
import {
  FULL,
  SHORT,
  SHORT_MESSAGES,
  LONG,
  LONG_MESSAGES,
  measureOutbox,
  MIB,
  PARTS,
  RECEIVERS,
  WAITING,
} from '../cost/outbox-memory.ts';
import { writePage } from './page.ts';

const mib = (bytes: number): string => (bytes / MIB).toFixed(1);
const count = (value: number): string => value.toLocaleString('en-US');

/** `npm run bench:memory`: the memory of an outbox with all that an account keeps open, and what holds it. */
async function main(): Promise<void> {
  const all = [
    measureOutbox(SHORT, SHORT_MESSAGES),
    measureOutbox(LONG, LONG_MESSAGES),
    measureOutbox(FULL, LONG_MESSAGES),
  ];
  const short = measureOutbox(SHORT, null).incidents;
  const sums = table(
    ['in memory, MiB', 'short', 'long', 'long, with a history'],
    [
      [
        `${count(MAX_OPEN)} incidents, each with ${RECEIVERS} receivers`,
        ...all.map(({ incidents }) => mib(incidents)),
      ],
      [`${count(WAITING)} waiting messages`, ...all.map(({ messages }) => mib(messages))],
      ['**together**', ...all.map(({ incidents, messages }) => `**${mib(incidents + messages)}**`)],
    ],
  );
  const parts = table(
    ['beyond a short incident', 'MiB', `bytes for each of ${count(MAX_ENTRIES)}`],
    Object.entries(PARTS).map(([name, part]) => {
      const more = measureOutbox({ ...SHORT, ...part }, null).incidents - short;
      return [name, mib(more), String(Math.round(more / MAX_ENTRIES))];
    }),
  );
  const text = [
    `Node ${process.version}: reachable memory after a collection, of an object that has just started.`,
    sums,
    TEXT,
    parts,
  ].join('\n\n');
  process.stdout.write(`${text}\n`);
  await writePage({ memory: text });
}

const TEXT = `**Short**: keys of 16 characters, two labels, names of 3 to 7 characters, messages of 5. **Long**: keys of 72 characters, titles
of 200, twelve labels, names of 16 to 23, messages of 400. **With a history**: each incident has also flapped, was escalated twice and
acknowledged by two people, has an \`inhibited_by\` and outcomes of earlier items, and a message about it waits for each receiver. All
10,000 at once are the most that we could think of.

Texts are read from their rows when they are needed, so titles and labels take no memory, and at most 2,000 waiting messages have their
row in memory. An incident has an entry for each receiver, and each entry has a copy of the key, the history and the names of what
inhibits it:`;

await main();
