import {
  burstOf,
  CANARY_EVERY_MS,
  CANARY_WITHIN_MS,
  DEFAULT_PER_RECIPIENT,
  ESCAPE_AFTER_MS,
  ESCAPE_KINDS,
} from '../../../src/config/documents/account-defaults.ts';
import { isObject, ownValue, scalarText } from '../../../src/lib/json.ts';
import { formatDuration } from '../../../src/lib/time.ts';
import { digitsOf } from '../../lib/format.ts';
import type { Written } from '../../api/types.ts';
import { gatewayOf, rateOf } from '../../../shared/new-source/gateways.ts';

const textAt = (document: Written, path: string): string => scalarText(ownValue(document, path)) ?? '';

/** A form's fields as they are typed; an empty one leaves the standard. */
export const typedOf = (document: Written) => ({
  isPaced: document['rate'] !== false,
  perMinute: textAt(document, 'rate.per_minute'),
  burst: textAt(document, 'rate.burst'),
  isCapped: document['per_recipient'] !== false,
  perHour: textAt(document, 'per_recipient.per_hour'),
  notifyUrl: textAt(document, 'notify.url'),
  notifySecret: textAt(document, 'notify.secret'),
  /** '': none. `account`: a setting that the form does not change. */
  escapeKind:
    ownValue(document, 'escape.via.account') === undefined ? textAt(document, 'escape.via.kind') : 'account',
  escapeSecret: textAt(document, 'escape.via.secret'),
  canaryTo: textAt(document, 'canary.to'),
  canaryEvery: textAt(document, 'canary.every'),
  canaryWithin: textAt(document, 'canary.answer_within'),
});

export type TypedPolicy = Readonly<ReturnType<typeof typedOf>>;

const NAMES: Readonly<Partial<Record<(typeof ESCAPE_KINDS)[number], string>>> = {
  slack: 'Slack',
  telegram: 'Telegram',
  webhook: 'Webhook',
};

export const ESCAPE_CHANNELS = ESCAPE_KINDS.map((kind) => [kind, NAMES[kind] ?? kind] as const);

export function standardOf(document: Written, { perMinute }: TypedPolicy) {
  const rate = rateOf(gatewayOf(document));
  return {
    perMinute: String(rate.perMinute),
    burst: String(perMinute.trim() === '' ? rate.burst : burstOf(numberOf(perMinute))),
    perHour: String(DEFAULT_PER_RECIPIENT.perHour),
    escapeAfter: textAt(document, 'escape.after') || formatDuration(ESCAPE_AFTER_MS),
    canaryEvery: formatDuration(CANARY_EVERY_MS),
    canaryWithin: formatDuration(CANARY_WITHIN_MS),
  };
}

/** The number in a field. Any other text is sent as it is typed, so that the relay explains the mistake. */
const numberOf = (typed: string): number => {
  const value = Number(typed.trim());
  return Number.isFinite(value) ? value : 0;
};

const partOf = (document: Written, key: string): Written => {
  const part = document[key];
  return isObject(part) ? part : {};
};

/** The texts that are not empty. */
const filled = (texts: Readonly<Record<string, string>>): Written =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));

/** The document with these fields; keys that the form does not show stay. `usual`: the other keys of a new canary. */
export function documentOf(before: Written, typed: TypedPolicy, usual: Written = {}): Written {
  const { rate: _, per_recipient: __, notify: ___, escape: ____, canary, ...rest } = before;
  const { isPaced, isCapped, escapeKind: kind } = typed;
  const [perMinute, burst, perHour] = [typed.perMinute.trim(), typed.burst.trim(), typed.perHour.trim()];
  const [url, secret, to] = [typed.notifyUrl.trim(), typed.notifySecret.trim(), typed.canaryTo.trim()];
  const { secret: _s, ...channel } = partOf(before, 'notify');
  const { every: _e, answer_within: _w, ...sent } = canary === undefined ? usual : partOf(before, 'canary');
  const times = filled({ every: typed.canaryEvery.trim(), answer_within: typed.canaryWithin.trim() });
  const escape = partOf(before, 'escape');
  const via = kind === 'account' ? escape['via'] : { kind, secret: typed.escapeSecret.trim() };
  const pace = { per_minute: numberOf(perMinute), ...(burst !== '' && { burst: numberOf(burst) }) };
  return {
    ...rest,
    ...(isPaced ? perMinute !== '' && { rate: pace } : { rate: false }),
    ...(isCapped
      ? perHour !== '' && { per_recipient: { per_hour: numberOf(perHour) } }
      : { per_recipient: false }),
    ...(kind !== '' && via !== undefined && { escape: { ...escape, via } }),
    // An address may be digits, too.
    ...(to !== '' && { canary: { ...sent, to: /^(\+|00)/.test(to) ? digitsOf(to) : to, ...times } }),
    ...(url !== '' && { notify: { ...channel, ...filled({ url, secret }) } }),
  };
}
