import type { OutboxStatus } from '../../src/outbox/answers/api-status.ts';
import { lookUntil } from '../eventually.ts';
import { arrivals, missing } from './arrivals.ts';
import type { Bundles } from './build.ts';
import type { Gateway } from './gateway.ts';
import { isNeverRetried, overtaken, triedTooEarly } from './order.ts';
import { postAll } from './poster.ts';
import { onStage, type Stage } from './stage.ts';
import { makeWebhooks } from './webhook.ts';

/** The outcome of webhooks that came in while the gateway failed. */
interface OutageReport {
  readonly accepted: number;
  /** Posts that were not answered 2xx at once. */
  readonly refusedPosts: number;
  readonly circuitsSeen: readonly string[];
  readonly messages: number;
  readonly sent: number;
  /** Sent by their first attempt: the messages whose order is promised. */
  readonly neverRetried: number;
  readonly duplicates: number;
  readonly lost: readonly string[];
  /** Never retried, and overtaken by a later one to the same receiver that was not either. */
  readonly overtaken: readonly string[];
  /** Messages whose first attempt came before that of one accepted earlier for the same receiver. */
  readonly triedTooEarly: readonly string[];
}

/** The beginning of each fault, in this order. None of them gets a message to its phone. */
const FAULTS: readonly ((gateway: Gateway) => Promise<void>)[] = [
  (gateway) => gateway.down(),
  (gateway) => failing(gateway, [{ failure: 'hang' }]),
  (gateway) => failing(gateway, [{ failure: 'status', status: 500, body: 'Internal Server Error' }]),
  (gateway) => failing(gateway, [{ failure: 'html' }]),
  (gateway) =>
    failing(gateway, [{ failure: 'status', status: 500 }, { failure: 'html' }, { failure: 'hang' }]),
];

/** Calls that must fail in each phase before it may end. */
const FAILURES_A_PHASE = 3;
/** A multiple of the connections, so that a receiver's webhooks come through one connection, in order. */
const RECEIVERS = 120;
const CONNECTIONS = 40;
const DRAIN_WITHIN_MS = 60_000;

const ACCOUNT = {
  // Longer than a loaded machine takes to answer: what is sent late is sent twice.
  timeout: '2s',
  // While the circuit is open a message is tried at most twice a second; this many waits outlast the outage.
  retry: Array.from({ length: 50 }, () => '500ms'),
  circuit: { failures: 5, probe: '200ms' },
};

/** Posts webhooks while the gateway refuses, hangs, answers 500 and HTML in turns; then it recovers. */
export function outage(bundles: Bundles, webhooks = 2_000): Promise<OutageReport> {
  return onStage(bundles, { account: ACCOUNT }, async (stage) => {
    const { gateway, relay } = stage;
    const all = makeWebhooks('outage', webhooks, RECEIVERS);
    // Whole rounds of the receivers, so that each keeps its connection from phase to phase.
    const share = Math.ceil(webhooks / FAULTS.length / CONNECTIONS) * CONNECTIONS;
    const posted = [];
    const statuses: OutboxStatus[] = [];
    for (const [phase, begin] of FAULTS.entries()) {
      await begin(gateway);
      posted.push(
        ...(await postAll(relay.hookUrl, all.slice(phase * share, (phase + 1) * share), CONNECTIONS)),
      );
      statuses.push(await untilFailed(stage, (statuses.at(-1)?.circuit.failures ?? 0) + FAILURES_A_PHASE));
    }
    await gateway.up();
    await gateway.script([]);
    await relay.drained(DRAIN_WITHIN_MS);

    const calls = await gateway.calls();
    const messages = await relay.messages();
    const { ids, duplicates } = arrivals(calls);
    return {
      accepted: posted.length,
      refusedPosts: posted.filter(({ tries }) => tries > 1).length,
      circuitsSeen: statuses.map(({ circuit }) => circuit.state),
      messages: messages.length,
      sent: messages.filter(({ state }) => state === 'sent').length,
      neverRetried: messages.filter(isNeverRetried).length,
      duplicates,
      lost: missing(
        posted.map(({ webhook }) => webhook),
        ids,
      ),
      overtaken: overtaken(messages, calls),
      triedTooEarly: triedTooEarly(messages),
    };
  });
}

/** The violations of the guarantees. Empty if they hold. */
export function outageFaults(report: OutageReport): readonly string[] {
  const { accepted, refusedPosts, circuitsSeen, messages, sent, neverRetried } = report;
  const { duplicates, lost, overtaken, triedTooEarly } = report;
  return [
    ...(refusedPosts > 0 ? [`${refusedPosts} of ${accepted} posts were not taken at once`] : []),
    ...(lost.length > 0 ? [`${lost.length} accepted and lost: ${lost.slice(0, 10).join(', ')}`] : []),
    ...(messages !== accepted || sent !== accepted ? [`${sent} of ${messages} sent, of ${accepted}`] : []),
    ...(duplicates > 0 ? [`${duplicates} sent twice`] : []),
    ...(overtaken.length > 0 ? [`out of order: ${overtaken.slice(0, 10).join(', ')}`] : []),
    ...(triedTooEarly.length > 0
      ? [`tried before their turn: ${triedTooEarly.slice(0, 10).join(', ')}`]
      : []),
    ...(circuitsSeen.includes('closed') ? ['the circuit did not stay open during the outage'] : []),
    ...(neverRetried < accepted / 2
      ? [`only ${neverRetried} never retried: the order was hardly tested`]
      : []),
    ...(neverRetried === accepted ? ['no message was ever retried: the outage was none'] : []),
  ];
}

const failing = async (gateway: Gateway, steps: readonly object[]): Promise<void> => {
  await gateway.up();
  await gateway.script(
    steps.map((step) => ({ ...step, delivered: false })),
    true,
  );
};

/** The account's status once N calls in a row have failed. */
async function untilFailed({ relay }: Stage, failures: number): Promise<OutboxStatus> {
  const hasFailed = ({ circuit }: OutboxStatus): boolean => circuit.failures >= failures;
  const status = await lookUntil(() => relay.status(), hasFailed, { withinMs: DRAIN_WITHIN_MS, eachMs: 20 });
  if (hasFailed(status)) return status;
  throw new Error(`the gateway was not tried: ${JSON.stringify(status)}`);
}
