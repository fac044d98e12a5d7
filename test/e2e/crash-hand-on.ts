import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { MessageView } from '../../src/outbox/answers/api-message.ts';
import { lookUntil } from '../eventually.ts';
import { arrivals } from './arrivals.ts';
import type { Bundles } from './build.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { postAll } from './poster.ts';
import { seeded } from './random.ts';
import { passRealTime } from './real-time.ts';
import { receiverNumber } from './receivers.ts';
import type { Relay } from './relay.ts';
import { onStage, type Stage } from './stage.ts';
import { sign, type SignedWebhook } from './webhook.ts';

/** The settings for killing the relay while messages go from one account to another. */
interface HandOnCrashOptions {
  readonly seed: number;
  readonly kills?: number;
  /** Webhooks between two kills. */
  readonly each?: number;
}

/** The outcome. Whatever is listed should not be. */
interface HandOnCrashReport {
  readonly kills: number;
  readonly accepted: number;
  /** For each kill: fallbacks on their way to the other outbox, and those of them that it had taken, which the first did not know. */
  readonly cut: readonly { readonly onTheirWay: number; readonly takenAlready: number }[];
  /** Messages of the second account whose call a kill cut off, and messages that arrived once more than they should. */
  readonly interrupted: number;
  readonly duplicates: number;
  /** Webhooks that have not one message in each account, linked both ways, the second one sent. */
  readonly wrong: readonly string[];
  readonly lost: readonly string[];
  /** Messages that came more often than their interrupted attempts explain. */
  readonly unexplained: readonly string[];
  /** Alerts that the first account does not know to be notified. */
  readonly unreported: readonly string[];
  /** Rows that say that something is still to be handed on or reported. */
  readonly leftRows: number;
}

/** In three ways a message comes to have a fallback: it is dead at once, it is not sent in time, or it is a notification that is dead. */
const WAYS = ['dead', 'late', 'alert'] as const;
const PHONES_OF_EACH = 4;
const GATEWAY_MS = 30;
const CONNECTIONS = 8;
const MOST_MS = 300;
/** The longest time between the answer that makes a fallback due and a kill: a hand-over takes some milliseconds. */
const HAND_OVER_MS = 12;
/** An aimed kill waits for its answers no longer than this. */
const AIM_MS = 2_000;
/**
 * On a fast machine few kills hit a hand-over. While none has, the kills go on, up to this multiple of their number.
 */
const MOST_TIMES = 4;
const DRAIN_WITHIN_MS = 60_000;
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

/** Kills the relay at random moments while one account hands its messages on to another, and counts what came of them. */
export async function crashHandOn(
  bundles: Bundles,
  { seed, kills = 32, each = 9 }: HandOnCrashOptions,
): Promise<HandOnCrashReport> {
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
    return await onStage(bundles, config, async ({ relay, gateway, storeDir }) => {
      await gateway.script(
        WAYS.flatMap((way) =>
          phonesOf(way).map((phone) => ({
            failure: 'status',
            status: way === 'late' ? 503 : 422,
            times: FOREVER,
            match: { phone },
          })),
        ),
      );
      await second.script([{ failure: 'slow', ms: GATEWAY_MS, times: FOREVER }]);
      const { webhooks, cut } = await postAndKill({ relay, gateway, storeDir }, { seed, kills, each });
      const messages = await drained(relay, webhooks.length);
      const unreported = await unreportedAlerts(relay);
      await relay.kill();
      return {
        kills: cut.length,
        accepted: webhooks.length,
        cut,
        ...(await outcome(webhooks, messages, [gateway, second])),
        unreported,
        leftRows: count(storeDir, 'SELECT count(*) AS n FROM handings'),
      };
    });
  } finally {
    await second.close();
  }
}

const listed = (what: string, list: readonly string[]): readonly string[] =>
  list.length === 0 ? [] : [`${list.length} ${what}: ${list.slice(0, 5).join(', ')}`];

/** The violations of the guarantees. Empty if they hold. */
export function handOnCrashFaults(report: HandOnCrashReport): readonly string[] {
  const { cut, wrong, lost, unexplained, unreported, leftRows } = report;
  return [
    ...listed('without one message in each account', wrong),
    ...listed('accepted and lost', lost),
    ...listed('sent more often than kills explain', unexplained),
    ...listed('alerts whose account does not know that they are notified', unreported),
    ...(leftRows > 0 ? [`${leftRows} are still to be handed on or reported`] : []),
    ...(cut.some(({ onTheirWay }) => onTheirWay > 0) ? [] : ['no kill hit a hand-over: nothing was proved']),
  ];
}

const makeWebhook = (index: number): SignedWebhook => {
  const way = WAYS[index % WAYS.length] ?? 'dead';
  const phones = phonesOf(way);
  const phone = `+${phones[Math.floor(index / WAYS.length) % phones.length]}`;
  return sign({ id: `hand-on-${String(index).padStart(5, '0')}`, phone }, { way, is_resolved: false });
};

/**
 * Every second kill is at a random moment; the others follow an answer of the first gateway, which makes a fallback due. Ends after
 * `kills`, or later: when one of them has hit a hand-over.
 */
async function postAndKill(
  { relay, gateway, storeDir }: Stage,
  { seed, kills, each }: Required<HandOnCrashOptions>,
): Promise<Pick<HandOnCrashReport, 'cut'> & { readonly webhooks: readonly SignedWebhook[] }> {
  const random = seeded(seed);
  const webhooks: SignedWebhook[] = [];
  const cut: HandOnCrashReport['cut'][number][] = [];
  const isProved = (): boolean => cut.some(({ onTheirWay }) => onTheirWay > 0);
  while (cut.length < kills || (!isProved() && cut.length < MOST_TIMES * kills)) {
    const batch = Array.from({ length: each }, (_, index) => makeWebhook(webhooks.length + index));
    webhooks.push(...batch);
    const posting = postAll(relay.hookUrl, batch, CONNECTIONS);
    // Should the restart fail, that is the error to report, not this one.
    posting.catch(() => undefined);
    const isAimed = cut.length % 2 === 1;
    if (isAimed) await Promise.race([answers(gateway, random.between(1, each - 1)), passRealTime(AIM_MS)]);
    await passRealTime(isAimed ? random.between(0, HAND_OVER_MS) : random.between(5, MOST_MS));
    await relay.kill();
    cut.push(handOversOnDisk(storeDir));
    await relay.start();
    await posting;
  }
  return { webhooks, cut };
}

async function answers(gateway: Gateway, count: number): Promise<void> {
  for (let seen = 0; seen < count; seen += 1) await gateway.nextAnswer();
}

/** The hand-overs that a kill left on disk. */
function handOversOnDisk(storeDir: string): HandOnCrashReport['cut'][number] {
  const ids = strings(
    storeDir,
    "SELECT json_extract(what, '$.id') AS id FROM handings WHERE phase = 'leaves'",
  );
  const claims = new Set(
    strings(storeDir, "SELECT substr(key, 2) AS id FROM dedupe_claims WHERE key LIKE '@%'"),
  );
  return { onTheirWay: ids.length, takenAlready: ids.filter((id) => claims.has(id)).length };
}

const strings = (storeDir: string, sql: string): readonly string[] =>
  rows(storeDir, sql).map(({ id }) => String(id));

const count = (storeDir: string, sql: string): number =>
  rows(storeDir, sql).reduce((sum, { n }) => sum + Number(n), 0);

/** Of all outboxes of a relay that is not running. Reads a copy: opening a database changes it. */
function rows(storeDir: string, sql: string): readonly Record<string, unknown>[] {
  const copy = mkdtempSync(join(tmpdir(), 'hookbell-e2e-copy-'));
  try {
    cpSync(join(storeDir, 'objects'), copy, { recursive: true });
    return readdirSync(copy, { recursive: true, withFileTypes: true })
      .filter(({ name }) => /^[0-9a-f]{64}\.sqlite$/.test(name))
      .flatMap(({ parentPath, name }) => {
        const database = new DatabaseSync(join(parentPath, name));
        try {
          const isOutbox = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'handings'").get();
          return isOutbox === undefined ? [] : database.prepare(sql).all();
        } finally {
          database.close();
        }
      });
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const isFirst = ({ account }: MessageView): boolean => account !== OTHER;

/** All messages, as soon as each webhook's is handed on and sent; or what there is after a while. */
const drained = (relay: Relay, webhooks: number): Promise<readonly MessageView[]> =>
  lookUntil(
    () => relay.messages(),
    (messages) =>
      messages.length >= 2 * webhooks &&
      messages.every(({ state }) => ['dead', 'superseded', 'sent'].includes(state)),
    { withinMs: DRAIN_WITHIN_MS, eachMs: 200 },
  );

async function outcome(
  webhooks: readonly SignedWebhook[],
  messages: readonly MessageView[],
  [first, second]: readonly [Gateway, Gateway],
): Promise<Pick<HandOnCrashReport, 'interrupted' | 'duplicates' | 'wrong' | 'lost' | 'unexplained'>> {
  const { times, ids, duplicates } = arrivals([...(await first.calls()), ...(await second.calls())]);
  const byText = Map.groupBy(messages, ({ params }) => params['message'] ?? '');
  const interruptionsOf = (id: string): number =>
    (byText.get(id) ?? [])
      .filter((message) => !isFirst(message))
      .flatMap(({ attempts }) => attempts)
      .filter(({ outcome: how }) => how === 'uncertain').length;
  const texts = webhooks.map(({ id }) => id);
  return {
    interrupted: texts.reduce((sum, id) => sum + interruptionsOf(id), 0),
    duplicates,
    wrong: texts.filter((id) => !isPair(byText.get(id) ?? [])),
    lost: texts.filter((id) => !ids.has(id)),
    unexplained: texts.filter((id) => (times.get(id) ?? 0) > 1 + interruptionsOf(id)),
  };
}

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

/** Incidents that the first account does not count as notified, after a while. */
const unreportedAlerts = (relay: Relay): Promise<readonly string[]> =>
  lookUntil(
    () => waitingAlerts(relay),
    ({ length }) => length === 0,
    { withinMs: DRAIN_WITHIN_MS, eachMs: 200 },
  );

async function waitingAlerts(relay: Relay): Promise<readonly string[]> {
  const events = new Set(
    (await relay.messages()).flatMap(({ route, event }) =>
      route === 'alert' && event !== null ? [event] : [],
    ),
  );
  const waiting: string[] = [];
  for (const id of events) {
    const response = await relay.admin('GET', `/events/${id}`);
    const { items = [] } = await response.json<{ items?: readonly { outcome: string }[] }>();
    if (items.length === 0 || items.some(({ outcome: how }) => how !== 'notified')) waiting.push(id);
  }
  return waiting;
}
