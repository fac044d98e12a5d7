import type { Action } from '../model/link.ts';
import type { Quiet } from '../model/quiet-hours.ts';
import type { Throttle } from '../model/throttle.ts';
import type { OwnerRules } from '../model/owner.ts';
import type { Random } from '../simulation.ts';
import { escalatingOf, escalationOf, STEP_LISTS, type Escalation } from './escalation.ts';
import { nightsOf, type Nights } from './nights.ts';
import { optingOf, type Opting } from './opting.ts';
import { LISTS, sourcesOf, strangersOf, type Strangers } from './strangers.ts';
import { rotationOf, type Turns } from './turns.ts';
import {
  expiring,
  fallbacksOf,
  fallingBackTo,
  maxAgeOf,
  shortAlert,
  shortOrder,
  type Fallbacks,
  type MaxAge,
} from './unsent.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** The deployment of a seed: how much comes, and how it is set up. */
export interface Plan {
  /** The mean time between two orders, and between two changes of a problem, in ms. */
  readonly ordersEveryMs: number;
  readonly problemEveryMs: number;
  /** Several problems at once. */
  readonly stormEveryMs: number;
  readonly keys: readonly string[];
  readonly isHeld: boolean;
  readonly isGrouped: boolean;
  readonly throttle: Throttle | null;
  readonly isFlapping: boolean;
  /** A problem comes back within this time after it went, in ms. */
  readonly comesBackMs: number;
  readonly repeatMs: number | null;
  readonly quiet: Quiet | null;
  readonly perMinute: number;
  readonly burst: number;
  readonly perHour: number | null;
  /** The key that inhibits all others while it is open; null: none does. */
  readonly inhibitor: string | null;
  /** An incident of which nobody speaks for so long is over, in ms; null: none ends like this in the time of a run. */
  readonly expiresMs: number | null;
  /** A batch that the second account has not sent after this (ms) is sent by the first; null: only the second sends it. */
  readonly handOnMs: number | null;
  /** Episodes of a gateway that fails, a day. */
  readonly failuresADay: number;
  /** Deeds of people a day. */
  readonly deedsADay: number;
  /** The answers to messages with links; null: messages have none. */
  readonly answers: Answers | null;
  /** The turns of those on call; null: all are on call. */
  readonly turns: Turns | null;
  /** Whom the monitor's route calls while nobody has an incident; null: nobody. */
  readonly escalation: Escalation | null;
  /** The opt-outs of receivers; null: none opt out. */
  readonly opting: Opting | null;
  /** Problems begin as warnings, some become critical, and people silence warnings only. */
  readonly worsens: boolean;
  /** The monitor says since when things are so, its webhooks overtake each other, and people acknowledge there. */
  readonly tells: boolean;
  /** What it says of an end is since when the problem was there, as Alertmanager does. */
  readonly tellsBegin: boolean;
  /** Nights in which much ends without a word; null: there are none. */
  readonly nights: Nights | null;
  /** Messages that are older than this are not sent; null: all are, however old. */
  readonly maxAge: MaxAge | null;
  /** The fallbacks of dead messages, by the same account; null: there are none. */
  readonly fallbacks: Fallbacks | null;
  /** Floods of strangers, and urgent alerts beside them; null: there are none. */
  readonly strangers: Strangers | null;
  /** The mean time between two restorations of the registry, in ms; null: there are none. */
  readonly restoreEveryMs: number | null;
  /** An outbox has little space, and orders are large: what is over is deleted early. */
  readonly isSmall: boolean;
  /** One receiver has 59,000 messages, and others have 1,000 among them. */
  readonly hasBacklog: boolean;
  /** If more messages than this wait for one receiver, the account of orders makes one of them; null: it never does. */
  readonly digestAbove: number | null;
  /** What the owner's channel is told of; null: there is no channel. */
  readonly owner: OwnerRules | null;
}

/** The answers of receivers to messages. */
export interface Answers {
  /** The share of the messages with links of which one is pressed. */
  readonly share: number;
  /** The built-in actions of the alerts' route. */
  readonly ofIncidents: readonly Action[];
}

/** The names of those on call, and of those whom a step calls. */
export const NAMES: Readonly<Record<string, string>> = {
  '4915122345601': 'Anna',
  '4915122345602': 'Ben',
  '4915122345603': 'Cleo',
  '4915142345604': 'Dora',
  '4915142345605': 'Emil',
  '4915142345606': 'Finn',
  '4915142345607': 'Greta',
};

const nameOf = (phone: string): string => NAMES[phone] ?? phone;

/** The receiver of the message about an approved order. */
export const APPROVED_TO = '4915132345601';

/** Whom the monitor names. */
export const TOLD_NAME = 'Lea';

export const PRESSED_SILENCE_MS = 2 * HOUR_MS;

/** The schedule of retries that each account has. */
export const RETRY = ['5s', '30s', '2m', '10m', '30m', '1h'] as const;

/** Customers who order, and people on call. One is both. */
export const CUSTOMERS = ['4915112345601', '4915112345602', '4915112345603', '4915122345601'] as const;
export const CREW = ['4915132345601', '4915132345602'] as const;
export const ON_CALL = ['4915122345601', '4915122345602', '4915122345603'] as const;

/** The account by which messages about incidents go out. */
export const ALERTS_ACCOUNT = 'default';

/** The times for which a group waits, in ms. */
export const GROUP = { waitMs: 10_000, intervalMs: 2 * MINUTE_MS } as const;

/** One seed of so many has a backlog, since it takes minutes. */
export const BACKLOG_EVERY = 1_000;

/** Nothing else holds its messages up. */
const BACKLOG = {
  hasBacklog: true,
  isSmall: false,
  perMinute: 60,
  burst: 5,
  perHour: 60,
  failuresADay: 0,
  deedsADay: 0,
  owner: null,
};

const OWNER: OwnerRules = { escapeMs: 5 * MINUTE_MS, heartbeatMs: 3 * HOUR_MS };

/** The address of the owner's channel. */
export const CHANNEL = 'channel.example';

export function planOf(random: Random, seed: number): Plan {
  const size = random.pick([0.02, 0.3, 1, 1, 2]);
  const zone = random.pick(['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland']);
  const from = random.int(18, 23);
  const plan = {
    ordersEveryMs: (10 * MINUTE_MS) / size,
    problemEveryMs: (40 * MINUTE_MS) / size,
    stormEveryMs: random.pick([6, 12, 48]) * HOUR_MS,
    keys: Array.from({ length: random.pick([2, 5, 12, 40]) }, (_, index) => `k${index + 1}`),
    isHeld: random.chance(0.4),
    isGrouped: random.chance(0.6),
    throttle: random.chance(0.3)
      ? { max: random.pick([1, 2, 4]), perMs: random.pick([10, 30]) * MINUTE_MS }
      : null,
    isFlapping: random.chance(0.3),
    comesBackMs: random.pick([2, 20, 120]) * MINUTE_MS,
    repeatMs: random.pick([null, 30 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS]),
    quiet: random.chance(0.4) ? { from, to: random.int(5, 9), timezone: zone } : null,
    perMinute: random.pick([6, 30, 30, 60]),
    burst: random.pick([1, 5, 5]),
    perHour: random.pick([null, 10, 30, 60]),
    failuresADay: random.pick([0, 3, 8, 20]),
    deedsADay: random.pick([0, 4, 12]),
  };
  const maxAge = maxAgeOf(random.fork('expired'));
  // Options that were added later are drawn last, so that a seed keeps what it had.
  const inhibitor = random.chance(0.25) ? (plan.keys[0] ?? null) : null;
  // Longer than `repeat`, which must come before.
  const nights = nightsOf(random.fork('nights'));
  const mayExpire = random.chance(0.25);
  const expiresMs =
    (nights?.expire ?? mayExpire) ? Math.max(3 * HOUR_MS, (plan.repeatMs ?? 0) + HOUR_MS) : null;
  const answers = answersOf(random.fork('holders'), plan.keys.length);
  const strangers = strangersOf(random.fork('strangers'));
  // Each order has a line that is read again: no links, and nobody else's messages among them.
  const digest = random.fork('digest');
  // What is deleted early is in no list, and its links are dead.
  const isSmall = answers === null && random.fork('small').chance(0.25);
  const hasDigests = answers === null && strangers === null && !isSmall && digest.chance(0.4);
  const worsens = random.fork('critical').chance(0.25);
  const opting = optingOf(random.fork('opting out'));
  const turns = turnsOf(random.fork('handover'));
  // What a restoration takes back would be said to none of these.
  const isPlain = [answers, strangers, nights, opting, turns].every((one) => one === null) && !worsens;
  const restored = random.fork('restored');
  return {
    ...plan,
    digestAbove: hasDigests ? digest.pick([2, 6]) : null,
    repeatMs: maxAge?.isRepeated === false ? null : plan.repeatMs,
    quiet: nights?.quiet ?? plan.quiet,
    // Storms, of which each message is about all: one press for many.
    isGrouped: nights !== null || plan.isGrouped,
    stormEveryMs: nights === null ? plan.stormEveryMs : 6 * HOUR_MS,
    nights,
    inhibitor,
    expiresMs,
    handOnMs: random.chance(0.6) ? random.pick([1, 10]) * MINUTE_MS : null,
    answers,
    turns,
    escalation: escalationOf(random.fork('escalation')),
    opting,
    worsens,
    // With failures, nearly everything may be late.
    failuresADay: worsens && restored.chance(0.5) ? 0 : plan.failuresADay,
    tells: expiresMs === null && random.fork('told').chance(0.4),
    tellsBegin: random.fork('equal times').chance(0.4),
    maxAge,
    fallbacks: fallbacksOf(random.fork('short')),
    strangers,
    restoreEveryMs: isPlain && restored.chance(0.8) ? restored.pick([4, 8]) * HOUR_MS : null,
    isSmall,
    owner: random.fork('owner').chance(0.4) ? OWNER : null,
    ...(seed % BACKLOG_EVERY === 0 ? BACKLOG : { hasBacklog: false }),
  };
}

/** Of another stream: the seeds in which nobody presses anything are what they were before somebody did. */
function turnsOf(random: Random): Turns | null {
  if (!random.chance(0.3)) return null;
  const from = random.int(0, 23);
  const shift = { from, to: (from + random.int(3, 14)) % 24 };
  return { hour: random.int(0, 23), shift: random.chance(0.6) ? shift : null };
}

/** The same. */
function answersOf(random: Random, keys: number): Answers | null {
  if (!random.chance(0.4)) return null;
  return {
    share: random.pick([0.15, 0.4, 0.7]),
    // A digest of many does not name all that its link resolves or silences.
    ofIncidents: keys > 5 ? ['ack'] : ['ack', 'resolve', 'silence'],
  };
}

const CONTENT =
  '{% for one in new %}{% if one.flapping %}~{% else %}+{% endif %}{{ one.key }} {% endfor %}{% for one in firing %}={{ one.key }} {% endfor %}{% for one in resolved %}-{{ one.key }} {% endfor %}{% if missed > 0 %}missed:{{ missed }} {% endif %}{% if unheard > 0 %}unheard:{{ unheard }} {% endif %}';

const ALONE =
  '{% if flapping %}~{% elsif resolved_at %}-{% elsif occurrences == 1 %}+{% else %}={% endif %}{{ key }}';

/** A press that is answered with a message. */
const APPROVED = {
  name: 'approved',
  when: 'event.type == "action.approve"',
  to: [APPROVED_TO],
  transactional: true,
  send: { kind: 'text', message: 'approved {{ payload.payload.n }}' },
};

/** The lines of a message that hold its links. */
const linesOf = (actions: readonly Action[]): string =>
  actions.map((action) => `\n${action} {{ actions.${action}.url }}`).join('');

/** The actions of a route, as its document says them. */
const actionsOf = (actions: readonly Action[]): object => ({
  actions: Object.fromEntries(
    actions.map((action) => [
      action,
      action === 'silence'
        ? { silence: `${PRESSED_SILENCE_MS / MINUTE_MS}m` }
        : action === 'approve'
          ? { label: 'Approve' }
          : {},
    ]),
  ),
});

/** The keys of an incident whose monitor says since when things are so, and who has it. */
const TELLS = { at: '{{ item.at }}', acknowledged: 'item.status == "acknowledged"', by: '{{ item.by }}' };

const BATCH = { kind: 'text', message: 'batch {{ payload.n }}.{{ item }}' };

const two = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** The configuration; sets with another `version` differ. */
export function documentsOf(
  plan: Plan,
  lists: Readonly<Record<string, readonly string[]>>,
  version: number,
  route: string,
): object {
  const {
    answers,
    quiet,
    repeatMs,
    throttle,
    inhibitor,
    expiresMs,
    handOnMs,
    turns,
    escalation,
    maxAge,
    fallbacks,
    strangers,
    owner,
  } = plan;
  const lines = linesOf(answers?.ofIncidents ?? []);
  const content = answers === null ? CONTENT : `${CONTENT}{% if count > 0 %}${lines}{% endif %}`;
  const alone = answers === null ? ALONE : `${ALONE}{% unless resolved_at %}${lines}{% endunless %}`;
  const order = 'order {{ payload.n }}';
  const orderLines = answers === null ? '' : linesOf(['approve']);
  const hasShortAlert = fallbacks?.ofAlerts === true;
  const alert = (message: string): object => ({
    kind: 'text',
    message,
    ...fallingBackTo(hasShortAlert ? shortAlert(message) : null),
  });
  const onCall = lists['on-call'] ?? ON_CALL;
  const signed = { verify: { scheme: 'hmac', header: 'X-Signature' }, secrets: ['SENDER_SECRET'] };
  return {
    sources: {
      orders: {
        provider: 'generic',
        ...signed,
        ...(owner !== null && { heartbeat: `${owner.heartbeatMs / MINUTE_MS}m` }),
        dedupe: { key: '{{ payload.id }}', window: '3d' },
        routes: [
          {
            name: 'order',
            to: '{{ payload.phone }}',
            ...(plan.isHeld && { on_uncertain: 'hold' }),
            ...(answers !== null && actionsOf(['approve'])),
            ...expiring(maxAge?.ofOrdersMs),
            send: {
              kind: 'text',
              message: `${order}${orderLines}`,
              ...fallingBackTo(fallbacks?.ofOrders === true ? `${shortOrder(order)}${orderLines}` : null),
            },
          },
          ...(answers === null ? [] : [APPROVED]),
        ],
      },
      batches: {
        provider: 'generic',
        ...signed,
        account: 'second',
        dedupe: { key: '{{ payload.id }}', window: '3d' },
        routes: [
          {
            name: 'part',
            each: 'payload.parts',
            to: ['crew'],
            ...(owner !== null && { priority: 'high' }),
            ...(plan.opting?.isTransactional === true && { transactional: true }),
            send: {
              ...BATCH,
              // The same text: the phone must show it once, whoever sends it.
              ...(handOnMs !== null && {
                fallback: [{ ...BATCH, account: ALERTS_ACCOUNT, after: `${handOnMs / MINUTE_MS}m` }],
              }),
            },
          },
        ],
      },
      ...(plan.hasBacklog && {
        campaign: {
          provider: 'generic',
          ...signed,
          account: 'second',
          routes: [
            {
              name: 'part',
              each: 'payload.to',
              to: '{{ item }}',
              expires: '3h',
              send: { kind: 'text', message: 'campaign {{ payload.n }}.{{ index }}' },
            },
          ],
        },
      }),
      monitor: {
        provider: 'generic',
        verify: { scheme: 'token', in: 'header', name: 'X-Token' },
        secrets: ['SENDER_SECRET'],
        limit: false,
        routes: [
          {
            name: route,
            each: 'payload.alerts',
            to: ['on-call'],
            incident: {
              key: '{{ item.key }}',
              resolved: 'item.status == "resolved"',
              ...(plan.tells && TELLS),
              expires: expiresMs === null ? '7d' : `${expiresMs / MINUTE_MS}m`,
              ...(repeatMs !== null && { repeat: `${repeatMs / MINUTE_MS}m` }),
              ...(inhibitor !== null && { inhibited_by: inhibitor }),
              ...(plan.isFlapping && { flapping: { changes: 6, per: '30m' } }),
            },
            ...(plan.isGrouped && {
              group: {
                wait: `${GROUP.waitMs / 1_000}s`,
                interval: `${GROUP.intervalMs / MINUTE_MS}m`,
                max: 50,
              },
            }),
            ...(throttle !== null && {
              throttle: [{ max: throttle.max, per: `${throttle.perMs / MINUTE_MS}m` }],
            }),
            ...(escalation !== null && escalatingOf(escalation)),
            ...(answers !== null && actionsOf(answers.ofIncidents)),
            ...expiring(maxAge?.ofAlertsMs),
            digest: alert(content),
            send: alert(plan.isGrouped ? content : alone),
          },
        ],
      },
      ...(strangers !== null && sourcesOf(strangers, signed)),
    },
    templates: {},
    recipients: {
      ...(strangers !== null && LISTS),
      crew: { numbers: lists['crew'] ?? CREW },
      ...(escalation !== null &&
        Object.fromEntries(
          Object.entries(STEP_LISTS).map(([list, phones]) => [
            list,
            answers === null ? { numbers: phones } : peopleOf(phones),
          ]),
        )),
      'on-call': {
        ...(answers === null && turns === null ? { numbers: onCall } : peopleOf(onCall)),
        ...(turns !== null && { rotation: rotationOf(turns, onCall.map(nameOf)) }),
        ...(quiet !== null && {
          quiet: { from: two(quiet.from), to: two(quiet.to), timezone: quiet.timezone, do: 'hold' },
        }),
      },
    },
    accounts: {
      default: {
        ...accountOf(plan),
        retention: `${30 + (version % 2)}d`,
        ...(plan.digestAbove !== null && { digest_above: plan.digestAbove }),
        ...(owner !== null && { notify: { url: `https://${CHANNEL}/owner` } }),
      },
      second: {
        ...accountOf(plan),
        ...(owner !== null && {
          escape: {
            after: `${owner.escapeMs / MINUTE_MS}m`,
            via: { kind: 'webhook', secret: 'NOTIFY_OWNER' },
          },
        }),
      },
    },
  };
}

const peopleOf = (phones: readonly string[]): object => ({
  people: Object.fromEntries(phones.map((phone) => [nameOf(phone), phone])),
});

const accountOf = ({ perMinute, burst, perHour, strangers }: Plan): object => ({
  rate: { per_minute: perMinute, burst },
  ...(typeof strangers?.newContacts === 'number' && { new_contacts: { per_day: strangers.newContacts } }),
  per_recipient: perHour === null ? false : { per_hour: perHour },
  retry: RETRY,
});
