import { MAX_IN_FLIGHT } from '../../src/outbox/send/timing.ts';
import { arrivals, fault, faultsOf, interruptionsOf, listed, missing } from './arrivals.ts';
import type { Bundles } from './build.ts';
import { postAll, type Posted } from './poster.ts';
import { seeded } from './random.ts';
import { passRealTime } from './real-time.ts';
import { onStage, type Stage } from './stage.ts';
import { makeWebhooks, type SignedWebhook } from './webhook.ts';

/** The settings for killing the relay. */
export interface CrashOptions {
  readonly seed: number;
  readonly onUncertain: 'retry' | 'hold';
  readonly webhooks?: number;
  readonly kills?: number;
}

/** The time that the gateway takes for each call: about a dozen seconds of draining for the kills to fall into. */
const GATEWAY_MS = 60;
const CONNECTIONS = 16;
const RECEIVERS = 500;
/** A schedule has at most 50. */
const MAX_WAITS = 48;

/** More attempts than kills: one message may be in flight at each of them, and would be given up else. */
export const retriesFor = (kills: number): readonly string[] => [
  '100ms',
  '200ms',
  ...Array.from({ length: Math.min(MAX_WAITS, 2 * kills) }, () => '500ms'),
];

/** Kills the relay at random moments while it takes webhooks and sends. Returns the guarantees that it broke. */
export function crash(bundles: Bundles, options: CrashOptions): Promise<readonly string[]> {
  const { onUncertain, kills = 10 } = options;
  const config = { route: { on_uncertain: onUncertain }, account: { retry: retriesFor(kills) } };
  return onStage(bundles, config, async (stage) => {
    await stage.gateway.script([{ failure: 'slow', ms: GATEWAY_MS, times: 1_000_000 }]);
    const { posted, open } = await postAndKill(stage, options);
    await stage.relay.drained();
    const messages = await stage.relay.messages();
    const held = await stage.relay.messagesIn('uncertain');
    const { ids, duplicates, times } = arrivals(await stage.gateway.calls());
    const cut = new Map(messages.map((one) => [one.params['message'] ?? '', interruptionsOf(one)]));
    const seen = {
      accepted: posted.length,
      /** Posted again because the relay was gone before the sender had its answer; and those that it knew by then. */
      reposted: posted.filter(({ tries }) => tries > 1).length,
      recognised: posted.filter(({ duplicate }) => duplicate).length,
      /** For each kill, the calls that the gateway had not answered by then. */
      open,
      interrupted: interruptionsOf(...messages),
      messages: messages.length,
      sent: messages.filter(({ state }) => state === 'sent').length,
      held: held.length,
      duplicates,
    };
    const { accepted, sent, interrupted } = seen;
    const mayHold = onUncertain === 'hold' ? interrupted : 0;
    const lost = missing(
      posted.map(({ webhook }) => webhook),
      ids,
      new Set(held.map(({ params }) => params['message'] ?? '')),
    );
    const unexplained = [...ids].filter((id) => (times.get(id) ?? 0) > 1 + (cut.get(id) ?? 0));
    return faultsOf(seen, [
      listed('accepted and lost', lost),
      listed('sent more often than kills explain', unexplained),
      fault(messages.length !== accepted, `${messages.length} messages for ${accepted} events`),
      fault(sent + held.length !== accepted, `${sent} sent and ${held.length} held of ${accepted}`),
      fault(interrupted > MAX_IN_FLIGHT * open.length, `${interrupted} were in flight at the kills`),
      fault(onUncertain === 'hold' && duplicates > 0, `${duplicates} sent twice in spite of \`hold\``),
      fault(held.length !== mayHold, `${held.length} held, ${mayHold} interrupted`),
      fault(!open.some((calls) => calls > 0), 'no call was under way at any kill, so nothing was proved'),
    ]);
  });
}

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
    // Every second kill comes while the posts are still going on.
    await passRealTime(kill % 2 === 0 ? random.between(5, 60) : random.between(60, 800));
    const killedAt = Date.now();
    await stage.relay.kill();
    open.push(await stage.gateway.openAt(killedAt));
    await stage.relay.start();
    posted.push(...(await posting));
  }
  return { posted, open };
}
