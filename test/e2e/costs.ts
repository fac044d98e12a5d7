import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lab } from '../bench/measure.ts';
import { countingBundles, countOperations, type Operations } from '../bench/operations.ts';
import { payment, paymentConfig } from '../bench/payment.ts';
import { CommitWatch } from '../bench/wal.ts';
import type { Bundles } from './build.ts';
import { passRealTime } from './real-time.ts';
import { startRelay, type Relay } from './relay.ts';

/** The costs of an event that are the same on every machine. */
export interface CostsReport {
  readonly alone: Operations;
  readonly underLoad: Operations;
  readonly pacedBacklog: Operations;
  /** For each of a few events that come alone: the commits until its sender had the answer. */
  readonly commitsAtAnswer: readonly number[];
}

export async function costs(bundles: Bundles): Promise<CostsReport> {
  const names = ['alone', 'under load', 'paced backlog'] as const;
  const [counted, commitsAtAnswer] = await Promise.all([
    countOperations(names, countingBundles(bundles)),
    commitsUntilAnswer(bundles),
  ]);
  const [alone, underLoad, pacedBacklog] = names.map((name) => counted.get(name));
  if (alone === undefined || underLoad === undefined || pacedBacklog === undefined)
    throw new Error('not everything was counted');
  return { alone, underLoad, pacedBacklog, commitsAtAnswer };
}

/** After the first a sweep begins, and the alarm that it leaves is moved with the second: a commit of its own. */
const WARM_UP = 2;
const EVENTS = 7;
/** Much longer than an answer takes to come: its commits are counted before the call's record makes another. */
const GATEWAY_MS = 1_500;
/** No commit in this time: all that the last event causes is on disk. */
const QUIET_MS = 400;

/** One event after the other, at one connection; of a relay that is warm. */
async function commitsUntilAnswer(bundles: Bundles): Promise<readonly number[]> {
  const storeDir = mkdtempSync(join(tmpdir(), 'hookbell-commits-'));
  const lab = await Lab.open();
  lab.answerAfter(GATEWAY_MS);
  let relay: Relay | null = null;
  let commits: CommitWatch | null = null;
  try {
    relay = await startRelay(bundles, lab.gatewayUrl, storeDir);
    await relay.publish(paymentConfig());
    await post(relay, 0);
    commits = new CommitWatch(join(storeDir, 'objects/relay-Outbox'));
    const counts: number[] = [];
    for (let event = 1; event < WARM_UP + EVENTS; event += 1) {
      await relay.drained(10 * GATEWAY_MS);
      const before = await quiet(commits);
      await post(relay, event);
      counts.push(commits.count() - before);
    }
    return counts.slice(WARM_UP - 1);
  } finally {
    commits?.stop();
    await relay?.kill();
    await lab.close();
    rmSync(storeDir, { recursive: true });
  }
}

async function quiet(commits: CommitWatch): Promise<number> {
  for (let before = -1; before !== commits.count();) {
    before = commits.count();
    await passRealTime(QUIET_MS);
  }
  return commits.count();
}

async function post(relay: Relay, event: number): Promise<void> {
  const { body, signature } = payment(0, event);
  const headers = { 'content-type': 'application/json', 'x-signature': signature };
  const answer = await fetch(relay.hookUrl, { method: 'POST', headers, body });
  if (answer.status !== 202) throw new Error(`${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}
