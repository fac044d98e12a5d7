import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBundles, bundleHelper, compatibilityDate, type Bundles } from '../e2e/build.ts';
import { startRelay, type Relay, type RelayExtras } from '../e2e/relay.ts';
import { freePort, startRuntime } from '../e2e/runtime.ts';
import { HOOK_SECRET } from '../e2e/webhook.ts';
import { paymentConfig } from './payment.ts';

/** In the order of the tables. */
export const CONTESTANTS = [
  'no-op',
  'bare',
  'minimal',
  'handwritten',
  'hookbell',
  'hookbell (paused)',
  'hookbell (other)',
] as const;
export type ContestantName = (typeof CONTESTANTS)[number];

/** A process that takes webhooks. */
export interface Contestant {
  readonly name: ContestantName;
  readonly port: number;
  readonly path: string;
  readonly pid: number;
  /** True if each webhook ends in a call of the gateway. */
  readonly delivers: boolean;
  kill(): Promise<void>;
}

interface Stage {
  /** Ends in `/api`. */
  readonly gatewayUrl: string;
  readonly folder: string;
  /** Another production bundle of the relay to measure beside the tree's own: a file. */
  readonly other: string | null;
}

const HELPERS = {
  'no-op': { entry: 'test/bench/noop-worker.ts', objects: [] },
  bare: { entry: 'test/bench/bare-worker.ts', objects: [{ binding: 'STORE', className: 'BareStore' }] },
  minimal: {
    entry: 'test/bench/minimal-worker.ts',
    objects: [{ binding: 'OUTBOX', className: 'MinimalOutbox' }],
  },
  handwritten: { entry: 'test/bench/handwritten-worker.ts', objects: [] },
} as const;

/** Starts them one after the other, each with a store of its own; whoever throws leaves the earlier ones to `running`. */
export async function startAll(
  names: readonly ContestantName[],
  stage: Stage,
  running: Contestant[],
): Promise<void> {
  let built: Bundles | null = null;
  const bundles = (): Bundles => (built ??= buildBundles());
  for (const name of names) running.push(await start(name, stage, bundles));
}

function start(name: ContestantName, stage: Stage, bundles: () => Bundles): Promise<Contestant> {
  if (isHelper(name)) return startHelper(name, stage);
  const relay = name === 'hookbell (other)' ? { relay: readFileSync(stage.other ?? '', 'utf8') } : {};
  return startHookbell(name, stage, { ...bundles(), ...relay });
}

const isHelper = (name: ContestantName): name is keyof typeof HELPERS => Object.hasOwn(HELPERS, name);

async function startHelper(name: keyof typeof HELPERS, { gatewayUrl, folder }: Stage): Promise<Contestant> {
  const port = await freePort();
  const { entry, objects } = HELPERS[name];
  const vars = {
    GATEWAY_BASE_URL: gatewayUrl,
    GATEWAY_EMAIL: 'proof@example.com',
    GATEWAY_API_KEY: 'gateway-key-of-the-proof',
    HOOK_SECRET,
  };
  const runtime = await startRuntime({
    port,
    storeDir: join(folder, name),
    compatibilityDate: compatibilityDate(),
    readyPath: '/',
    workers: [{ name, module: bundleHelper(entry), objects, vars }],
  });
  return {
    name,
    port,
    path: '/hooks/proof',
    pid: runtime.pid,
    delivers: name === 'minimal' || name === 'handwritten',
    kill: () => runtime.kill(),
  };
}

async function startHookbell(
  name: ContestantName,
  { gatewayUrl, folder }: Stage,
  bundles: Bundles,
): Promise<Contestant> {
  const storeDir = join(folder, name.replaceAll(/\W/g, ''));
  const relay = await startPaid(bundles, gatewayUrl, storeDir, paymentConfig());
  if (name === 'hookbell (paused)') await pause(relay);
  return contestantOf(relay, name);
}

/** A relay as on the paid plan: whoever has such a load has that. */
export async function startPaid(
  bundles: Bundles,
  gatewayUrl: string,
  storeDir: string,
  config: object,
  { vars, ...extras }: RelayExtras = {},
): Promise<Relay> {
  const paid = { ...extras, vars: { CALLS_PER_RUN: '10000', ...vars } };
  const relay = await startRelay(bundles, gatewayUrl, storeDir, false, paid);
  await relay.publish(config);
  return relay;
}

/** From now on the relay only accepts. */
export async function pause(relay: Relay): Promise<void> {
  const paused = await relay.admin('POST', '/accounts/default/pause', { reason: 'the bench' });
  if (!paused.ok) throw new Error(`pause: ${paused.status} ${await paused.text()}`);
}

/** A relay as one of the contestants. */
export function contestantOf(
  relay: Relay,
  name: ContestantName = 'hookbell',
  path = '/hooks/proof',
): Contestant {
  return {
    name,
    port: Number(new URL(relay.url).port),
    path,
    pid: relay.pid(),
    delivers: name !== 'hookbell (paused)',
    kill: () => relay.kill(),
  };
}
