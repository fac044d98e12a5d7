import { arrivals, fault, faultsOf, listed, missing } from './arrivals.ts';
import type { Bundles } from './build.ts';
import { postAll } from './poster.ts';
import type { Relay } from './relay.ts';
import { onStage } from './stage.ts';
import { makeWebhooks } from './webhook.ts';

const CONNECTIONS = 64;
const RECEIVERS = 640;
/** More than the ten thousand timers that the platform lets an object have at once … */
const WEBHOOKS = 12_000;
/** … and long enough that a timer left behind by each call would still be there with all the others. */
const ACCOUNT = { timeout: '2m' };

/**
 * Posts webhooks as fast as they are taken, while the gateway takes every call and a person looks on. Returns the guarantees that
 * were broken.
 */
export function storm(bundles: Bundles, webhooks = WEBHOOKS): Promise<readonly string[]> {
  return onStage(bundles, { account: ACCOUNT }, async ({ gateway, relay }) => {
    const all = makeWebhooks('storm', webhooks, RECEIVERS);
    const watch = watchAdmin(relay);
    const posted = await postAll(relay.hookUrl, all, CONNECTIONS);
    await relay.drained();
    const { polls, failed } = await watch.stop();
    const { ids, duplicates } = arrivals(await gateway.calls());
    return faultsOf({ accepted: posted.length, duplicates, polls }, [
      listed('accepted and lost', missing(all, ids)),
      fault(posted.length !== webhooks, `${posted.length} were accepted`),
      fault(duplicates > 0, `${duplicates} sent twice`),
      listed('questions that the admin API did not answer', failed),
    ]);
  });
}

const PATHS = ['/accounts/default/status', '/messages?limit=50', '/events?limit=50'];

/** Asks the admin API again and again until asked to stop. */
function watchAdmin(relay: Relay) {
  const stop = new AbortController();
  let polls = 0;
  const failed: string[] = [];
  const poll = async (path: string): Promise<void> => {
    const status = await relay.admin('GET', path).then(
      // Read to its end, as a person's browser does.
      async (answer) => (await answer.arrayBuffer(), answer.status),
      (thrown: unknown) => String(thrown),
    );
    if (status !== 200) failed.push(`${path} ${status}`);
    polls += 1;
  };
  const watching = (async () => {
    while (!stop.signal.aborted) for (const path of PATHS) await poll(path);
  })();
  return {
    stop: async () => {
      stop.abort();
      await watching;
      return { polls, failed };
    },
  };
}
