import { arrivals, missing } from './arrivals.ts';
import type { Bundles } from './build.ts';
import { postAll } from './poster.ts';
import { passRealTime } from './real-time.ts';
import type { Relay } from './relay.ts';
import { onStage } from './stage.ts';
import { makeWebhooks } from './webhook.ts';

/** The outcome of a storm of webhooks, and how the relay bore it. */
interface StormReport {
  readonly accepted: number;
  readonly perSecond: number;
  readonly refusedPosts: number;
  readonly drainedAfterMs: number;
  readonly duplicates: number;
  readonly lost: readonly string[];
  readonly polls: number;
  /** Polls of the admin API that were not answered 200, and how. */
  readonly failedPolls: readonly string[];
  readonly slowestPollMs: number;
  readonly peakMemoryMib: number;
}

/** Far above what it takes (about 300 MiB), far below what keeping all requests and answers would take. */
const MAX_MEMORY_MIB = 640;
const MIN_POLLS = 20;
const POLL_EVERY_MS = 100;
const CONNECTIONS = 64;
const RECEIVERS = 640;
const DRAIN_WITHIN_MS = 120_000;

/** More than the ten thousand timers that the platform lets an object have at once … */
const WEBHOOKS = 12_000;
/** … and long enough that a timer left behind by each call would still be there with all the others. */
const ACCOUNT = { timeout: '2m' };

/** Posts webhooks as fast as they are taken, while the gateway takes every call and a person looks on. */
export function storm(bundles: Bundles, webhooks = WEBHOOKS): Promise<StormReport> {
  return onStage(bundles, { account: ACCOUNT }, async ({ gateway, relay }) => {
    const all = makeWebhooks('storm', webhooks, RECEIVERS);
    const watch = watchAdmin(relay);
    const startedAt = performance.now();
    const posted = await postAll(relay.hookUrl, all, CONNECTIONS);
    const tookMs = performance.now() - startedAt;
    await relay.drained(DRAIN_WITHIN_MS);
    const drainedAfterMs = Math.round(performance.now() - startedAt - tookMs);
    const polls = await watch.stop();

    const { ids, duplicates } = arrivals(await gateway.calls());
    return {
      accepted: posted.length,
      perSecond: Math.round((posted.length * 1_000) / tookMs),
      refusedPosts: posted.filter(({ refusals }) => refusals > 0).length,
      drainedAfterMs,
      duplicates,
      lost: missing(all, ids),
      ...polls,
      peakMemoryMib: relay.peakMemoryMib(),
    };
  });
}

/** The violations of the guarantees. Empty if they hold. */
export function stormFaults(report: StormReport): readonly string[] {
  const { duplicates, lost, polls, failedPolls, refusedPosts, peakMemoryMib } = report;
  return [
    ...(lost.length > 0 ? [`${lost.length} accepted and lost: ${lost.slice(0, 10).join(', ')}`] : []),
    ...(duplicates > 0 ? [`${duplicates} sent twice`] : []),
    ...(refusedPosts > 0 ? [`${refusedPosts} webhooks were refused at first`] : []),
    ...(failedPolls.length > 0 ? [`the admin API failed: ${failedPolls.slice(0, 10).join(', ')}`] : []),
    ...(polls < MIN_POLLS ? [`the admin API was asked only ${polls} times`] : []),
    ...(peakMemoryMib > MAX_MEMORY_MIB ? [`${peakMemoryMib} MiB of memory, ${MAX_MEMORY_MIB} allowed`] : []),
  ];
}

const PATHS = ['/accounts/default/status', '/messages?limit=50', '/events?limit=50'];

/** Asks the admin API again and again until asked to stop. */
function watchAdmin(relay: Relay) {
  const stop = new AbortController();
  let polls = 0;
  let slowestPollMs = 0;
  const failedPolls: string[] = [];
  const poll = async (path: string): Promise<void> => {
    const startedAt = performance.now();
    const status = await relay.admin('GET', path).then(
      // Read to its end, as a person's browser does.
      async (answer) => (await answer.arrayBuffer(), answer.status),
      (thrown: unknown) => String(thrown),
    );
    if (status !== 200) failedPolls.push(`${path} ${status}`);
    polls += 1;
    slowestPollMs = Math.max(slowestPollMs, Math.round(performance.now() - startedAt));
  };
  const watching = (async () => {
    while (!stop.signal.aborted) {
      for (const path of PATHS) await poll(path);
      await passRealTime(POLL_EVERY_MS);
    }
  })();
  return {
    stop: async () => {
      stop.abort();
      await watching;
      return { polls, failedPolls, slowestPollMs };
    },
  };
}
