import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { table } from '../../scripts/docs/page.ts';
import { createRouteBudget } from '../../src/template/basics/budget.ts';
import { FILTERS } from '../../src/template/filters.ts';
import { parseFacts, useFacts } from '../../src/config/compiled/facts.ts';
import { compileText, renderText } from '../../src/template/text.ts';
import { ARGUMENTS, CONSTRUCTS, FILTER_ARGUMENTS, PAIRED, SOURCES, VALUES } from './hostile-templates.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/performance/templates.md');
const LOCALE = { country: 'DE', locale: 'de-DE', timezone: 'Europe/Berlin' };
const EVENT = {
  id: 'evt_1',
  type: 'paid',
  source: 'shop',
  received_at: '2026-01-05T08:30:00Z',
  dedupe_key: null,
};
/** More than a route's `each` may have. */
const MESSAGES = 1_000;
/** A neighbour's work is not the template's: the worst is measured anew. */
const TRIES = 3;

interface Row {
  readonly construct: string;
  readonly template: string;
  readonly value: string;
  readonly ms: number;
}

/**
 * `npx node test/bench/template-cost.ts`: the processor time of the worst templates and payloads that are known, one construct a row.
 * Each template repeats one construct until its render fails.
 */
async function main(): Promise<void> {
  useFacts(parseFacts(readFileSync(join(ROOT, 'assets/facts.json'), 'utf8')));
  const renders = [...filterRows(), ...constructRows()].toSorted((a, b) => b.ms - a.ms);
  const routes = renders.slice(0, 12).map(({ template, value, construct }) => {
    const [first = '', second = ''] = value.split('; ');
    return { construct, ms: timeOfRenders(template, first, second, MESSAGES, createRouteBudget()) };
  });
  const compiled = Object.entries(SOURCES).map(([construct, template]) => ({
    construct,
    ms: time(() => compileText(template)),
  }));
  const page = [
    '# Cost of hostile templates',
    '',
    `Written by \`npx node test/bench/template-cost.ts\` (Node ${process.version}, ${cpus()[0]?.model.trim() ?? 'unknown processor'}). Each row repeats one`,
    'construct until the render fails, with the worst of many payloads of up to 1 MiB. Times are milliseconds of processor time,',
    'the least of three runs.',
    '',
    '## One render',
    '',
    table(['construct', 'repeated template', '`payload.a`; and `payload.b`', 'ms'], renders.map(cells)),
    '',
    `## All ${MESSAGES} messages of a route`,
    '',
    table(
      ['construct', 'ms'],
      routes.map(({ construct, ms }) => [construct, ms.toFixed(0)]),
    ),
    '',
    '## Parsing a template of the maximum length',
    '',
    table(
      ['template', 'ms'],
      compiled.map(({ construct, ms }) => [construct, ms.toFixed(1)]),
    ),
    '',
  ].join('\n');
  writeFileSync(PAGE, await format(page, { ...(await resolveConfig(PAGE)), parser: 'markdown' }));
  process.stdout.write(page);
}

const cells = ({ construct, template, value, ms }: Row): readonly string[] => [
  construct,
  `\`${template}\``,
  value,
  ms.toFixed(1),
];

/** For each filter the worst of its values and arguments. */
function filterRows(): readonly Row[] {
  return [...FILTERS.keys()].map((name) => {
    const calls = [name, ...(FILTER_ARGUMENTS[name] ?? []).map((args) => `${name}: ${args}`)];
    const rows = calls.flatMap((call) => rowsOf(name, `{% assign x = payload.a | ${call} %}`));
    return worst(rows);
  });
}

function constructRows(): readonly Row[] {
  return Object.entries(CONSTRUCTS).map(([construct, template]) => worst(rowsOf(construct, template)));
}

/** A row for each value, or for each of a few with each argument. */
const rowsOf = (construct: string, template: string): readonly Row[] =>
  template.includes('payload.b')
    ? PAIRED.flatMap((value) =>
        Object.keys(ARGUMENTS).map((argument) => rowOf(construct, template, value, argument)),
      )
    : Object.keys(VALUES).map((value) => rowOf(construct, template, value, ''));

/** The worst of all rows, measured anew. */
function worst(rows: readonly Row[]): Row {
  const row = rows.reduce((most, one) => (one.ms > most.ms ? one : most));
  const [value = '', argument = ''] = row.value.split('; ');
  const again = Array.from({ length: TRIES }, () => timeOfRenders(row.template, value, argument));
  return { ...row, ms: Math.min(...again) };
}

function rowOf(construct: string, template: string, value: string, argument: string): Row {
  const ms = timeOfRenders(template, value, argument);
  return { construct, template, value: argument === '' ? value : `${value}; ${argument}`, ms };
}

/** Of one render, or of all the messages of a route, which share a budget. */
function timeOfRenders(
  template: string,
  value: string,
  argument: string,
  messages = 1,
  budget?: ReturnType<typeof createRouteBudget>,
): number {
  const compiled = compileText(`{% for i in (1..99999) %}${template}{% endfor %}`);
  if (!compiled.ok) return 0;
  // Parsed anew: nothing of a text is known from an earlier run.
  const payload = payloadOf(value, argument);
  const scope = { payload, event: EVENT, headers: {}, query: {}, ...(budget && { budget }) };
  return time(() => {
    for (let message = 0; message < messages; message += 1) renderText(compiled.value, scope, LOCALE);
  });
}

const payloadOf = (value: string, argument: string): unknown =>
  JSON.parse(JSON.stringify({ a: VALUES[value], b: ARGUMENTS[argument], deep: [[0, 1, 2]] }));

/** The time of this thread, in ms. */
function time(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

await main();
