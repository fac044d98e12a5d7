import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { Page } from '../../src/outbox/read/read.ts';
import { lookUntil } from '../eventually.ts';
import { startAlertmanager, type Alertmanager } from './alertmanager.ts';
import type { Bundles } from './build.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { passRealTime } from './real-time.ts';
import { receiverNumber } from './receivers.ts';
import { startRelay, type Relay } from './relay.ts';

/** The numbers in a message: open incidents, and those that opened and resolved since the message before it. */
export interface Said {
  readonly open: number;
  readonly opened: number;
  readonly resolved: number;
}

/** The outcome of a storm of alerts. */
interface StormReport {
  /** The messages that the receiver got, in order. */
  readonly said: readonly Said[];
  /** Webhooks that the relay accepted, and the outcome of their items. */
  readonly webhooks: number;
  readonly outcomes: ReadonlyMap<string, number>;
  /** Attempts that a kill cut off: each may come twice. */
  readonly interrupted: number;
  /** From the first alert to the last message. */
  readonly tookMs: number;
}

export const ALERTS = 500;
export const INTERVAL_MS = 4_000;
const WAIT_MS = 3_000;
const TOKEN = 'alert-token-of-the-proof';
const WITHIN_MS = 20_000;

const { source, routes } = z
  .object({
    source: z.looseObject({}),
    routes: z.array(z.looseObject({ name: z.string() })),
  })
  .parse(
    JSON.parse(readFileSync(join(import.meta.dirname, '../../assets/providers/alertmanager.json'), 'utf8')),
  );

/** The starter's route of what is critical, but for shorter times and a text to be counted; a slow machine may reach its throttle. */
const {
  template: _,
  throttle: __,
  ...starter
} = z.looseObject({ group: z.looseObject({}) }).parse(routes.find(({ name }) => name === 'critical'));
const CONFIG = {
  sources: {
    alerts: {
      ...source,
      provider: 'alertmanager',
      secrets: ['ALERT_TOKEN'],
      limit: false,
      routes: [
        {
          ...starter,
          to: receiverNumber(1),
          group: {
            ...starter.group,
            wait: `${WAIT_MS / 1_000}s`,
            interval: `${INTERVAL_MS / 1_000}s`,
          },
          send: { kind: 'text', message: '{{ count }} {{ new.size }} {{ resolved.size }}' },
        },
      ],
    },
  },
  templates: {},
  recipients: {},
  accounts: { default: { rate: false, per_recipient: false, retry: ['100ms', '500ms', '500ms', '500ms'] } },
};

/** Five hundred alerts fire at once and end in three parts; the relay is killed after each step. */
export async function alertStorm(bundles: Bundles): Promise<StormReport> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-e2e-'));
  const gateway = await startGateway();
  let relay: Relay | null = null;
  let alertmanager: Alertmanager | null = null;
  try {
    relay = await startRelay(bundles, gateway.baseUrl, join(folder, 'relay'), true, {
      vars: { ALERT_TOKEN: TOKEN },
    });
    await relay.publish(CONFIG);
    const url = `${relay.url}/hooks/alerts`;
    alertmanager = await startAlertmanager(join(folder, 'alertmanager'), url, TOKEN);
    return await play({ relay, gateway, alertmanager });
  } finally {
    await alertmanager?.kill();
    await relay?.kill();
    await gateway.close();
    rmSync(folder, { recursive: true });
  }
}

interface Players {
  readonly relay: Relay;
  readonly gateway: Gateway;
  readonly alertmanager: Alertmanager;
}

async function play({ relay, gateway, alertmanager }: Players): Promise<StormReport> {
  const startedAt = Date.now();
  const killAndStart = async (): Promise<void> => {
    await relay.kill();
    await relay.start();
  };
  const said = async (): Promise<readonly Said[]> => (await gateway.calls()).map(saidBy).filter(isSaid);
  const until = async (holds: () => Promise<boolean>, what: string): Promise<void> => {
    if (!(await lookUntil(holds, Boolean, { withinMs: WITHIN_MS, eachMs: 50 })))
      throw new Error(`${what} within ${WITHIN_MS} ms: ${JSON.stringify(await said())}`);
  };
  const untilSaid = (what: 'opened' | 'resolved', count: number): Promise<void> =>
    until(async () => sumOf(distinct(await said()), what) >= count, `not ${count} ${what}`);
  const untilHeard = (count: number): Promise<void> =>
    until(async () => (await eventsOf(relay)).length > count, 'no webhook');

  const names = Array.from({ length: ALERTS }, (_, index) => `web-${String(index).padStart(3, '0')}`);
  for (let from = 0; from < ALERTS; from += 50) await alertmanager.post(names.slice(from, from + 50), null);
  // Its items wait for their group: they are only on the disk.
  await untilHeard(0);
  await killAndStart();
  await untilSaid('opened', ALERTS);
  const parts = [names.slice(0, 150), names.slice(150, 350), names.slice(350)];
  let resolved = 0;
  for (const [part, some] of parts.entries()) {
    const before = (await eventsOf(relay)).length;
    await alertmanager.post(some, new Date());
    // Before it has heard of it; and when it has, and the message waits for its time or is on its way.
    if (part !== 1) await untilHeard(before);
    await killAndStart();
    resolved += some.length;
    await untilSaid('resolved', resolved);
  }
  await relay.drained(WITHIN_MS);
  const tookMs = Date.now() - startedAt;
  // Whatever else would be sent is sent by then.
  await passRealTime(WAIT_MS + INTERVAL_MS);
  const messages = await relay.messages();
  const events = await eventsOf(relay);
  return {
    said: await said(),
    webhooks: events.length,
    outcomes: await outcomesOf(relay, events),
    interrupted: messages.flatMap(({ attempts }) => attempts).filter(({ outcome }) => outcome === 'uncertain')
      .length,
    tookMs,
  };
}

function saidBy({ delivered, params }: Awaited<ReturnType<Gateway['calls']>>[number]): Said | null {
  if (!delivered) return null;
  const [open = NaN, opened = NaN, resolved = NaN] = (params['message'] ?? '').split(' ').map(Number);
  return { open, opened, resolved };
}

const isSaid = (said: Said | null): said is Said => said !== null;

/** Each message once: one whose call a kill cut off comes again, the same. */
export const distinct = (messages: readonly Said[]): readonly Said[] =>
  messages.filter((said, index) => JSON.stringify(said) !== JSON.stringify(messages[index - 1]));

export const sumOf = (messages: readonly Said[], what: keyof Said): number =>
  messages.reduce((sum, said) => sum + said[what], 0);

interface EventView {
  readonly id: string;
  readonly items?: readonly { readonly outcome: string }[];
}

async function eventsOf(relay: Relay): Promise<readonly EventView[]> {
  const page = await relay.admin('GET', '/events?limit=200');
  return (await page.json<Page<EventView>>()).items;
}

async function outcomesOf(relay: Relay, events: readonly EventView[]): Promise<ReadonlyMap<string, number>> {
  const outcomes = new Map<string, number>();
  for (const { id } of events) {
    const { items = [] } = await (await relay.admin('GET', `/events/${id}`)).json<EventView>();
    for (const { outcome } of items) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  return outcomes;
}
