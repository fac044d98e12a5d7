import type { MessageView } from '../../src/outbox/answers/api-message.ts';
import { lookUntil } from '../eventually.ts';
import type { Bundles } from './build.ts';
import { postAll } from './poster.ts';
import { seeded } from './random.ts';
import { passRealTime } from './real-time.ts';
import { receiverNumber } from './receivers.ts';
import { onStage } from './stage.ts';
import { sign, type SignedWebhook } from './webhook.ts';

/** The outcome of escalations. Whatever is listed should not be. */
interface EscalationCrashReport {
  readonly messages: number;
  readonly interrupted: number;
  /** Texts to receivers that came more often than their interrupted attempts explain, or not at all. */
  readonly wronglyArrived: readonly string[];
  /** Texts with more than one message, or without one that was sent. */
  readonly wronglyMade: readonly string[];
  /** Steps that came sooner after the opening than they may. */
  readonly early: readonly string[];
}

/** The receivers that are notified at first, and in each step. */
const PHONES = [receiverNumber(1), receiverNumber(2), receiverNumber(3)];
const STEP_SECONDS = [0, 3, 6];
const INCIDENTS = 24;
const KILLS = 8;
const GATEWAY_MS = 100;
const EVERYTHING_WITHIN_MS = 60_000;

const ROUTE = {
  name: 'alert',
  to: PHONES.slice(0, 1),
  on_uncertain: 'retry',
  incident: { key: '{{ payload.name }}', resolved: 'payload.status == "resolved"' },
  escalate: PHONES.slice(1).map((phone, at) => ({ after: `${STEP_SECONDS[at + 1]}s`, to: [phone] })),
  send: {
    kind: 'text',
    message:
      '{{ payload.name }} {% if resolved_at %}over{% else %}{{ escalation.step | default: 0 }}{% endif %}',
  },
};

const webhookOf = (n: number, status: 'firing' | 'resolved'): SignedWebhook =>
  sign({ id: `${status}-${n}`, phone: '' }, { name: `i${n}`, status });

const ALL = Array.from({ length: INCIDENTS }, (_, n) => n);

/** Kills the relay at random moments while the steps of open incidents are due, and counts what came of it. */
export function crashEscalation(bundles: Bundles, seed: number): Promise<EscalationCrashReport> {
  const random = seeded(seed);
  const account = { retry: ['100ms', '200ms', ...Array.from({ length: 2 * KILLS }, () => '500ms')] };
  return onStage(bundles, { routes: [ROUTE], account }, async ({ relay, gateway }) => {
    await gateway.script([{ failure: 'slow', ms: GATEWAY_MS, times: 1_000_000 }]);
    const messagesOnce = (count: number): Promise<readonly MessageView[]> =>
      lookUntil(
        () => relay.messages(),
        ({ length }) => length >= count,
        {
          withinMs: EVERYTHING_WITHIN_MS,
          eachMs: 100,
        },
      );
    const posting = (async () => {
      for (const n of ALL) {
        await postAll(relay.hookUrl, [webhookOf(n, 'firing')], 1);
        await passRealTime(random.between(50, 300));
      }
    })();
    posting.catch(() => undefined);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await passRealTime(random.between(200, 1_200));
      await relay.kill();
      await relay.start();
    }
    await posting;
    await messagesOnce(PHONES.length * INCIDENTS);
    await relay.drained(EVERYTHING_WITHIN_MS);
    await postAll(
      relay.hookUrl,
      ALL.map((n) => webhookOf(n, 'resolved')),
      4,
    );
    await messagesOnce(2 * PHONES.length * INCIDENTS);
    await relay.drained(EVERYTHING_WITHIN_MS);

    const messages = await relay.messages();
    const arrived = Map.groupBy(
      (await gateway.calls()).filter(({ delivered }) => delivered),
      ({ to, params }) => `${to}: ${params['message']}`,
    );
    const made = Map.groupBy(messages, textOf);
    const expected = ALL.flatMap((n) =>
      PHONES.flatMap((phone, step) => [`${phone}: i${n} ${step}`, `${phone}: i${n} over`]),
    );
    return {
      messages: messages.length,
      interrupted: messages.reduce((sum, message) => sum + interruptionsOf(message), 0),
      wronglyArrived: [...new Set([...expected, ...arrived.keys()])].flatMap((text) => {
        const times = arrived.get(text)?.length ?? 0;
        const most = (made.get(text) ?? []).reduce((sum, one) => sum + 1 + interruptionsOf(one), 0);
        return times >= 1 && times <= most ? [] : [`${times} × ${text}`];
      }),
      wronglyMade: [...new Set([...expected, ...made.keys()])].flatMap((text) => {
        const states = (made.get(text) ?? []).map(({ state }) => state);
        return states.join() === 'sent' ? [] : [`${text} (${states.join()})`];
      }),
      early: ALL.flatMap((n) =>
        PHONES.flatMap((phone, step) => {
          const [opening] = made.get(`${PHONES[0]}: i${n} 0`) ?? [];
          const [one] = made.get(`${phone}: i${n} ${step}`) ?? [];
          if (opening === undefined || one === undefined) return [];
          const waited = Date.parse(one.created_at) - Date.parse(opening.created_at);
          return waited >= 1_000 * (STEP_SECONDS[step] ?? 0) - TOLERANCE_MS
            ? []
            : [`i${n} step ${step} after ${waited} ms`];
        }),
      ),
    };
  });
}

/** The opening's message may be made later than its incident opens. */
const TOLERANCE_MS = 1_500;

const textOf = ({ phone, params }: MessageView): string => `${phone}: ${params['message']}`;

const interruptionsOf = ({ attempts }: MessageView): number =>
  attempts.filter(({ outcome }) => outcome === 'uncertain').length;

/** The violations of the guarantees. Empty if they hold. */
export const escalationCrashFaults = (report: EscalationCrashReport): readonly string[] => [
  ...report.wronglyArrived,
  ...report.wronglyMade,
  ...report.early,
];
