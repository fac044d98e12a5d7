import { join } from 'node:path';
import type { Bundles } from '../e2e/build.ts';
import { contestantOf, startPaid, type Contestant } from './contestants.ts';
import { grownFigures, inTurns, type Lab } from './measure.ts';
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
/** What each account logs in with. */
const LOGINS = Array.from({ length: MAX_ACCOUNTS }, (_, n): readonly (readonly [string, string])[] => [
  [`GATEWAY_ACCOUNT_${n}_EMAIL`, 'proof@example.com'],
  [`GATEWAY_ACCOUNT_${n}_API_KEY`, 'gateway-key-of-the-proof'],
]);
const VARS = Object.fromEntries(LOGINS.flat());

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

/** The figures of each step; CPU is of a message, until it is recorded. */
export const RATES = ['messages delivered/s', 'events accepted/s', 'CPU, ms a message'] as const;

/** One relay for each variant, in turns. */
export async function measureRates(
  lab: Lab,
  bundles: Bundles,
  folder: string,
  name: GrownName,
  rounds: number,
): Promise<readonly { readonly step: string; readonly values: readonly number[] }[]> {
  const running: { readonly variant: Variant; readonly contestant: Contestant }[] = [];
  try {
    for (const variant of GROWN[name].variants) {
      const storeDir = join(folder, `${name}-${variant.step}`);
      const relay = await startPaid(bundles, lab.gatewayUrl, storeDir, variant.config, { vars: VARS });
      running.push({ variant, contestant: contestantOf(relay) });
    }
    const all = await inTurns(running, rounds, WITHIN_MS, async ({ variant, contestant }) => {
      const { shape, paths, events: count } = variant;
      const one = await lab.measure(contestant, { count, connections: CONNECTIONS, shape, paths });
      const cpuMs = (one.cpuMs ?? 0) / Math.max(1, shape.items);
      return [one.deliveredPerSecond ?? 0, one.acceptedPerSecond, cpuMs];
    });
    const figures = grownFigures(RATES, all);
    return running.map(({ variant: { step } }, at) => ({
      step,
      values: figures.map(({ values }) => values[at] ?? Number.NaN),
    }));
  } finally {
    await Promise.all(running.map(({ contestant }) => contestant.kill()));
  }
}
