import type { MessageView } from '../../src/outbox/answers/api-message.ts';
import type { Call } from '../../simulator/call-log.ts';
import { lookUntil } from '../eventually.ts';
import type { Bundles } from './build.ts';
import { postAll } from './poster.ts';
import { seeded, type Random } from './random.ts';
import { passRealTime } from './real-time.ts';
import { receiverNumber } from './receivers.ts';
import type { Relay } from './relay.ts';
import { onStage } from './stage.ts';
import { sign, type SignedWebhook } from './webhook.ts';

/** The settings for killing the relay while alerts fire and resolve. */
interface GroupCrashOptions {
  readonly seed: number;
  readonly onUncertain: 'retry' | 'hold';
  readonly webhooks?: number;
  readonly kills?: number;
}

/** The outcome of the alerts. Whatever is listed should not be. */
interface GroupCrashReport {
  /** Alerts in accepted webhooks, once for each receiver; and those that the events speak of. */
  readonly accepted: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly messages: number;
  readonly interrupted: number;
  /** Alerts that are notified or summarized in a message that was not sent. */
  readonly unsent: readonly string[];
  /** Incidents whose messages do not alternate between open and resolved, or do not end with a resolution. */
  readonly wronglyNotified: readonly string[];
  /** Messages that came more often than their interrupted attempts explain, or not at all. */
  readonly wronglyArrived: readonly string[];
}

const PHONES = [receiverNumber(1), receiverNumber(2)];
const SERVICES = 6;
const NAMES_OF_EACH = 6;
const GATEWAY_MS = 150;
const CONNECTIONS = 8;
const DRAIN_WITHIN_MS = 60_000;

/** Says of each alert that is new (`+`) or has resolved (`-`) which one it is, and the number of its last webhook. */
const TEXT = ['+', '-']
  .map((sign, index) => {
    const list = index === 0 ? 'new' : 'resolved';
    return `{% for one in ${list} %}${sign}{{ one.item.name }}.{{ one.item.n }} {% endfor %}`;
  })
  .join('');
const SEND = { kind: 'text', message: `{{ count }} ${TEXT}` };

const routesWith = (onUncertain: string): readonly object[] => {
  const shared = {
    each: 'payload.alerts',
    to: PHONES,
    on_uncertain: onUncertain,
    incident: { key: '{{ item.name }}', resolved: 'item.status == "resolved"' },
    send: SEND,
    digest: SEND,
  };
  const group = { by: ['{{ item.service }}'], wait: '1s', interval: '1s' };
  return [
    { ...shared, name: 'grouped', when: 'payload.kind == "grouped"', group },
    { ...shared, name: 'throttled', when: 'payload.kind == "throttled"', throttle: { max: 3, per: '2s' } },
    { ...shared, name: 'both', when: 'payload.kind == "both"', group, throttle: { max: 2, per: '2s' } },
  ];
};
const KINDS = ['grouped', 'throttled', 'both'];

/** Kills the relay at random moments while alerts come in, wait for their group and are sent; and counts what came of it. */
export function crashGroups(bundles: Bundles, options: GroupCrashOptions): Promise<GroupCrashReport> {
  const { seed, onUncertain, webhooks = 240, kills = 8 } = options;
  const random = seeded(seed);
  const retry = ['100ms', '200ms', ...Array.from({ length: Math.min(48, 2 * kills) }, () => '500ms')];
  const stageConfig = { routes: routesWith(onUncertain), account: { retry } };
  return onStage(bundles, stageConfig, async ({ relay, gateway }) => {
    await gateway.script([{ failure: 'slow', ms: GATEWAY_MS, times: 1_000_000 }]);
    const storm = makeAlerts(random, webhooks);
    const share = Math.ceil(storm.length / kills);
    for (let kill = 0; kill < kills; kill += 1) {
      const posting = postAll(relay.hookUrl, storm.slice(kill * share, (kill + 1) * share), CONNECTIONS);
      // Should the restart fail, that is the error to report, not this one.
      posting.catch(() => undefined);
      await passRealTime(kill % 2 === 0 ? random.between(5, 100) : random.between(100, 2_000));
      await relay.kill();
      await relay.start();
      await posting;
    }
    // Whatever is still firing resolves.
    const last = makeResolutions(webhooks);
    await postAll(relay.hookUrl, last, CONNECTIONS);
    const items = await itemsOf(relay);
    await relay.drained(DRAIN_WITHIN_MS);

    const messages = await relay.messages();
    const all = [...storm, ...last];
    return {
      accepted: PHONES.length * all.reduce((sum, { alerts }) => sum + alerts, 0),
      outcomes: Object.fromEntries(
        [...Map.groupBy(items, ({ outcome }) => outcome)].map(([outcome, some]) => [outcome, some.length]),
      ),
      messages: messages.length,
      interrupted: messages.reduce((sum, message) => sum + interruptionsOf(message), 0),
      unsent: unsent(items, messages),
      wronglyNotified: wronglyNotified(messages),
      wronglyArrived: wronglyArrived(messages, await gateway.calls()),
    };
  });
}

const listed = (what: string, list: readonly string[]): readonly string[] =>
  list.length === 0 ? [] : [`${list.length} ${what}: ${list.slice(0, 10).join(', ')}`];

/** The violations of the guarantees. Empty if they hold. */
export function groupCrashFaults(report: GroupCrashReport): readonly string[] {
  const { accepted, outcomes, unsent: not, wronglyNotified: notified, wronglyArrived: arrived } = report;
  const ended = Object.entries(outcomes).reduce(
    (sum, [outcome, n]) => (outcome === 'waiting' ? sum : sum + n),
    0,
  );
  return [
    ...(ended === accepted ? [] : [`${accepted} items accepted, ${ended} have their outcome`]),
    ...listed('in messages that were not sent', not),
    ...listed('not notified in turns as open and resolved', notified),
    ...listed('not arrived once', arrived),
  ];
}

interface AlertWebhook extends SignedWebhook {
  /** The number of its alerts. */
  readonly alerts: number;
}

interface Alert {
  readonly name: string;
  readonly service: string;
  readonly status: 'firing' | 'resolved';
  /** Of the webhook. */
  readonly n: number;
}

const webhookOf = (n: number, kind: string, alerts: readonly Alert[]): AlertWebhook => ({
  ...sign({ id: `alerts-${n}`, phone: '' }, { kind, alerts }),
  alerts: alerts.length,
});

const alertOf = (service: number, name: number, n: number, status: Alert['status']): Alert => ({
  name: `s${service}-${name}`,
  service: `s${service}`,
  status,
  n,
});

/** Of some alerts of a service each: somewhat more fire than resolve. */
const makeAlerts = (random: Random, count: number): readonly AlertWebhook[] =>
  Array.from({ length: count }, (_, n) => {
    const service = random.between(1, SERVICES);
    const alerts = Array.from({ length: NAMES_OF_EACH }, (__, name) => name)
      .filter(() => random.between(0, 1) === 1)
      .map((name) => alertOf(service, name, n, random.between(1, 5) <= 3 ? 'firing' : 'resolved'));
    return webhookOf(n, KINDS[random.between(0, KINDS.length - 1)] ?? '', alerts);
  });

const makeResolutions = (from: number): readonly AlertWebhook[] =>
  KINDS.flatMap((kind, part) =>
    Array.from({ length: SERVICES }, (_, service) => {
      const n = from + part * SERVICES + service;
      const names = Array.from({ length: NAMES_OF_EACH }, (__, name) => name);
      return webhookOf(
        n,
        kind,
        names.map((name) => alertOf(service + 1, name, n, 'resolved')),
      );
    }),
  );

interface ItemOfEvent {
  readonly event: string;
  readonly key?: string;
  readonly outcome: string;
  readonly message?: string;
}

/** The outcome of each item, as soon as none of them waits; or what is known after a while. */
async function itemsOf(relay: Relay): Promise<readonly ItemOfEvent[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await (
      await relay.admin('GET', `/events?limit=200${after}`)
    ).json<{ items: readonly { id: string }[]; next_cursor: string | null }>();
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  const ofEvent = async (id: string): Promise<readonly ItemOfEvent[]> => {
    const response = await relay.admin('GET', `/events/${id}`);
    const { items: some = [] } = await response.json<{ items?: readonly Omit<ItemOfEvent, 'event'>[] }>();
    return some.map((item) => ({ ...item, event: id }));
  };
  const items: ItemOfEvent[] = [];
  const deadline = Date.now() + DRAIN_WITHIN_MS;
  for (const id of ids)
    items.push(
      ...(await lookUntil(
        () => ofEvent(id),
        (found) => found.every(({ outcome }) => outcome !== 'waiting'),
        { withinMs: deadline - Date.now(), eachMs: 50 },
      )),
    );
  return items;
}

/** By `hold` a message of unknown outcome stays as it is; it went out. */
const isOut = ({ state }: MessageView): boolean => state === 'sent' || state === 'uncertain';

const interruptionsOf = ({ attempts }: MessageView): number =>
  attempts.filter(({ outcome }) => outcome === 'uncertain').length;

function unsent(items: readonly ItemOfEvent[], messages: readonly MessageView[]): readonly string[] {
  const out = new Set(messages.filter(isOut).map(({ id }) => id));
  return items
    .filter(({ outcome, message }) => ['notified', 'summarized'].includes(outcome) && !out.has(message ?? ''))
    .map(({ event, key, outcome, message }) => `${event} ${key} ${outcome} ${message}`);
}

/** True if the message may have reached its receiver: it was sent, or its outcome is unknown. */
const mayBeOut = (message: MessageView): boolean => isOut(message) || interruptionsOf(message) > 0;

/**
 * In the order in which the messages were made. The content of a message of unknown outcome counts as said, or not: an
 * opening that may have arrived is resolved, and a resolution that may not have arrived comes again.
 */
function wronglyNotified(messages: readonly MessageView[]): readonly string[] {
  const said = new Map<string, string>();
  for (const message of messages.filter(mayBeOut))
    for (const [, sign = '', name = ''] of (message.params['message'] ?? '').matchAll(
      /([+-])([\w-]+)\.\d+/g,
    )) {
      const incident = `${message.route} ${message.phone} ${name}`;
      said.set(incident, `${said.get(incident) ?? ''}${message.state === 'sent' ? sign : `${sign}?`}`);
    }
  return [...said].filter(([, signs]) => !areInTurns(signs)).map((one) => one.join(' '));
}

/** Whether `+-+-`, with some of those that have a `?` left out. */
function areInTurns(signs: string): boolean {
  let open = new Set([false]);
  for (const [, sign, unknown] of signs.matchAll(/([+-])(\?)?/g)) {
    const next = open.has(sign === '-') ? [sign === '+'] : [];
    open = new Set(unknown === undefined ? next : [...next, ...open]);
  }
  return open.has(false);
}

/**
 * Two messages to a receiver are the same only where the first one may have arrived and something was added or taken back
 * that the texts do not say: the numbers of webhooks in them differ.
 */
function wronglyArrived(messages: readonly MessageView[], calls: readonly Call[]): readonly string[] {
  const arrived = Map.groupBy(
    calls.filter(({ delivered }) => delivered),
    ({ to, params }) => `${to}: ${params['message']}`,
  );
  const alike = Map.groupBy(messages, textOf);
  return messages.filter(isOut).flatMap((message) => {
    const text = textOf(message);
    const times = arrived.get(text)?.length ?? 0;
    const least = message.state === 'sent' ? 1 : 0;
    const interrupted = (alike.get(text) ?? []).reduce((sum, one) => sum + interruptionsOf(one), 0);
    const isRight = times >= least && times <= 1 + interrupted;
    return isRight ? [] : [`${times} × ${text}`];
  });
}

const textOf = ({ phone, params }: MessageView): string => `${phone}: ${params['message']}`;
