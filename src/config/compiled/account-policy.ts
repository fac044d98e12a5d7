import type { AccountDocument, NotifyFormat, NotifyPolicy } from '../documents/account-schema.ts';
import { V2, findMaker } from '../../gateway/shape.ts';
import { DAY } from '../../lib/time.ts';
import {
  burstOf,
  CANARY_EVERY_MS,
  CANARY_WITHIN_MS,
  DEFAULT_PER_RECIPIENT,
  DEFAULT_RATE,
  ESCAPE_AFTER_MS,
} from '../documents/account-defaults.ts';
import { hoursOf } from './hours.ts';
import { gatewaySpec } from './gateway-spec.ts';

const SECOND = 1_000;
/** In seconds, up to 12 hours. */
const RETRY = [5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200];

const NO_PATTERNS: readonly string[] = [];

export type AccountPolicy = Readonly<ReturnType<typeof accountPolicy>>;

export function accountPolicy(document: AccountDocument) {
  const { rate, per_recipient: perRecipient, circuit, new_contacts: contacts } = document;
  const { notify, canary, escape } = document;
  const gateway = gatewaySpec(document);
  const makers = gateway.maker === V2.maker ? undefined : findMaker(gateway.maker)?.rate;
  const ownRate = rate && { perMinute: rate.per_minute, burst: rate.burst ?? burstOf(rate.per_minute) };
  const ownPerRecipient = perRecipient && { perHour: perRecipient.per_hour };
  return {
    gateway,
    rate: ownRate === false ? null : (ownRate ?? makers ?? DEFAULT_RATE),
    perRecipient: ownPerRecipient === false ? null : (ownPerRecipient ?? DEFAULT_PER_RECIPIENT),
    timeoutMs: document.timeout ?? 15 * SECOND,
    /** The waits before the second attempt, the third, and so on: n entries allow n + 1 attempts. */
    retryMs: document.retry ?? RETRY.map((seconds) => seconds * SECOND),
    /** Regular expressions on the gateway's `message`. A refusal that matches one is never retried. */
    permanentErrors: document.permanent_errors ?? NO_PATTERNS,
    circuit: { failures: circuit?.failures ?? 5, probeMs: circuit?.probe ?? 30 * SECOND },
    retentionMs: document.retention ?? 30 * DAY,
    /** True if its document was removed. The account gets no new events, but its waiting messages are still sent. */
    isRemoved: false,
    newContacts: contacts === undefined ? null : { perDay: contacts.per_day },
    /** If more normal messages than this wait for one receiver, they become one digest. Null if they never do. */
    digestAbove: document.digest_above ?? null,
    notify: notify === undefined ? null : notifyPolicy(notify),
    canary: canary === undefined ? null : canaryPolicy(canary),
    escape: escape === undefined ? null : escapePolicy(escape),
  };
}

export const DEFAULT_ACCOUNT: AccountPolicy = accountPolicy({});

const notifyPolicy = ({ url, secret, format }: NonNullable<AccountDocument['notify']>): NotifyPolicy => ({
  url,
  secret: secret ?? null,
  format: format ?? FORMATS.get(new URL(url).hostname) ?? 'json',
});

/** Known services, by their hosts. Anything else gets plain JSON. */
const FORMATS: ReadonlyMap<string, NotifyFormat> = new Map([
  ['hooks.slack.com', 'slack'],
  ['discord.com', 'discord'],
  ['discordapp.com', 'discord'],
  ['ntfy.sh', 'ntfy'],
]);

export type EscapePolicy = ReturnType<typeof escapePolicy>;

function escapePolicy({ after = ESCAPE_AFTER_MS, via }: NonNullable<AccountDocument['escape']>) {
  const { kind = 'webhook', secret = '', account, to = null } = via;
  const format = kind === 'webhook' ? 'json' : kind;
  /** A POST to an address that is a secret as a whole, or another account (`to`: null for the message's own receiver). */
  const channel: NotifyPolicy | { readonly account: string; readonly to: string | null } =
    account === undefined ? { url: '{secret}', secret, format } : { account, to };
  return { afterMs: after, via: channel };
}

const LABELS: Readonly<Record<'en' | 'de', string>> = {
  en: 'Press to show that messages arrive',
  de: 'Bestätige, dass Nachrichten ankommen',
};

export type CanaryPolicy = ReturnType<typeof canaryPolicy>;

export function canaryPolicy(document: NonNullable<AccountDocument['canary']>) {
  const { to, every = CANARY_EVERY_MS, answer_within: within = CANARY_WITHIN_MS } = document;
  const { at = '10:00', timezone, language = 'en' } = document;
  const hours = hoursOf({ from: at, to: '24:00' }, timezone);
  // It is sent when they begin. Of one minute: hours that touch would count as one, and would begin only once.
  const minute = { ...hours, to: hours.from + 1 };
  return { to, everyMs: every, withinMs: within, hours: minute, label: LABELS[language], language };
}
