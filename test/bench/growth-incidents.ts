import { join } from 'node:path';
import type { Bundles } from '../e2e/build.ts';
import { PATIENCE_MS } from '../e2e/real-time.ts';
import { receiverNumber } from '../e2e/receivers.ts';
import type { Relay } from '../e2e/relay.ts';
import { lookUntil } from '../eventually.ts';
import { contestantOf, pause, startPaid } from './contestants.ts';
import { grownFigures, inTurns, type GrownFigure, type Lab } from './measure.ts';
import { PAID_ROUTE, paymentSource, UNPACED } from './payment.ts';

/** The number of incidents that are open and notified, and of items that wait: with those that are measured, fewer than an account keeps. */
const OPEN_STEPS = [0, 3_000] as const;
/** As many as an event may bring. */
const PORTION = 1_000;
/** In this many groups. */
const SERVICES = 100;

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
): Promise<readonly GrownFigure[]> {
  const relays: Relay[] = [];
  try {
    for (const count of OPEN_STEPS) {
      const relay = await startPaid(bundles, lab.gatewayUrl, join(folder, `incidents-${count}`), CONFIG);
      relays.push(relay);
      await fill(relay, 'reported', count);
      const last = await lookUntil(
        () => relay.status(),
        ({ waiting }) => waiting === 0,
        { withinMs: PATIENCE_MS, eachMs: 100 },
      );
      if (last.waiting > 0) throw new Error(`not reported: ${JSON.stringify(last)}`);
      await relay.drained();
      // From now on only accepting is measured.
      await pause(relay);
      await fill(relay, 'waiting', count);
      const { waiting, open_incidents: open } = await relay.status();
      if (waiting !== count || open !== 2 * count) throw new Error(`${waiting} wait, ${open} are open`);
    }
    const names = KINDS.flatMap((kind) => FIGURES.map((figure) => `${kind.name}: ${figure}`));
    return grownFigures(names, await inTurns(relays, rounds, Infinity, (relay) => acceptances(lab, relay)));
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
