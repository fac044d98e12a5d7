import type { Hours } from '../compiled/alerting.ts';
import type { AccountPolicy, CanaryPolicy, EscapePolicy } from '../compiled/config.ts';
import type {
  NotifyFormat,
  NotifyPolicy,
  AccountDocument,
  EscapeDocument,
} from '../documents/account-schema.ts';
import { findMaker } from '../../gateway/makers/known.ts';
import { V2 } from '../../gateway/shape.ts';
import { DAY, HOUR, MINUTE } from '../../lib/time.ts';
import {
  burstOf,
  CANARY_EVERY_MS,
  CANARY_WITHIN_MS,
  DEFAULT_PER_RECIPIENT,
  DEFAULT_RATE,
  ESCAPE_AFTER_MS,
} from '../documents/account-defaults.ts';
import { hoursOf } from '../compiled/hours.ts';
import { gatewaySpec } from '../compiled/gateway-spec.ts';

const SECOND = 1_000;

export const DEFAULT_ACCOUNT: AccountPolicy = {
  rate: DEFAULT_RATE,
  perRecipient: DEFAULT_PER_RECIPIENT,
  timeoutMs: 15 * SECOND,
  retryMs: [
    5 * SECOND,
    30 * SECOND,
    2 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
  ],
  permanentErrors: [],
  circuit: { failures: 5, probeMs: 30 * SECOND },
  retentionMs: 30 * DAY,
  isRemoved: false,
  newContacts: null,
  digestAbove: null,
  notify: null,
  escape: null,
  canary: null,
  gateway: V2,
};

export function accountPolicy(document: AccountDocument): AccountPolicy {
  const { rate, per_recipient, circuit } = document;
  const gateway = gatewaySpec(document);
  const standard = { ...DEFAULT_ACCOUNT, rate: findMaker(gateway.maker)?.rate ?? DEFAULT_RATE };
  return {
    gateway,
    rate:
      rate === undefined
        ? standard.rate
        : rate === false
          ? null
          : { perMinute: rate.per_minute, burst: rate.burst ?? burstOf(rate.per_minute) },
    perRecipient:
      per_recipient === undefined
        ? standard.perRecipient
        : per_recipient === false
          ? null
          : { perHour: per_recipient.per_hour },
    timeoutMs: document.timeout ?? standard.timeoutMs,
    retryMs: document.retry ?? standard.retryMs,
    permanentErrors: document.permanent_errors ?? standard.permanentErrors,
    circuit: {
      failures: circuit?.failures ?? standard.circuit.failures,
      probeMs: circuit?.probe ?? standard.circuit.probeMs,
    },
    retentionMs: document.retention ?? standard.retentionMs,
    isRemoved: false,
    newContacts: document.new_contacts === undefined ? null : { perDay: document.new_contacts.per_day },
    digestAbove: document.digest_above ?? standard.digestAbove,
    notify: document.notify === undefined ? standard.notify : notifyPolicy(document.notify),
    canary: document.canary === undefined ? standard.canary : canaryPolicy(document.canary),
    escape: document.escape === undefined ? standard.escape : escapePolicy(document.escape),
  };
}

function notifyPolicy({ url, secret, format }: NonNullable<AccountDocument['notify']>): NotifyPolicy {
  return { url, secret: secret ?? null, format: format ?? formatOf(new URL(url).hostname) };
}

/** Recognises known services by their hosts. Anything else gets plain JSON. */
function formatOf(host: string): NotifyFormat {
  if (host === 'hooks.slack.com') return 'slack';
  if (host === 'discord.com' || host === 'discordapp.com') return 'discord';
  return host === 'ntfy.sh' ? 'ntfy' : 'json';
}

const escapePolicy = ({ after = ESCAPE_AFTER_MS, via }: EscapeDocument): EscapePolicy => ({
  afterMs: after,
  via:
    via.account === undefined
      ? {
          url: '{secret}',
          secret: via.secret ?? '',
          format: via.kind === undefined || via.kind === 'webhook' ? 'json' : via.kind,
        }
      : { account: via.account, to: via.to ?? null },
});

const LABELS = {
  en: 'Press to show that messages arrive',
  de: 'Bestätige, dass Nachrichten ankommen',
} as const;

export const canaryPolicy = ({
  to,
  every = CANARY_EVERY_MS,
  answer_within: within = CANARY_WITHIN_MS,
  at = '10:00',
  timezone: zone,
  language = 'en',
}: NonNullable<AccountDocument['canary']>): CanaryPolicy => ({
  to,
  everyMs: every,
  withinMs: within,
  hours: minuteOf(hoursOf({ from: at, to: '24:00' }, zone)),
  label: LABELS[language],
  language,
});

/** Shortens the hours to one minute: hours that touch would count as one, and would begin only once. */
const minuteOf = (hours: Hours): Hours => ({ ...hours, to: hours.from + 1 });
