import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, inject, it, onTestFinished } from 'vitest';
import { table } from '../../scripts/docs/page.ts';
import { lookUntil } from '../eventually.ts';
import { clockOffset } from '../clock/shift.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { PATIENCE_MS } from './real-time.ts';
import { startRelay, type Relay } from './relay.ts';
import { freePort } from './runtime.ts';

/** Policies of a route, and the keys that make them. The account retries twice, at once or (for `expires`) too late. */
const POLICIES = {
  retry: { route: { on_uncertain: 'retry' }, retry: ['100ms', '100ms'] },
  hold: { route: { on_uncertain: 'hold' }, retry: ['100ms', '100ms'] },
  expires: { route: { expires: '10m' }, retry: ['20m', '20m'] },
} as const;

type Policy = keyof typeof POLICIES;
const POLICY_NAMES = ['retry', 'hold', 'expires'] as const satisfies readonly Policy[];

/** The end of a message: its state, and the number of its attempts. */
type Ending = readonly [state: string, attempts: number];

/** The end for each class of failure, when the failure goes on for ever. */
const ENDINGS = {
  sent: { retry: ['sent', 1], hold: ['sent', 1], expires: ['sent', 1] },
  retried: { retry: ['dead', 3], hold: ['dead', 3], expires: ['expired', 1] },
  uncertain: { retry: ['dead', 3], hold: ['uncertain', 1], expires: ['expired', 1] },
  final: { retry: ['dead', 1], hold: ['dead', 1], expires: ['dead', 1] },
  paused: { retry: ['queued', 1], hold: ['queued', 1], expires: ['queued', 1] },
  forbidden: { retry: ['retrying', 1], hold: ['retrying', 1], expires: ['retrying', 1] },
} as const satisfies Readonly<Record<string, Readonly<Record<Policy, Ending>>>>;

interface Failure {
  readonly name: string;
  readonly ending: keyof typeof ENDINGS;
  /** The simulator's step, for each call; without one the gateway itself is what fails, see `baseUrl`. */
  readonly step?: object;
  readonly baseUrl?: 'closed port' | 'no such host' | 'reset before' | 'call limit';
  readonly permanentErrors?: readonly string[];
  /** The source has a second message, to a receiver of its own, that ends like this. */
  readonly other?: 'sent' | 'fails too';
}

const TIMES_OUT = 'time-out';

const status = (code: number, ending: Failure['ending'], extra: object = {}): Failure => ({
  name: `HTTP ${code}`,
  ending,
  step: { failure: 'status', status: code, ...extra },
});

const FAILURES: readonly Failure[] = [
  { name: 'none', ending: 'sent', step: { failure: 'ok' } },
  { name: 'slow, within the time-out', ending: 'sent', step: { failure: 'slow', ms: 100 } },
  { name: '`success: false`', ending: 'retried', step: { failure: 'refused' } },
  {
    name: '`success: false`, a permanent error',
    ending: 'final',
    step: { failure: 'refused', message: 'number is blocked' },
    permanentErrors: ['blocked$'],
  },
  { name: '`success: false`, echoing the secret', ending: 'retried', step: { failure: 'echo_secret' } },
  { name: '200 with HTML', ending: 'uncertain', step: { failure: 'html' } },
  { name: '200, empty', ending: 'uncertain', step: { failure: 'empty' } },
  { name: '200, cut off', ending: 'uncertain', step: { failure: 'cut' } },
  { name: '200, JSON that stops in the middle', ending: 'uncertain', step: { failure: 'garbage' } },
  { name: '200, 10 MiB long', ending: 'uncertain', step: { failure: 'huge' } },
  status(302, 'retried', { headers: { location: '/login' } }),
  status(400, 'final'),
  status(401, 'paused'),
  { ...status(403, 'retried'), name: 'HTTP 403, while others are sent', other: 'sent' },
  { ...status(403, 'forbidden'), name: 'HTTP 403, to every message', other: 'fails too' },
  status(404, 'final'),
  status(408, 'retried'),
  status(422, 'final'),
  ...[425, 429, 500, 502, 503, 504].map((code) => status(code, 'retried')),
  { name: TIMES_OUT, ending: 'uncertain', step: { failure: 'hang' } },
  { name: 'reset after the call', ending: 'uncertain', step: { failure: 'reset' } },
  { name: 'reset before the call', ending: 'uncertain', baseUrl: 'reset before' },
  { name: 'refused connection', ending: 'retried', baseUrl: 'closed port' },
  { name: 'no such host', ending: 'retried', baseUrl: 'no such host' },
  { name: 'none; the platform allows no more calls', ending: 'sent', baseUrl: 'call limit' },
];

/** One failure under one policy has an account of its own: a pause or a circuit must not reach its neighbours. */
const CASES = FAILURES.flatMap((failure, at) =>
  POLICY_NAMES.map((policy, column) => ({
    failure,
    policy,
    account: `f${at}${policy}`,
    phone: `49151${String(10_000_000 + at * 10 + column)}`,
  })),
);

/** A receiver that no case has. */
const otherThan = (phone: string): string => phone.replace(/^49151/, '49152');

const DOCUMENT = join(import.meta.dirname, '../../docs/guarantees/fault-matrix.md');

/** The events of which another message is made: those that are forbidden must differ. */
const OTHERS = { sent: 'payload.n == 0', 'fails too': 'payload.n > 0' } as const;

const TOKEN = 'token-of-the-senders-of-the-matrix';

const PATIENCE = { withinMs: PATIENCE_MS, eachMs: 200 };

/** After this, what expires has expired, and its first retry is due. */
const LATER_MS = 30 * 60_000;

it('each failure with each policy ends as its class says, and stands so in docs/guarantees/fault-matrix.md', async () => {
  const [gateway, resetting, limited] = [await startGateway(), await startGateway(), await startGateway()];
  const storeDir = mkdtempSync(join(tmpdir(), 'hookbell-matrix-'));
  onTestFinished(async () => {
    for (const one of [gateway, resetting, limited]) await one.close();
    rmSync(storeDir, { recursive: true });
  });
  await gateway.script(
    CASES.flatMap(({ failure: { step, other }, phone }) =>
      [phone, ...(other === 'fails too' ? [otherThan(phone)] : [])].flatMap((one) =>
        step === undefined ? [] : [{ ...step, match: { phone: one }, times: 100 }],
      ),
    ),
  );
  await resetting.script([{ failure: 'reset_before', times: 10_000 }]);
  const bundles = inject('bundles');
  const vars = await relayVars(resetting, limited);
  const limitedBundles = { ...bundles, relay: bundles.limited };
  const relay = await startRelay(limitedBundles, gateway.baseUrl, storeDir, false, { vars });
  const found = new Map<string, Ending>();
  try {
    await relay.publish(configuration());
    // A few at a time: what is proved is not that a small machine can do all of it at once.
    const queue = CASES.values();
    const lane = async (): Promise<void> => {
      for (const one of queue) {
        // Two different messages are forbidden, and then a third.
        for (const n of one.failure.other === 'fails too' ? [0, 1, 2] : [0]) {
          const phone = n === 0 ? one.phone : otherThan(one.phone);
          const headers = { 'x-token': TOKEN };
          await fetch(`${relay.url}/hooks/${one.account}`, {
            method: 'POST',
            headers,
            body: JSON.stringify({ n }),
          });
          if (one.failure.other === 'fails too') await ending(relay, { ...one, phone }, ['retrying', 1]);
        }
        if (one.failure.other === 'fails too') await untilPaused(relay, one.account);
        found.set(one.account, await ending(relay, one, beforeExpiry(one)));
      }
    };
    await Promise.all(Array.from({ length: 12 }, lane));
    // Nobody waits for that: the relay starts again when it is over.
    await relay.kill();
    await relay.start({ TEST_CLOCK_MS: String(clockOffset() + LATER_MS) });
    const expiring = CASES.filter(({ failure, policy }) => ENDINGS[failure.ending][policy][0] === 'expired');
    for (const one of expiring) {
      // Its alarm is of the clock before.
      await relay.admin('POST', `/accounts/${one.account}/resume`);
      found.set(one.account, await ending(relay, one, ['expired', 1]));
    }
  } finally {
    await relay.kill();
  }
  const named = (endings: (one: (typeof CASES)[number]) => Ending | undefined): readonly unknown[] =>
    CASES.map((one) => [one.failure.name, one.policy, endings(one)]);
  expect(named(({ account }) => found.get(account))).toEqual(
    named(({ failure, policy }) => ENDINGS[failure.ending][policy]),
  );
  const before = readFileSync(DOCUMENT, 'utf8');
  const page = before.replace(
    /(<!-- fault matrix: begin -->\n).*?(<!-- fault matrix: end -->)/s,
    `$1\n${matrix(found)}\n\n$2`,
  );
  const after = await format(page, { ...(await resolveConfig(DOCUMENT)), parser: 'markdown' });
  writeFileSync(DOCUMENT, after);
  expect(after, 'the table was out of date and has been written anew: commit it').toBe(before);
});

/** What is to expire has had its first attempt. */
function beforeExpiry({ failure, policy }: (typeof CASES)[number]): Ending {
  const end = ENDINGS[failure.ending][policy];
  return end[0] === 'expired' ? ['retrying', 1] : end;
}

async function relayVars(resetting: Gateway, limited: Gateway): Promise<Record<string, string>> {
  const baseUrls = {
    'closed port': `http://127.0.0.1:${await freePort()}/api`,
    'no such host': 'http://gateway.invalid/api',
    'reset before': resetting.baseUrl,
    'call limit': limited.baseUrl,
  };
  const vars: Record<string, string> = {
    // A list asks each of the accounts; there are about a hundred.
    MATRIX_TOKEN: TOKEN,
    PLATFORM_CALLS: '1000',
    PLATFORM_REFUSES: new URL(limited.baseUrl).host,
  };
  for (const { account, failure } of CASES) {
    const prefix = `GATEWAY_${account.toUpperCase()}`;
    vars[`${prefix}_EMAIL`] = 'matrix@example.com';
    vars[`${prefix}_API_KEY`] = 'gateway-key-of-the-matrix';
    if (failure.baseUrl !== undefined) vars[`${prefix}_BASE_URL`] = baseUrls[failure.baseUrl];
  }
  return vars;
}

function configuration(): object {
  const send = { kind: 'text', message: 'x {{ payload.n }}' };
  const sources: Record<string, object> = {};
  const accounts: Record<string, object> = {};
  for (const { account, policy, phone, failure } of CASES) {
    sources[account] = {
      verify: { scheme: 'token', in: 'header', name: 'x-token' },
      secrets: ['MATRIX_TOKEN'],
      account,
      routes: [
        { name: 'all', when: 'payload.n == 0', to: phone, send, ...POLICIES[policy].route },
        ...(failure.other === undefined
          ? []
          : [{ name: 'other', when: OTHERS[failure.other], to: otherThan(phone), send }]),
      ],
    };
    accounts[account] = {
      rate: false,
      per_recipient: false,
      // Only a call that hangs is to meet its time-out: a machine under load is slow with all of them.
      timeout: failure.name === TIMES_OUT ? '1s' : '2m',
      // Its other message must be refused before this one goes again, however slow the machine is.
      retry: failure.other === 'fails too' ? ['10m', '10m'] : POLICIES[policy].retry,
      circuit: { failures: 1_000 },
      ...(failure.permanentErrors && { permanent_errors: failure.permanentErrors }),
    };
  }
  return { sources, accounts };
}

/** The message's state and attempts once they are the expected ones, or as they stand at the deadline. */
async function ending(
  relay: Relay,
  { account, phone }: (typeof CASES)[number],
  expected: Ending,
): Promise<Ending> {
  const look = async (): Promise<Ending> => {
    const answer = await relay.admin('GET', `/messages?source=${account}&phone=${phone}`);
    const { items } = await answer.json<{ items: { state: string; attempts: unknown[] }[] }>();
    return [items[0]?.state ?? 'missing', items[0]?.attempts.length ?? 0];
  };
  return lookUntil(look, (found) => found.join() === expected.join(), PATIENCE);
}

async function untilPaused(relay: Relay, account: string): Promise<void> {
  const isPaused = async (): Promise<boolean> => {
    const answer = await relay.admin('GET', `/accounts/${account}/status`);
    return (await answer.json<{ paused: unknown }>()).paused !== null;
  };
  if (!(await lookUntil(isPaused, Boolean, PATIENCE)))
    throw new Error(`the account ${account} was not paused`);
}

function matrix(endings: ReadonlyMap<string, Ending>): string {
  const rows = FAILURES.map(({ name }, at) => [
    name,
    ...POLICY_NAMES.map((policy) => cell(endings.get(`f${at}${policy}`))),
  ]);
  const head = ['`on_uncertain: retry`', '`on_uncertain: hold`', '`expires` before the first retry'];
  return table(['the gateway’s failure', ...head], rows);
}

const cell = (ending: Ending | undefined): string =>
  ending === undefined ? '' : `${ending[0]}, ${ending[1]} ${ending[1] === 1 ? 'attempt' : 'attempts'}`;
