import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { Starter } from '../../src/config/documents/provider-file.ts';
import { withExamples } from '../../src/config/documents/starter-texts.ts';
import { parseOwnJson } from '../../src/lib/json.ts';
import type { Call } from '../../simulator/call-log.ts';
import { lookUntil } from '../eventually.ts';
import { isInstalled, startAlertmanager } from './alertmanager.ts';
import { interruptionsOf } from './arrivals.ts';
import { startGateway } from './gateway.ts';
import { PATIENCE_MS } from './real-time.ts';
import { receiverNumber } from './receivers.ts';
import { startRelay } from './relay.ts';

/** The numbers in a message: open incidents, and those that opened and resolved since the message before it. */
interface Said {
  readonly open: number;
  readonly opened: number;
  readonly resolved: number;
}

const ALERTS = 500;
const TOKEN = 'alert-token-of-the-proof';

const starterFile = join(import.meta.dirname, '../../assets/providers/alertmanager.json');
const { source, routes } = z
  .object({
    source: z.looseObject({}),
    routes: z.array(z.looseObject({ name: z.string() })),
  })
  .parse(withExamples(parseOwnJson<Starter>(readFileSync(starterFile, 'utf8'))));

/** The starter's route of what is critical, but for shorter times and a text to be counted; a slow machine may reach its throttle. */
const {
  template: _,
  throttle: __,
  ...starter
} = z.looseObject({ group: z.looseObject({}) }).parse(routes.find(({ name }) => name === 'critical'));
const ROUTE = {
  ...starter,
  to: receiverNumber(1),
  group: { ...starter.group, wait: '3s', interval: '4s' },
  send: { kind: 'text', message: '{{ count }} {{ new.size }} {{ resolved.size }}' },
};
const SOURCE = {
  ...source,
  provider: 'alertmanager',
  secrets: ['ALERT_TOKEN'],
  limit: false,
  routes: [ROUTE],
};
const CONFIG = {
  sources: { alerts: SOURCE },
  templates: {},
  recipients: {},
  accounts: { default: { rate: false, per_recipient: false, retry: ['100ms', '500ms', '500ms', '500ms'] } },
};

function numbersIn({ message }: Readonly<Record<string, unknown>>): Said {
  const [open = NaN, opened = NaN, resolved = NaN] = String(message).split(' ').map(Number);
  return { open, opened, resolved };
}

const saidBy = ({ delivered, params }: Call): readonly Said[] => (delivered ? [numbersIn(params)] : []);

/** Each message once: one whose call a kill cut off comes again, the same. */
const distinct = (messages: readonly Said[]): readonly Said[] =>
  messages.filter((said, index) => JSON.stringify(said) !== JSON.stringify(messages[index - 1]));

const sumOf = (messages: readonly Said[], what: keyof Said): number =>
  messages.reduce((sum, said) => sum + said[what], 0);

it.skipIf(!isInstalled())(
  'five hundred alerts of a real Alertmanager are few messages and one last, and none is lost over four SIGKILLs',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hookbell-e2e-'));
    const gateway = await startGateway();
    const relay = await startRelay(inject('bundles'), gateway.baseUrl, join(folder, 'relay'), true, {
      vars: { ALERT_TOKEN: TOKEN },
    });
    await relay.publish(CONFIG);
    const url = `${relay.url}/hooks/alerts`;
    const alertmanager = await startAlertmanager(join(folder, 'alertmanager'), url, TOKEN);
    onTestFinished(async () => {
      await alertmanager.kill();
      await relay.kill();
      await gateway.close();
      rmSync(folder, { recursive: true });
    });
    const killAndStart = async (): Promise<void> => {
      await relay.kill();
      await relay.start();
    };
    const said = async (): Promise<readonly Said[]> => (await gateway.calls()).flatMap(saidBy);
    const until = async (holds: () => Promise<boolean>, what: string): Promise<void> => {
      if (!(await lookUntil(holds, Boolean, { withinMs: PATIENCE_MS, eachMs: 50 })))
        throw new Error(`${what}: ${JSON.stringify(await said())}`);
    };
    const untilSaid = (what: 'opened' | 'resolved', count: number): Promise<void> =>
      until(async () => sumOf(distinct(await said()), what) >= count, `not ${count} ${what}`);
    const untilHeard = (count: number): Promise<void> =>
      until(async () => (await relay.events()).length > count, 'no webhook');

    const names = Array.from({ length: ALERTS }, (_, index) => `web-${String(index).padStart(3, '0')}`);
    for (let from = 0; from < ALERTS; from += 50) await alertmanager.post(names.slice(from, from + 50), null);
    // Its items wait for their group: they are only on the disk.
    await untilHeard(0);
    await killAndStart();
    await untilSaid('opened', ALERTS);
    let resolved = 0;
    for (const [part, some] of [names.slice(0, 150), names.slice(150, 350), names.slice(350)].entries()) {
      const before = (await relay.events()).length;
      await alertmanager.post(some, new Date());
      // Before it has heard of it; and when it has, and the message waits for its time or is on its way.
      if (part !== 1) await untilHeard(before);
      await killAndStart();
      resolved += some.length;
      await untilSaid('resolved', resolved);
    }
    // Whatever else would be sent has its outcome by then.
    await until(
      async () => (await relay.items()).every(({ outcome }) => outcome !== 'waiting'),
      'items still wait',
    );
    await relay.drained();
    const all = await said();
    const shown = JSON.stringify(all);
    // One whose call a kill cut off, and that a newer state replaced, is not among these: the newer one says it again.
    const messages = await relay.messages();
    const once = messages.filter(({ state }) => state === 'sent').map(({ params }) => numbersIn(params));
    // At the gateway, more comes only where a kill cut a call off.
    expect(all.length - once.length, shown).toBeLessThanOrEqual(interruptionsOf(...messages));
    expect([sumOf(once, 'opened'), sumOf(once, 'resolved')], shown).toEqual([ALERTS, ALERTS]);
    expect(all.at(-1)?.open, shown).toBe(0);
    expect(once.filter(({ open }) => open === 0)).toHaveLength(1);
    // An update stands for many alerts.
    expect(once.length, shown).toBeLessThan(ALERTS / 10);
    expect((await relay.items()).length).toBeGreaterThanOrEqual(2 * ALERTS);
  },
);
