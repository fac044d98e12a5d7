import { join } from 'node:path';
import type { Bundles } from '../e2e/build.ts';
import { startRelay } from '../e2e/relay.ts';
import { contestantOf, type Contestant } from './contestants.ts';
import { median, type Lab, type Measured } from './measure.ts';
import { PAID_ROUTE, PAYMENT, paymentSource, UNPACED, type Shape } from './payment.ts';

/** One step of a series: the changed configuration, and the webhooks that are measured with it. */
interface Variant {
  readonly step: string;
  readonly config: object;
  readonly paths: readonly string[];
  readonly shape: Shape;
  readonly events: number;
}

const EVENTS = 400;
const CONNECTIONS = 16;
/** No further round of a part begins after this. */
const WITHIN_MS = 32_000;
const HOOK = '/hooks/proof';

const MAX_ACCOUNTS = 4;
/** As on the paid plan; and what each account logs in with. */
const LOGINS = Array.from({ length: MAX_ACCOUNTS }, (_, n): readonly (readonly [string, string])[] => [
  [`GATEWAY_ACCOUNT_${n}_EMAIL`, 'proof@example.com'],
  [`GATEWAY_ACCOUNT_${n}_API_KEY`, 'gateway-key-of-the-proof'],
]);
const VARS = { CALLS_PER_RUN: '10000', ...Object.fromEntries(LOGINS.flat()) };

const configOf = (sources: object, accounts: object): object => ({
  sources,
  templates: {},
  recipients: {},
  accounts,
});

const variant = (step: string, rest: Partial<Variant>): Variant => ({
  step,
  config: configOf({ proof: paymentSource() }, { default: UNPACED }),
  paths: [HOOK],
  shape: PAYMENT,
  events: EVENTS,
  ...rest,
});

function ofAccounts(count: number): Variant {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const sources = Object.fromEntries(
    numbers.map((n) => [`proof-${n}`, paymentSource([PAID_ROUTE], `account-${n}`)]),
  );
  const accounts = Object.fromEntries(numbers.map((n) => [`account-${n}`, UNPACED]));
  return variant(String(count), {
    config: configOf(sources, accounts),
    paths: numbers.map((n) => `${HOOK}-${n}`),
  });
}

const ofBytes = (kib: number, events: number): Variant =>
  variant(String(kib), { shape: { bytes: kib * 1_024, items: 0 }, events });

/** Each is looked at; the last one matches. */
function ofRoutes(count: number): Variant {
  const others = Array.from({ length: count - 1 }, (_, index) => ({
    ...PAID_ROUTE,
    name: `other-${index}`,
    when: `payload.data.method.brand == "brand-${index}" and payload.data.amount > ${index}`,
  }));
  return variant(String(count), {
    config: configOf({ proof: paymentSource([...others, PAID_ROUTE]) }, { default: UNPACED }),
  });
}

function ofItems(items: number): Variant {
  const route = {
    ...PAID_ROUTE,
    each: 'payload.items',
    send: { kind: 'text', message: 'Payment {{ item.id }} of {{ payload.data.customer.name }}' },
  };
  return variant(String(items), {
    config: configOf({ proof: paymentSource([route]) }, { default: UNPACED }),
    shape: { ...PAYMENT, items },
    events: Math.ceil(EVENTS / Math.sqrt(items) / (items > 10 ? 4 : 1)),
  });
}

/** The things that may grow beside the number of events, in the order of the page. */
export const GROWN = {
  accounts: { abscissa: 'accounts', variants: [1, 2, MAX_ACCOUNTS].map(ofAccounts) },
  payload: {
    abscissa: 'payload, KiB',
    variants: [ofBytes(1, EVENTS), ofBytes(16, EVENTS), ofBytes(256, 100)],
  },
  routes: { abscissa: 'routes of the source', variants: [1, 8, 32].map(ofRoutes) },
  each: { abscissa: 'items of `each`', variants: [1, 10, 100].map(ofItems) },
} as const;
export type GrownName = keyof typeof GROWN;

/** Medians of the rounds. */
export interface RateFigures {
  readonly step: string;
  readonly acceptedPerSecond: number;
  /** Messages. */
  readonly deliveredPerSecond: number;
  /** CPU of a message, until it is recorded. */
  readonly cpuMs: number;
}

/** One relay for each variant, in turns. */
export async function measureRates(
  lab: Lab,
  bundles: Bundles,
  folder: string,
  name: GrownName,
  rounds: number,
): Promise<readonly RateFigures[]> {
  const running: { readonly variant: Variant; readonly contestant: Contestant; readonly runs: Measured[] }[] =
    [];
  try {
    for (const one of GROWN[name].variants) {
      const relay = await startRelay(bundles, lab.gatewayUrl, join(folder, `${name}-${one.step}`), false, {
        vars: VARS,
      });
      running.push({ variant: one, contestant: contestantOf(relay), runs: [] });
      await relay.publish(one.config);
    }
    const startedAt = performance.now();
    for (let round = 0; round <= rounds && performance.now() < startedAt + WITHIN_MS; round += 1) {
      const turns = round % 2 === 1 ? running : running.toReversed();
      for (const { variant: one, contestant, runs } of turns) {
        const { shape, paths, events: count } = one;
        const measured = await lab.measure(contestant, { count, connections: CONNECTIONS, shape, paths });
        // The first warms up.
        if (round > 0) runs.push(measured);
      }
    }
    return running.map(({ variant: { step, shape }, runs }) => ({
      step,
      acceptedPerSecond: median(runs.map(({ acceptedPerSecond }) => acceptedPerSecond)),
      deliveredPerSecond: median(runs.map(({ deliveredPerSecond }) => deliveredPerSecond ?? 0)),
      cpuMs: median(runs.map(({ cpuMs }) => (cpuMs ?? 0) / Math.max(1, shape.items))),
    }));
  } finally {
    await Promise.all(running.map(({ contestant }) => contestant.kill()));
  }
}
