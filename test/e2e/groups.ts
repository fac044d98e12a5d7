import type { MessageView } from '../../src/answers/api-message.ts';
import type { Call } from '../../simulator/call-log.ts';
import { lookUntil } from '../eventually.ts';
import { fault, faultsOf, interruptionsOf, listed } from './arrivals.ts';
import type { Bundles } from './build.ts';
import { retriesFor, type CrashOptions } from './crash.ts';
import { postAll } from './poster.ts';
import { seeded, type Random } from './random.ts';
import { passRealTime, PATIENCE_MS } from './real-time.ts';
import { receiverNumber } from './receivers.ts';
import type { ItemOfEvent } from './relay.ts';
import { onStage } from './stage.ts';
import { sign, type SignedWebhook } from './webhook.ts';

const PHONES = [receiverNumber(1), receiverNumber(2)];
const SERVICES = 6;
const NAMES_OF_EACH = 6;
const GATEWAY_MS = 150;
const CONNECTIONS = 8;

/** Says of each alert that is new (`+`) or has resolved (`-`) which one it is, and the number of its last webhook. */
const said = (list: string, sign: string): string =>
  `{% for one in ${list} %}${sign}{{ one.item.name }}.{{ one.item.n }} {% endfor %}`;
const SEND = { kind: 'text', message: `{{ count }} ${said('new', '+')}${said('resolved', '-')}` };

const routesWith = (onUncertain: string): readonly object[] => {
  const group = { by: ['{{ item.service }}'], wait: '1s', interval: '1s' };
  return [
    { name: 'grouped', group },
    { name: 'throttled', throttle: { max: 3, per: '2s' } },
    { name: 'both', group, throttle: { max: 2, per: '2s' } },
  ].map((route) => ({
    ...route,
    when: `payload.kind == "${route.name}"`,
    each: 'payload.alerts',
    to: PHONES,
    on_uncertain: onUncertain,
    incident: { key: '{{ item.name }}', resolved: 'item.status == "resolved"' },
    send: SEND,
    digest: SEND,
  }));
};
const KINDS = ['grouped', 'throttled', 'both'];

/**
 * Kills the relay at random moments while alerts come in, wait for their group and are sent. Returns the guarantees that it
 * broke.
 */
export function crashGroups(
  bundles: Bundles,
  { seed, onUncertain, webhooks = 240, kills = 8 }: CrashOptions,
): Promise<readonly string[]> {
  const random = seeded(seed);
  const stageConfig = { routes: routesWith(onUncertain), account: { retry: retriesFor(kills) } };
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
    const items = await lookUntil(
      () => relay.items(),
      (some) => some.every(({ outcome }) => outcome !== 'waiting'),
      { withinMs: PATIENCE_MS, eachMs: 500 },
    );
    await relay.drained();
    const messages = await relay.messages();
    const accepted = PHONES.length * [...storm, ...last].reduce((sum, { alerts }) => sum + alerts, 0);
    const ended = items.filter(({ outcome }) => outcome !== 'waiting').length;
    const interrupted = interruptionsOf(...messages);
    return faultsOf({ seed, accepted, ended, messages: messages.length, interrupted }, [
      fault(ended !== accepted, `${accepted} items accepted, ${ended} have their outcome`),
      listed('in messages that were not sent', unsent(items, messages)),
      listed('not notified in turns as open and resolved', wronglyNotified(messages)),
      listed('not arrived once', wronglyArrived(messages, await gateway.calls())),
    ]);
  });
}

interface AlertWebhook extends SignedWebhook {
  /** The number of its alerts. */
  readonly alerts: number;
}

/** `isFiring`: by the number of its name, of those that are in the webhook. */
function webhookOf(
  n: number,
  kind: string,
  service: number,
  isFiring: ReadonlyMap<number, boolean>,
): AlertWebhook {
  const alerts = [...isFiring].map(([name, fires]) => ({
    name: `s${service}-${name}`,
    service: `s${service}`,
    status: fires ? 'firing' : 'resolved',
    n,
  }));
  return { ...sign({ id: `alerts-${n}`, phone: '' }, { kind, alerts }), alerts: alerts.length };
}

const NAMES = Array.from({ length: NAMES_OF_EACH }, (_, name) => name);

/** Of some alerts of a service each: somewhat more fire than resolve. */
const makeAlerts = (random: Random, count: number): readonly AlertWebhook[] =>
  Array.from({ length: count }, (_, n) => {
    const service = random.between(1, SERVICES);
    const some = NAMES.filter(() => random.between(0, 1) === 1);
    const isFiring = new Map(some.map((name) => [name, random.between(1, 5) <= 3]));
    return webhookOf(n, KINDS[random.between(0, KINDS.length - 1)] ?? '', service, isFiring);
  });

const makeResolutions = (from: number): readonly AlertWebhook[] =>
  KINDS.flatMap((kind, part) =>
    Array.from({ length: SERVICES }, (_, service) =>
      webhookOf(
        from + part * SERVICES + service,
        kind,
        service + 1,
        new Map(NAMES.map((name) => [name, false])),
      ),
    ),
  );

/** By `hold` a message of unknown outcome stays as it is; it went out. */
const isOut = ({ state }: MessageView): boolean => state === 'sent' || state === 'uncertain';

function unsent(items: readonly ItemOfEvent[], messages: readonly MessageView[]): readonly string[] {
  const out = new Set(messages.filter(isOut).map(({ id }) => id));
  return items
    .filter(({ outcome, message }) => ['notified', 'summarized'].includes(outcome) && !out.has(message ?? ''))
    .map(({ event, key, outcome, message }) => `${event} ${key} ${outcome} ${message}`);
}

/**
 * In the order in which the messages were made. The content of a message of unknown outcome counts as said, or not: an
 * opening that may have arrived is resolved, and a resolution that may not have arrived comes again.
 */
function wronglyNotified(messages: readonly MessageView[]): readonly string[] {
  const said = new Map<string, string>();
  for (const message of messages.filter((one) => isOut(one) || interruptionsOf(one) > 0))
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

const textOf = ({ phone, params }: MessageView): string => `${phone}: ${params['message']}`;

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
    const most = 1 + interruptionsOf(...(alike.get(text) ?? []));
    return times >= least && times <= most ? [] : [`${times} × ${text}`];
  });
}
