import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bundles } from '../e2e/build.ts';
import { receiverNumber } from '../e2e/receivers.ts';
import { startRelay, type Relay } from '../e2e/relay.ts';
import { contestantOf } from './contestants.ts';
import type { StoredFigure } from './growth-stored.ts';
import { median, type Lab } from './measure.ts';
import { PAID_ROUTE, paymentSource, UNPACED } from './payment.ts';

/** The number of incidents that are open and notified, and of items that wait: with those that are measured, fewer than an account keeps. */
export const OPEN_STEPS = [0, 3_000] as const;
/** As many as an event may bring. */
const PORTION = 1_000;
/** In this many groups. */
const SERVICES = 100;
const FILL_WITHIN_MS = 60_000;

/** Of an item, with its group of a hundred; reported after a second, or after a day. */
const alertRoute = (wait: string): object => ({
  name: 'alerts',
  each: 'payload.alerts',
  to: receiverNumber(1),
  incident: { key: '{{ item.name }}', resolved: 'item.status == "resolved"' },
  group: { by: ['{{ item.service }}'], wait, interval: '1d' },
  send: { kind: 'text', message: '{{ count }} firing' },
});

/** A payment as one item more of a group that waits. */
const JOINING = {
  ...PAID_ROUTE,
  to: receiverNumber(2),
  incident: { key: '{{ payload.id }}' },
  group: { wait: '1d', interval: '1d' },
};

const alertSource = (wait: string): object => ({
  verify: { scheme: 'none' },
  limit: false,
  routes: [alertRoute(wait)],
});

const CONFIG = {
  sources: {
    proof: paymentSource(),
    joining: paymentSource([JOINING]),
    reported: alertSource('1s'),
    waiting: alertSource('1d'),
  },
  templates: {},
  recipients: {},
  accounts: { default: UNPACED },
};

/** The accepted webhooks: a payment without any incident, and one that joins a group. */
const KINDS = [
  { name: 'a payment', path: '/hooks/proof' },
  { name: 'an item that joins a group', path: '/hooks/joining' },
] as const;
const FIGURES = ['p50, 1 connection, ms', 'p99, 1 connection, ms', 'p50, 16 connections, ms'] as const;
const EVENTS = 200;

/** Accepting beside incidents that are open, in turns with accepting in an object without any. */
export async function measureIncidents(
  lab: Lab,
  bundles: Bundles,
  folder: string,
  rounds: number,
): Promise<readonly StoredFigure[]> {
  const relays: Relay[] = [];
  try {
    for (const count of OPEN_STEPS) {
      const relay = await startRelay(bundles, lab.gatewayUrl, join(folder, `incidents-${count}`), false, {
        vars: { CALLS_PER_RUN: '10000' },
      });
      relays.push(relay);
      await relay.publish(CONFIG);
      await fill(relay, 'reported', count);
      const isReported = async (): Promise<boolean> => (await relay.status()).waiting === 0;
      for (const until = Date.now() + FILL_WITHIN_MS; !(await isReported()); await sleep(100))
        if (Date.now() > until) throw new Error(`not reported: ${JSON.stringify(await relay.status())}`);
      await relay.drained();
      // From now on only accepting is measured.
      await relay.admin('POST', '/accounts/default/pause', { reason: 'the bench' });
      await fill(relay, 'waiting', count);
      const { waiting, open_incidents: open } = await relay.status();
      if (waiting !== count || open !== 2 * count) throw new Error(`${waiting} wait, ${open} are open`);
    }
    /** By round, relay and figure. */
    const all: (readonly (readonly number[])[])[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const figures = new Map<Relay, readonly number[]>();
      const turns = round % 2 === 1 ? relays : relays.toReversed();
      for (const relay of turns) figures.set(relay, await acceptances(lab, relay));
      // The first warms up.
      if (round > 0) all.push(relays.map((relay) => figures.get(relay) ?? []));
    }
    const names = KINDS.flatMap((kind) => FIGURES.map((figure) => `${kind.name}: ${figure}`));
    return names.map((name, figure) => {
      const each = all.map((steps) => steps.map((values) => values[figure] ?? Number.NaN));
      return {
        name,
        values: relays.map((_, step) => median(each.map((values) => values[step] ?? Number.NaN))),
        ratio: median(each.map(([empty = Number.NaN, full = Number.NaN]) => full / empty)),
      };
    });
  } finally {
    await Promise.all(relays.map((relay) => relay.kill()));
  }
}

async function fill({ url }: Relay, source: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += PORTION) {
    const alerts = Array.from({ length: PORTION }, (_, n) => ({
      name: `alert-${from + n}`,
      service: `service-${n % SERVICES}`,
      status: 'firing',
      summary: `alert-${from + n} does not answer`,
    }));
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ alerts });
    const answer = await fetch(`${url}/hooks/${source}`, { method: 'POST', headers, body });
    if (answer.status !== 202) throw new Error(`${source}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  }
}

async function acceptances(lab: Lab, relay: Relay): Promise<readonly number[]> {
  const figures: number[] = [];
  for (const { path } of KINDS) {
    const contestant = contestantOf(relay, 'hookbell (paused)', path);
    const { p50, p99 } = await lab.measure(contestant, { count: EVENTS, connections: 1 });
    const atOnce = await lab.measure(contestant, { count: 2 * EVENTS, connections: 16 });
    figures.push(p50, p99, atOnce.p50);
  }
  return figures;
}
