import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { bundleWorker } from '../../scripts/bundle-worker.ts';
import { table } from '../../scripts/docs/page.ts';
import { ASSETS, compatibilityDate } from '../e2e/build.ts';
import '../e2e/program.ts';
import { freePort, startRuntime, type Runtime } from '../e2e/runtime.ts';
import { coldWebhooks, KINDS, publishedText, SECRETS, type ColdWebhook, type Kind } from './cold-webhooks.ts';
import { median } from './measure.ts';
import { machineNow, writePage } from './page.ts';
import { spread, type Spread } from './tables.ts';

const ROUNDS = 15;
const ROUNDS_OF_A_CHECK = 5;
/** The runs of the fixed piece of work in a round. */
const REFERENCES = 5;

/**
 * `npx node test/bench/cold-start.ts`: the CPU of a cold isolate's first webhook, by its kind and by the number of published sources.
 * Writes its section of docs/performance/figures.md; with `--check` or `--rounds`, it only prints. Fails when a limit is
 * missed. A check is only of the kinds, takes seconds, and allows 2.5 times the limit, scaled by a fixed piece of work.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      rounds: { type: 'string' },
    },
  });
  const rounds = Number(values.rounds ?? (values.check ? ROUNDS_OF_A_CHECK : ROUNDS));
  const machine = `${machineNow()}, workerd ${workerdVersion()}`;
  const colds = await measure(values.check ? CASES_OF_KINDS : [...CASES_OF_KINDS, ...CASES_OF_SIZES], rounds);
  const order = coldWebhooks(new Date())[FIRST_KIND];
  const setKib = (sources: number): number => Math.round(publishedText(order, sources).length / 1_024);
  const { text, missed } = values.check
    ? checkVerdict(colds)
    : coldSection(colds, { rounds, machine, setKib });
  process.stdout.write(`${text}\n`);
  if (missed > 0) process.exitCode = 1;
  if (!values.check && values.rounds === undefined) await writePage({ cold: text });
}

async function measure(cases: readonly Case[], rounds: number): Promise<readonly Cold[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-cold-'));
  try {
    // As what is deployed is bundled.
    await bundleWorker('test/bench/cold-worker.ts', folder);
    const module = readFileSync(join(folder, 'index.js'), 'utf8');
    const colds: Cold[] = [];
    // The other way round each second time, so that no case always has the same place.
    for (let round = 0; round < rounds; round += 1) {
      const turns = round % 2 === 0 ? cases : cases.toReversed();
      colds.push(...(await measureRound(turns, module, join(folder, `round${round}`))));
    }
    return colds;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** An isolate of the process, which has a port of its own. */
interface Isolate extends Case {
  readonly name: string;
  readonly port: number;
}

type Webhooks = ReturnType<typeof coldWebhooks>;

/**
 * Measures each case in an isolate of its own, in one process: on the platform, an isolate starts in a process that
 * runs others. So the first isolate gets each webhook before, and is not measured.
 */
async function measureRound(
  cases: readonly Case[],
  module: string,
  storeDir: string,
): Promise<readonly Cold[]> {
  const webhooks = coldWebhooks(new Date());
  const isolates: Isolate[] = [];
  for (const [index, one] of [...cases.slice(0, 1), ...cases].entries())
    isolates.push({ ...one, name: `isolate${index}`, port: await freePort() });
  const [warm, ...cold] = isolates;
  if (warm === undefined) return [];
  const runtime = await startIsolates([warm, ...cold], webhooks, module, storeDir);
  const { pid } = runtime;
  try {
    const start = threadMs(pid) / isolates.length;
    await spent(pid, warm, webhooks[warm.kind]);
    const references: number[] = [];
    for (let n = 0; n < REFERENCES; n += 1) references.push(await spent(pid, warm, REFERENCE.path));
    const reference = median(references);
    const colds: Cold[] = [];
    for (const isolate of cold) {
      const { kind, sources } = isolate;
      // Its HTTP belongs to the runtime, and is not the Worker's.
      const http = await spent(pid, isolate, '/');
      const first = (await spent(pid, isolate, webhooks[kind])) - http;
      const next = (await spent(pid, isolate, webhooks[kind])) - http;
      colds.push({ kind, sources, first, next, start, reference });
    }
    return colds;
  } finally {
    await runtime.kill();
  }
}

function startIsolates(
  [door, ...doors]: readonly [Isolate, ...Isolate[]],
  webhooks: Webhooks,
  module: string,
  storeDir: string,
): Promise<Runtime> {
  const sets = join(storeDir, 'sets');
  mkdirSync(sets, { recursive: true });
  const worker = ({ name, kind, sources }: Isolate) => {
    writeFileSync(join(sets, name), publishedText(webhooks[kind], sources));
    const vars = { ...SECRETS, SET: name };
    return { name, module, objects: [], folders: { ASSETS, SETS: sets }, vars };
  };
  return startRuntime({
    port: door.port,
    doors: Object.fromEntries(doors.map(({ name, port }) => [name, port])),
    storeDir,
    compatibilityDate: compatibilityDate(),
    readyPath: '/',
    workers: [worker(door), ...doors.map(worker)],
  });
}

/** The CPU of the process's thread for one webhook, or for a request of the page at a path, in ms. */
async function spent(pid: number, { name, port }: Isolate, what: ColdWebhook | string): Promise<number> {
  const url = `http://127.0.0.1:${port}`;
  const before = threadMs(pid);
  const path = typeof what === 'string' ? what : what.path;
  const sent = typeof what === 'string' ? {} : { method: 'POST', headers: what.headers, body: what.body };
  const answer = await fetch(url + path, { redirect: 'manual', ...sent });
  const text = await answer.text();
  if (answer.status >= 400) throw new Error(`${name}, ${path}: ${answer.status} ${text}`);
  return threadMs(pid) - before;
}

/**
 * The CPU that the process's first thread has had, in ms, once it sleeps: while it runs, the figure is that of the last
 * tick. All JavaScript runs in this thread. V8's helpers, which compile hot code and collect garbage, have others.
 */
function threadMs(pid: number): number {
  const task = `/proc/${pid}/task/${pid}`;
  while (!/\) S /.test(readFileSync(`${task}/stat`, 'utf8')));
  return Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;
}

const packageFile = z.object({ version: z.string() });

function workerdVersion(): string {
  const file = createRequire(import.meta.url).resolve('workerd/package.json');
  return packageFile.parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}

/** An isolate that is measured: the kind of webhook that it gets, and the number of sources in the set that it reads. */
interface Case {
  readonly kind: Kind;
  readonly sources: number;
}

/** CPU of one cold isolate, in ms. */
interface Cold extends Case {
  /** Its first webhook, with the configuration in it, and the next. */
  readonly first: number;
  readonly next: number;
  /** Its start, which Cloudflare does not count as a request's. */
  readonly start: number;
  /** Of the fixed piece of work in the same round. */
  readonly reference: number;
}

/** The CPU that a first webhook may take, in ms: the free plan gives a request this much. */
const LIMIT = 10;
/** The number of sources with which the limit holds. */
const SOURCES = 50;
/** The other numbers, which are measured with the first kind only. */
const FURTHER_SIZES: readonly number[] = [1, 5, 500];

const [FIRST_KIND] = KINDS;
const CASES_OF_KINDS: readonly Case[] = KINDS.map((kind) => ({ kind, sources: SOURCES }));
const CASES_OF_SIZES: readonly Case[] = FURTHER_SIZES.map((sources) => ({ kind: FIRST_KIND, sources }));
/** The CPU that a set of {@link SOURCES} may take beyond a set of one, in ms. */
const BEYOND_ONE = 5;

/** The most CPU that the start of an isolate and its first webhook of alerts may take together, in ms. */
const MOST_WITH_START = 90;

/**
 * The reference of a check: in the same process, a request that the Worker answers after a fixed piece of work (it
 * builds, writes and parses a list). `usual`: its CPU on the machine of the figures, in ms.
 */
const REFERENCE = { path: '/reference', usual: 3.7 } as const;
/** CI's machines are never quiet. */
const TOLERANCE = 2.5;

type Figure = 'first' | 'next' | 'start';

const UNKNOWN: Spread = { median: Number.NaN, min: Number.NaN, max: Number.NaN };

function of(colds: readonly Cold[], kind: Kind, sources: number, name: Figure): Spread {
  const own = colds.filter((cold) => cold.kind === kind && cold.sources === sources);
  return spread(own.map((cold) => cold[name])) ?? UNKNOWN;
}

/** A figure with its limit. */
interface Required {
  readonly what: string;
  readonly is: Spread;
  readonly next?: Spread;
  readonly most: number;
}

const requiredOfKinds = (colds: readonly Cold[], most: number): readonly Required[] =>
  KINDS.map((kind) => {
    const [is, next] = [of(colds, kind, SOURCES, 'first'), of(colds, kind, SOURCES, 'next')];
    return { what: `first webhook: ${kind}`, is, next, most };
  });

function beyondOne(colds: readonly Cold[]): Required {
  const [kind] = KINDS;
  const more = of(colds, kind, SOURCES, 'first').median - of(colds, kind, 1, 'first').median;
  const is = { median: more, min: more, max: more };
  return { what: `${SOURCES} sources beyond one`, is, most: BEYOND_ONE };
}

const withStart = (colds: readonly Cold[]): Required => ({
  what: 'start of an isolate, which is no part of a request, and its first three alerts',
  is:
    spread(colds.filter(({ kind }) => kind === 'three alerts').map(({ start, first }) => start + first)) ??
    UNKNOWN,
  most: MOST_WITH_START,
});

/** Less than a request that is only answered, by chance, is nothing. */
const ms = (value: number): string => Math.max(0, value).toFixed(1);
const cell = ({ median, min, max }: Spread): string =>
  min === max ? ms(median) : `${ms(median)} (${ms(min)}–${ms(max)})`;

/** A row for each; a figure that is not known misses its limit. `scale`: of the last figures. */
function judged(
  head: readonly string[],
  required: readonly Required[],
  cells: (one: Required) => readonly string[],
  scale = 1,
): Verdict {
  const isMet = ({ is, most }: Required): boolean => is.median <= most;
  const rows = required.map((one) => [
    one.what,
    cell(one.is),
    ...cells(one),
    `≤ ${ms(one.most * scale)}`,
    isMet(one) ? 'met' : '**missed**',
  ]);
  const missed = required.filter((one) => !isMet(one)).length;
  return { text: table(['', ...head, ''], rows), missed };
}

/** Text for people, and the number of limits that it misses. */
interface Verdict {
  readonly text: string;
  readonly missed: number;
}

/** The page's section. `setKib`: the size of the first kind's set of N sources. */
function coldSection(
  colds: readonly Cold[],
  about: { readonly rounds: number; readonly machine: string; setKib(sources: number): number },
): Verdict {
  const [kind] = KINDS;
  const required = [...requiredOfKinds(colds, LIMIT), beyondOne(colds), withStart(colds)];
  const verdict = judged(['CPU, ms', 'next webhook, ms', 'required'], required, ({ next }) => [
    next === undefined ? '' : cell(next),
  ]);
  const sizes = [SOURCES, ...FURTHER_SIZES].toSorted((a, b) => a - b);
  const rows = sizes.map((sources) => [
    String(sources),
    String(about.setKib(sources)),
    ...(['first', 'next'] as const).map((name) => cell(of(colds, kind, sources, name))),
  ]);
  const text = [
    `CPU of a cold isolate, median of ${about.rounds} isolates (least–most), ${about.machine}.`,
    `With ${SOURCES} sources:`,
    verdict.text,
    `${kind}, by the number of sources:`,
    table(['sources', 'set, KiB', 'first webhook, ms', 'next webhook, ms'], rows),
  ].join('\n\n');
  return { text, missed: verdict.missed };
}

/** The result of a check of the kinds: each as measured, and as it would be on the machine of the figures. */
function checkVerdict(colds: readonly Cold[]): Verdict {
  const reference = spread(colds.map((cold) => cold.reference))?.median ?? Number.NaN;
  const scale = REFERENCE.usual / reference;
  const verdict = judged(
    ['CPU here, ms', 'scaled to that machine', 'allowed there'],
    requiredOfKinds(colds, (LIMIT * TOLERANCE) / scale),
    ({ is }) => [ms(is.median * scale)],
    scale,
  );
  const said = `The fixed piece of work takes ${ms(reference)} ms of CPU here, ${ms(REFERENCE.usual)} ms on the machine of the figures.`;
  return { text: `${said}\n\n${verdict.text}`, missed: verdict.missed };
}

await main();
