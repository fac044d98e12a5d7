import type { OutboxStatus } from '../../src/answers/api-status.ts';
import type { MessageView } from '../../src/answers/api-message.ts';
import type { Call } from '../../simulator/call-log.ts';
import { lookUntil } from '../eventually.ts';
import { arrivals, fault, faultsOf, listed, missing } from './arrivals.ts';
import type { Bundles } from './build.ts';
import type { Gateway } from './gateway.ts';
import { postAll } from './poster.ts';
import { PATIENCE_MS } from './real-time.ts';
import { onStage, type Stage } from './stage.ts';
import { makeWebhooks } from './webhook.ts';

/** The beginning of each fault, in this order. None of them gets a message to its phone. */
const FAULTS: readonly ((gateway: Gateway) => Promise<void>)[] = [
  (gateway) => gateway.down(),
  (gateway) => failing(gateway, [{ failure: 'status', status: 500, body: 'Internal Server Error' }]),
  (gateway) => failing(gateway, [{ failure: 'html' }]),
  (gateway) => failing(gateway, [{ failure: 'status', status: 500 }, { failure: 'html' }]),
];

/** Calls that must fail in each phase before it may end. */
const FAILURES_A_PHASE = 3;
/** A multiple of the connections, so that a receiver's webhooks come through one connection, in order. */
const RECEIVERS = 120;
const CONNECTIONS = 40;

const ACCOUNT = {
  // Longer than any machine takes to answer: what is sent late is sent twice.
  timeout: '2m',
  // While the circuit is open a message is tried at most twice a second; this many waits outlast the outage.
  retry: Array.from({ length: 50 }, () => '500ms'),
  circuit: { failures: 5, probe: '200ms' },
};

/**
 * Posts webhooks while the gateway refuses, answers 500 and HTML in turns; then it recovers. Returns the guarantees that were
 * broken.
 */
export function outage(bundles: Bundles, webhooks = 2_000): Promise<readonly string[]> {
  return onStage(bundles, { account: ACCOUNT }, async (stage) => {
    const { gateway, relay } = stage;
    const all = makeWebhooks('outage', webhooks, RECEIVERS);
    // Whole rounds of the receivers, so that each keeps its connection from phase to phase.
    const share = Math.ceil(webhooks / FAULTS.length / CONNECTIONS) * CONNECTIONS;
    const posted = [];
    const statuses: OutboxStatus[] = [];
    for (const [phase, begin] of FAULTS.entries()) {
      await begin(gateway);
      const some = all.slice(phase * share, (phase + 1) * share);
      posted.push(...(await postAll(relay.hookUrl, some, CONNECTIONS)));
      statuses.push(await untilFailed(stage, (statuses.at(-1)?.circuit.failures ?? 0) + FAILURES_A_PHASE));
    }
    await gateway.up();
    await gateway.script([]);
    await relay.drained();

    const calls = await gateway.calls();
    const messages = await relay.messages();
    const { ids, duplicates } = arrivals(calls);
    const circuits = statuses.map(({ circuit }) => circuit.state);
    const seen = {
      accepted: posted.length,
      refused: posted.filter(({ tries }) => tries > 1).length,
      circuits,
      messages: messages.length,
      sent: messages.filter(({ state }) => state === 'sent').length,
      /** Sent by their first attempt: the messages whose order is promised. */
      neverRetried: messages.filter(isNeverRetried).length,
      duplicates,
    };
    const { accepted, sent, neverRetried } = seen;
    return faultsOf(seen, [
      listed('accepted and lost', missing(all, ids)),
      listed('out of order', overtaken(messages, calls)),
      listed('tried before their turn', triedTooEarly(messages)),
      fault(accepted !== webhooks || seen.refused > 0, `${seen.refused} posts were not taken at once`),
      fault(messages.length !== accepted || sent !== accepted, `${sent} of ${accepted} sent`),
      fault(duplicates > 0, `${duplicates} sent twice`),
      fault(circuits.includes('closed'), 'the circuit did not stay open during the outage'),
      fault(neverRetried < accepted / 2, `only ${neverRetried} never retried: the order was hardly tested`),
      fault(neverRetried === accepted, 'no message was ever retried: the outage was none'),
    ]);
  });
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
  const status = await lookUntil(() => relay.status(), hasFailed, { withinMs: PATIENCE_MS, eachMs: 20 });
  if (hasFailed(status)) return status;
  throw new Error(`the gateway was not tried: ${JSON.stringify(status)}`);
}

const isNeverRetried = ({ attempts }: MessageView): boolean => attempts.length === 1;

/** A message's text is the webhook's id, which sorts as the webhooks were posted. */
const textOf = ({ params }: { params: Readonly<Record<string, string>> }): string => params['message'] ?? '';

/**
 * Messages to one receiver leave in the order accepted, except that one that is being retried holds up nothing. So those that
 * were never retried arrive in order, whatever came between. Returns those that came after one accepted later.
 */
function overtaken(messages: readonly MessageView[], calls: readonly Call[]): readonly string[] {
  const inLine = new Set(messages.filter(isNeverRetried).map(textOf));
  const arrived = calls.filter((call) => call.delivered && inLine.has(textOf(call)));
  return outOfOrder(arrived.map((call) => ({ to: call.to, rank: textOf(call), text: textOf(call) })));
}

/** The other half of the rule: only retries go out of line, so the first attempts are in order too. */
function triedTooEarly(messages: readonly MessageView[]): readonly string[] {
  const accepted = messages.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  return outOfOrder(
    accepted.map((one) => ({ to: one.phone, rank: one.attempts[0]?.at ?? '', text: textOf(one) })),
  );
}

/** Those whose rank is below that of an earlier one for the same receiver. */
function outOfOrder(
  ranked: readonly { readonly to: string | null; readonly rank: string; readonly text: string }[],
): readonly string[] {
  const highest = new Map<string | null, string>();
  return ranked.flatMap(({ to, rank, text }) => {
    if (rank < (highest.get(to) ?? '')) return [text];
    highest.set(to, rank);
    return [];
  });
}
