import '../../cli/facts.ts';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withSections } from '../../scripts/page-section.ts';
import { accountPolicy } from '../../src/config/account-policy.ts';
import { readGateway } from '../../src/config/gateway.ts';
import { shapeOf } from '../../src/config/gateway-spec.ts';
import { NO_CALL, send, type AttemptResult, type Gateway } from '../../src/gateway/client.ts';
import type { GatewayRequest } from '../../src/gateway/http-request.ts';
import type { SendCall } from '../../src/gateway/kinds.ts';
import { V2, type GatewaySpec } from '../../src/gateway/shape.ts';
import { outgoing } from '../../src/gateway/stand-in.ts';
import { v2Voice } from '../../simulator/answer.ts';
import { callsOf, makerRows } from '../gateway/makers/calls.ts';
import { accountOf, makerBindings, OPTIONS, receiverOf } from '../gateway/makers/secrets.ts';
import { MakerLab } from './maker-lab.ts';
import { median } from './measure.ts';
import { machineNow } from './page.ts';
import {
  CUTS,
  interruptedTable,
  rateTable,
  requestTable,
  type Cut,
  type Interrupted,
  type KindCost,
  type MakerCost,
} from './maker-tables.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/performance/makers.md');
const FIXTURES = join(ROOT, 'test/gateway/makers/fixtures');

/** Runs between two looks at the clock, which goes in steps of some milliseconds; and how long all have to take, in µs. */
const BATCH = 500;
const ENOUGH_MICROS = 30_000;
/** Messages of a round at one gateway, and how many are under way at once. */
const MESSAGES = 120;
const AT_ONCE = 16;
const ROUNDS = 5;
/** No round begins after this: on a busy machine there are fewer. */
const ROUNDS_WITHIN_MS = 20_000;
/** Interrupted calls of a gateway, of each cut. */
const INTERRUPTED = 20;
const TIMEOUT_MS = 10_000;

/** The simulator's failures. */
const FAILURES = {
  'before it is read': 'reset_before',
  'after it is read': 'reset',
  'in the answer': 'cut',
} as const satisfies Record<Cut, string>;

/** A gateway as one account calls it, with what it is measured by. */
interface Contestant {
  readonly id: string;
  readonly spec: GatewaySpec;
  readonly gateway: Gateway;
  /** A message of each kind. */
  readonly calls: readonly SendCall[];
  readonly answers: readonly Answer[];
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly outcome: string;
}

/**
 * `npm run bench:makers`: what each gateway costs the relay, and which interrupted calls may be repeated there. Writes
 * docs/performance/makers.md, in less than a minute.
 */
async function main(): Promise<void> {
  const machine = machineNow();
  const lab = await MakerLab.open();
  try {
    const contestants = contestantsAt(lab.url);
    const rates = await ratesOf(contestants);
    const costs: MakerCost[] = [];
    for (const one of contestants) costs.push(await costOf(one, rates.get(one.id) ?? [], lab));
    const sections = {
      requests: `Measured on ${machine}, Node ${process.version}.\n\n${requestTable(costs)}`,
      rates: rateTable(costs),
      interrupted: interruptedTable(costs),
    };
    const page = await withSections(PAGE, readFileSync(PAGE, 'utf8'), sections);
    writeFileSync(PAGE, page);
    process.stdout.write(page);
  } finally {
    await lab.close();
  }
}

/** The API v2, each maker, and the gateway that a document declares. */
function contestantsAt(url: string): readonly Contestant[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the Worker's environment only these are read
  const env = {
    GATEWAY_BASE_URL: `${url}/api`,
    GATEWAY_STAND_INS: `${url}/makers`,
    GATEWAY_EMAIL: 'relay@example.com',
    GATEWAY_API_KEY: 'gateway-key-of-the-bench',
    ...makerBindings(),
  } as unknown as Env;
  const rows = [{ id: V2.maker, spec: V2 }, ...makerRows(`${url}/makers`)];
  return rows.map(({ id, spec }) => {
    const gateway = readGateway(env, id === V2.maker ? 'default' : accountOf(id), spec);
    if (!gateway.ok) throw new Error(`${id}: ${gateway.error.join('; ')}`);
    return { id, spec, gateway: gateway.value, calls: callsOf(receiverOf(id)), answers: answersOf(id) };
  });
}

/** The fixtures of a maker; the API v2 has the simulator's own words. */
function answersOf(id: string): readonly Answer[] {
  if (readdirSync(FIXTURES).includes(`${id}.json`))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- test/gateway/makers/answers.test.ts reads them
    return JSON.parse(readFileSync(join(FIXTURES, `${id}.json`), 'utf8')) as readonly Answer[];
  const { success, refused, failure } = v2Voice(receiverOf(id));
  return [
    { ...success, body: success.value, outcome: 'sent' },
    { status: 200, body: refused('The number is not on this network.', 400), outcome: 'refused' },
    ...[400, 401, 403, 429, 500].map((status) => ({
      status,
      body: failure(`Failure ${status}.`, status),
      outcome: 'failed',
    })),
  ];
}

interface Rate {
  readonly perSecond: number;
  readonly micros: number;
}

/** In turns, since other load on the machine affects all of them. The first round, not counted, compiles the code. */
async function ratesOf(contestants: readonly Contestant[]): Promise<ReadonlyMap<string, readonly Rate[]>> {
  const rates = new Map<string, readonly Rate[]>();
  const startedAt = performance.now();
  const isLate = (): boolean => performance.now() - startedAt > ROUNDS_WITHIN_MS;
  // One round at least is counted.
  for (let round = 0; round <= ROUNDS && (round < 2 || !isLate()); round += 1)
    for (const one of contestants) {
      const rate = await rateOf(one);
      if (round > 0) rates.set(one.id, [...(rates.get(one.id) ?? []), rate]);
    }
  return rates;
}

async function rateOf(contestant: Contestant): Promise<Rate> {
  const calls = sendable(contestant);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < MESSAGES) {
      const number = next++;
      const { outcome, detail } = await attempt(contestant, pick(calls, number), `msg_rate${number}`);
      if (outcome !== 'sent') throw new Error(`${contestant.id}: ${detail}`);
    }
  };
  const [from, cpu] = [performance.now(), process.cpuUsage()];
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const { user, system } = process.cpuUsage(cpu);
  return {
    perSecond: (MESSAGES * 1_000) / (performance.now() - from),
    micros: (user + system) / MESSAGES,
  };
}

async function costOf(one: Contestant, rates: readonly Rate[], lab: MakerLab): Promise<MakerCost> {
  const kinds: KindCost[] = [];
  for (const call of one.calls) kinds.push(await kindCost(one, call, lab));
  const reading = (answers: readonly Answer[]): readonly number[] =>
    answers.map(({ status, body }) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const answer = { status, headers: new Headers(), text, complete: true };
      return cpuOf(() => one.gateway.classify(answer, 0));
    });
  const { rate } = accountPolicy({ gateway: one.id, options: OPTIONS[one.id] ?? {} });
  const interrupted: Interrupted[] = [];
  for (const cut of CUTS) interrupted.push(await interrupt(one, cut, lab));
  return {
    id: one.id,
    kinds,
    successMicros: median(reading(one.answers.filter(({ outcome }) => outcome === 'sent'))),
    failureMicros: reading(one.answers.filter(({ outcome }) => outcome !== 'sent')),
    perSecond: rates.map(({ perSecond }) => perSecond),
    messageMicros: rates.map(({ micros }) => micros),
    pace: rate ?? { perMinute: Infinity, burst: Infinity },
    givesId: sendable(one).every((call) => givesId(one, call)),
    interrupted,
  };
}

async function kindCost(one: Contestant, call: SendCall, lab: MakerLab): Promise<KindCost> {
  const made = one.gateway.request(call, 'msg_kind');
  const before = await lab.totals();
  await attempt(one, call, 'msg_kind');
  const { total } = await lab.totals();
  return {
    kind: call.kind,
    goesAs: goesAs(one, call),
    micros: cpuOf(() => one.gateway.request(call, 'msg_kind')),
    bytes: made.ok ? wire(made.value).length : 0,
    calls: total - before.total,
  };
}

function goesAs({ spec }: Contestant, call: SendCall): KindCost['goesAs'] {
  const shape = shapeOf(spec);
  if (shape === null) return 'itself';
  const sent = outgoing(call, shape, spec.options);
  return sent === null ? 'nothing' : sent.reason === null ? 'itself' : 'text';
}

const sendable = (one: Contestant): readonly SendCall[] =>
  one.calls.filter((call) => goesAs(one, call) !== 'nothing');

/** The request as it goes out, but for what `fetch` adds. */
function wire({ url, init: { method, headers, body } }: GatewayRequest): Uint8Array {
  const head = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return new TextEncoder().encode(`${method} ${url.pathname}${url.search} HTTP/1.1\r\n${head}\r\n${body}`);
}

function givesId({ gateway }: Contestant, call: SendCall): boolean {
  const made = gateway.request(call, 'msg_given');
  return made.ok && new TextDecoder().decode(wire(made.value)).includes('msg_given');
}

/** Interrupts calls of all kinds, and repeats each with the same id, as the outbox does with what is uncertain. */
async function interrupt(one: Contestant, cut: Cut, lab: MakerLab): Promise<Interrupted> {
  const calls = sendable(one);
  const before = await lab.totals();
  const tryAll = async (): Promise<readonly AttemptResult[]> => {
    const results: AttemptResult[] = [];
    for (let number = 0; number < INTERRUPTED; number += 1)
      results.push(await attempt(one, pick(calls, number), `msg_${FAILURES[cut]}${number}`));
    return results;
  };
  await lab.cutNext(FAILURES[cut], INTERRUPTED);
  const first = await tryAll();
  const again = await tryAll();
  const failed = again.find(({ outcome }) => outcome !== 'sent');
  if (failed !== undefined) throw new Error(`${one.id}, repeated: ${failed.detail}`);
  const { delivered } = await lab.totals();
  return {
    cut,
    calls: INTERRUPTED,
    uncertain: first.filter(({ outcome }) => outcome === 'uncertain').length,
    twice: delivered - before.delivered - INTERRUPTED,
  };
}

async function attempt({ gateway }: Contestant, call: SendCall, id: string): Promise<AttemptResult> {
  const result = await send(call, gateway, { fetch, timeoutMs: TIMEOUT_MS, now: Date.now }, id);
  if (result === NO_CALL) throw new Error('no call was made');
  return result;
}

function pick(calls: readonly SendCall[], number: number): SendCall {
  const call = calls[number % calls.length];
  if (call === undefined) throw new Error('no kind can be sent');
  return call;
}

/** Processor time of this thread for one run of `work`, in µs. The first batch, not counted, compiles it. */
function cpuOf(work: () => unknown): number {
  const batch = (): void => {
    for (let run = 0; run < BATCH; run += 1) work();
  };
  batch();
  const before = process.threadCpuUsage();
  for (let batches = 1; ; batches += 1) {
    batch();
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= ENOUGH_MICROS) return (user + system) / (batches * BATCH);
  }
}

await main();
