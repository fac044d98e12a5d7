import type { MessageView } from '../../src/answers/api-message.ts';
import { lookUntil } from '../eventually.ts';
import { arrivals, fault, faultsOf, interruptionsOf, listed } from './arrivals.ts';
import type { Bundles } from './build.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { postAll } from './poster.ts';
import { seeded } from './random.ts';
import { passRealTime, PATIENCE_MS } from './real-time.ts';
import { receiverNumber } from './receivers.ts';
import type { Relay } from './relay.ts';
import { onStage, type Stage } from './stage.ts';
import { rowsOf } from './store.ts';
import { sign, type SignedWebhook } from './webhook.ts';

/** In three ways a message comes to have a fallback: it is dead at once, it is not sent in time, or it is a notification that is dead. */
const WAYS = ['dead', 'late', 'alert'] as const;
const PHONES_OF_EACH = 4;
const GATEWAY_MS = 30;
const CONNECTIONS = 8;
const MOST_MS = 300;
/** The webhooks between two kills. */
const EACH = 9;
/** The longest time between the answer that makes a fallback due and a kill: a hand-over takes some milliseconds. */
const HAND_OVER_MS = 12;
/** An aimed kill waits for its answers no longer than this. */
const AIM_MS = 2_000;
/**
 * On a fast machine few kills hit a hand-over. While none has, the kills go on, up to this multiple of their number.
 */
const MOST_TIMES = 4;
const OTHER = 'second';
const FOREVER = 1_000_000;

const phonesOf = (way: (typeof WAYS)[number]): readonly string[] =>
  Array.from({ length: PHONES_OF_EACH }, (_, index) =>
    receiverNumber(WAYS.indexOf(way) * PHONES_OF_EACH + index),
  );

const TEXT = { kind: 'text', message: '{{ payload.id }}' };

const ROUTES = WAYS.map((way) => ({
  name: way,
  when: `payload.way == "${way}"`,
  to: '{{ payload.phone }}',
  send: { ...TEXT, fallback: [{ ...TEXT, account: OTHER, ...(way === 'late' && { after: '1s' }) }] },
  ...(way === 'alert' && { incident: { key: '{{ payload.id }}', resolved: 'payload.is_resolved' } }),
}));

const FAILING = WAYS.flatMap((way) =>
  phonesOf(way).map((phone) => ({
    failure: 'status',
    status: way === 'late' ? 503 : 422,
    times: FOREVER,
    match: { phone },
  })),
);

/**
 * Kills the relay at random moments while one account hands its messages on to another. Returns the guarantees that it
 * broke.
 */
export async function crashHandOn(bundles: Bundles, seed: number, kills = 32): Promise<readonly string[]> {
  const second = await startGateway();
  // A message may be in flight at each kill, and would be given up else.
  const account = { retry: Array.from({ length: 48 }, () => '200ms'), circuit: { failures: 1_000 } };
  const vars = {
    GATEWAY_SECOND_BASE_URL: second.baseUrl,
    GATEWAY_SECOND_EMAIL: 'second@example.com',
    GATEWAY_SECOND_API_KEY: 'gateway-key-of-the-second',
  };
  const config = { routes: ROUTES, account, accounts: { [OTHER]: account }, vars };
  try {
    return await onStage(bundles, config, async (stage) => {
      const { relay, gateway, storeDir } = stage;
      await gateway.script(FAILING);
      await second.script([{ failure: 'slow', ms: GATEWAY_MS, times: FOREVER }]);
      const { webhooks, cut } = await postAndKill(stage, seed, kills);
      const messages = await drained(relay, webhooks.length);
      const unreported = await lookUntil(
        () => waitingAlerts(relay),
        ({ length }) => length === 0,
        EACH_MS,
      );
      await relay.kill();
      const left = rowsOf(storeDir, 'handings').length;
      const calls = [...(await gateway.calls()), ...(await second.calls())];
      const { times, ids, duplicates } = arrivals(calls);
      const byText = Map.groupBy(messages, ({ params }) => params['message'] ?? '');
      const ofOther = (id: string): readonly MessageView[] =>
        (byText.get(id) ?? []).filter((message) => !isFirst(message));
      const texts = webhooks.map(({ id }) => id);
      return faultsOf({ seed, accepted: texts.length, cut, duplicates }, [
        listed(
          'without one message in each account',
          texts.filter((id) => !isPair(byText.get(id) ?? [])),
        ),
        listed(
          'accepted and lost',
          texts.filter((id) => !ids.has(id)),
        ),
        listed(
          'sent more often than kills explain',
          texts.filter((id) => (times.get(id) ?? 0) > 1 + interruptionsOf(...ofOther(id))),
        ),
        listed('alerts whose account does not know that they are notified', unreported),
        fault(left > 0, `${left} are still to be handed on or reported`),
        fault(!cut.some((onTheirWay) => onTheirWay > 0), 'no kill hit a hand-over: nothing was proved'),
      ]);
    });
  } finally {
    await second.close();
  }
}

const makeWebhook = (index: number): SignedWebhook => {
  const way = WAYS[index % WAYS.length] ?? 'dead';
  const phones = phonesOf(way);
  const phone = `+${phones[Math.floor(index / WAYS.length) % phones.length]}`;
  return sign({ id: `hand-on-${String(index).padStart(5, '0')}`, phone }, { way, is_resolved: false });
};

/**
 * Every second kill is at a random moment; the others follow an answer of the first gateway, which makes a fallback due. Ends after
 * `kills`, or later: when one of them has hit a hand-over. `cut`: for each kill, the fallbacks on their way to the other outbox.
 */
async function postAndKill({ relay, gateway, storeDir }: Stage, seed: number, kills: number) {
  const random = seeded(seed);
  const webhooks: SignedWebhook[] = [];
  const cut: number[] = [];
  const isProved = (): boolean => cut.some((onTheirWay) => onTheirWay > 0);
  while (cut.length < kills || (!isProved() && cut.length < MOST_TIMES * kills)) {
    const batch = Array.from({ length: EACH }, (_, index) => makeWebhook(webhooks.length + index));
    webhooks.push(...batch);
    const posting = postAll(relay.hookUrl, batch, CONNECTIONS);
    // Should the restart fail, that is the error to report, not this one.
    posting.catch(() => undefined);
    const isAimed = cut.length % 2 === 1;
    if (isAimed) await Promise.race([answers(gateway, random.between(1, EACH - 1)), passRealTime(AIM_MS)]);
    await passRealTime(isAimed ? random.between(0, HAND_OVER_MS) : random.between(5, MOST_MS));
    await relay.kill();
    cut.push(rowsOf(storeDir, 'handings').filter(({ phase }) => phase === 'leaves').length);
    await relay.start();
    await posting;
  }
  return { webhooks, cut };
}

async function answers(gateway: Gateway, count: number): Promise<void> {
  for (let seen = 0; seen < count; seen += 1) await gateway.nextAnswer();
}

const isFirst = ({ account }: MessageView): boolean => account !== OTHER;

const EACH_MS = { withinMs: PATIENCE_MS, eachMs: 200 };

/** All messages, as soon as each webhook's is handed on and sent; or what there is after a while. */
const drained = (relay: Relay, webhooks: number): Promise<readonly MessageView[]> =>
  lookUntil(
    () => relay.messages(),
    (messages) =>
      messages.length >= 2 * webhooks &&
      messages.every(({ state }) => ['dead', 'superseded', 'sent'].includes(state)),
    EACH_MS,
  );

/** True for a message that is not sent, and one of the other account that is, which are linked both ways. */
function isPair(messages: readonly MessageView[]): boolean {
  const [own, ...moreOwn] = messages.filter(isFirst);
  const [other, ...moreOther] = messages.filter((message) => !isFirst(message));
  return (
    moreOwn.length + moreOther.length === 0 &&
    ['dead', 'superseded'].includes(own?.state ?? '') &&
    other?.state === 'sent' &&
    own?.fallback === other.id &&
    own.fallback_account === OTHER &&
    other.fallback_of === own.id
  );
}

/** Incidents that the first account does not count as notified. */
async function waitingAlerts(relay: Relay): Promise<readonly string[]> {
  const alerts = (await relay.messages()).filter(({ route }) => route === 'alert');
  const ids = [...new Set(alerts.flatMap(({ event }) => event ?? []))];
  const items = Map.groupBy(await relay.items(ids), ({ event }) => event);
  return ids.filter((id) => items.get(id)?.every(({ outcome }) => outcome === 'notified') !== true);
}
