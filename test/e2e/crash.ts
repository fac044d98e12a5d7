import { MAX_IN_FLIGHT } from '../../src/outbox/send/timing.ts';
import type { MessageView } from '../../src/outbox/answers/api-message.ts';
import { arrivals, missing } from './arrivals.ts';
import type { Bundles } from './build.ts';
import { postAll, type Posted } from './poster.ts';
import { seeded, type Random } from './random.ts';
import { passRealTime } from './real-time.ts';
import { onStage, type Stage } from './stage.ts';
import { makeWebhooks, type SignedWebhook } from './webhook.ts';

/** The settings for killing the relay. */
interface CrashOptions {
  readonly seed: number;
  readonly onUncertain: 'retry' | 'hold';
  readonly webhooks?: number;
  readonly kills?: number;
}

/** The outcome of the webhooks. */
interface CrashReport {
  readonly onUncertain: 'retry' | 'hold';
  readonly accepted: number;
  /** Posted again because the relay was gone before the sender had its answer; and those that it knew by then. */
  readonly reposted: number;
  readonly recognised: number;
  /** For each kill, the calls that the gateway had not answered by then. */
  readonly open: readonly number[];
  /** Attempts that the relay itself reports as interrupted: claimed, with or without a call made. */
  readonly interrupted: number;
  readonly messages: number;
  readonly sent: number;
  readonly held: number;
  readonly duplicates: number;
  /** Webhooks whose message came more often than its interrupted attempts explain. */
  readonly unexplained: readonly string[];
  /** Webhooks whose message neither came nor is held. */
  readonly lost: readonly string[];
}

/** The time that the gateway takes for each call: about a dozen seconds of draining for the kills to fall into. */
const GATEWAY_MS = 60;
const CONNECTIONS = 16;
const RECEIVERS = 500;
const DRAIN_WITHIN_MS = 120_000;
/** A schedule has at most 50. */
const MAX_WAITS = 48;

/** Kills the relay at random moments while it takes webhooks and sends, and counts what came of them. */
export function crash(bundles: Bundles, options: CrashOptions): Promise<CrashReport> {
  const { onUncertain } = options;
  // More attempts than kills: one message may be in flight at each of them, and would be given up else.
  const retry = [
    '100ms',
    '200ms',
    ...Array.from({ length: Math.min(MAX_WAITS, 2 * (options.kills ?? 10)) }, () => '500ms'),
  ];
  const config = { route: { on_uncertain: onUncertain }, account: { retry } };
  return onStage(bundles, config, async (stage) => {
    await stage.gateway.script([{ failure: 'slow', ms: GATEWAY_MS, times: 1_000_000 }]);
    const { posted, open } = await postAndKill(stage, options);
    await stage.relay.drained(DRAIN_WITHIN_MS);

    const messages = await stage.relay.messages();
    const held = await stage.relay.messagesIn('uncertain');
    const heldIds = new Set(held.map(({ params }) => params['message'] ?? ''));
    const interruptions = countInterruptions(messages);
    const { ids, duplicates, times } = arrivals(await stage.gateway.calls());
    const webhooks = posted.map(({ webhook }) => webhook);
    return {
      onUncertain,
      accepted: posted.length,
      reposted: posted.filter(({ tries }) => tries > 1).length,
      recognised: posted.filter(({ duplicate }) => duplicate).length,
      open,
      interrupted: sum([...interruptions.values()]),
      messages: messages.length,
      sent: messages.filter(({ state }) => state === 'sent').length,
      held: held.length,
      duplicates,
      unexplained: [...ids].filter((id) => (times.get(id) ?? 0) > 1 + (interruptions.get(id) ?? 0)),
      lost: missing(webhooks, ids, heldIds),
    };
  });
}

/** The violations of the guarantees. Empty if they hold. */
export function crashFaults(report: CrashReport): readonly string[] {
  const { onUncertain, accepted, messages, sent, held, interrupted, duplicates, unexplained, lost } = report;
  const mayInterrupt = MAX_IN_FLIGHT * report.open.length;
  const mayHold = onUncertain === 'hold' ? interrupted : 0;
  return [
    ...(lost.length > 0 ? [`${lost.length} accepted and lost: ${lost.slice(0, 10).join(', ')}`] : []),
    ...(messages !== accepted ? [`${messages} messages for ${accepted} events`] : []),
    ...(sent + held !== accepted ? [`${sent} sent and ${held} held of ${accepted}`] : []),
    ...(interrupted > mayInterrupt ? [`${interrupted} in flight at the kills, ${mayInterrupt} allowed`] : []),
    ...(unexplained.length > 0 ? [`sent twice without a kill: ${unexplained.slice(0, 10).join(', ')}`] : []),
    ...(onUncertain === 'hold' && duplicates > 0 ? [`${duplicates} sent twice in spite of \`hold\``] : []),
    ...(held !== mayHold ? [`${held} held, ${mayHold} interrupted`] : []),
    ...(sum(report.open) === 0 ? ['no call was under way at any kill, so nothing was proved'] : []),
  ];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** A fifth is there before; the others come in between the kills, so that some kills hit requests. */
async function postAndKill(stage: Stage, { seed, webhooks = 1_000, kills = 10 }: CrashOptions) {
  const random = seeded(seed);
  const all = makeWebhooks('crash', webhooks, RECEIVERS);
  const first = Math.floor(webhooks / 5);
  const share = Math.ceil((webhooks - first) / kills);
  const post = (some: readonly SignedWebhook[]): Promise<readonly Posted[]> =>
    postAll(stage.relay.hookUrl, some, CONNECTIONS);

  const posted = [...(await post(all.slice(0, first)))];
  const open: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const posting = post(all.slice(first + kill * share, first + (kill + 1) * share));
    // Should the restart fail, that is the error to report, not this one.
    posting.catch(() => undefined);
    await passRealTime(momentOf(kill, random));
    const killedAt = Date.now();
    await stage.relay.kill();
    open.push(await stage.gateway.openAt(killedAt));
    await stage.relay.start();
    posted.push(...(await posting));
  }
  return { posted, open };
}

/** The time from the first post to the kill (ms). Every second kill comes while the posts are still going on. */
const momentOf = (kill: number, random: Random): number =>
  kill % 2 === 0 ? random.between(5, 60) : random.between(60, 800);

/** By text. The gateway answers each call properly, so an attempt of unknown outcome is one that a kill cut off. */
function countInterruptions(messages: readonly MessageView[]): ReadonlyMap<string, number> {
  return new Map(
    messages.map(({ params, attempts }) => [
      params['message'] ?? '',
      attempts.filter(({ outcome }) => outcome === 'uncertain').length,
    ]),
  );
}
