import {
  burstOf,
  CANARY_EVERY_MS,
  CANARY_WITHIN_MS,
  DEFAULT_PER_RECIPIENT,
  ESCAPE_AFTER_MS,
  ESCAPE_KINDS,
} from '../../../src/config/documents/account-defaults.ts';
import { formatDuration } from '../../../src/lib/time.ts';
import { readDocumentNumber } from '../../../src/template/filters/document-number.ts';
import { gatewayOf, rateOf } from '../../../shared/new-source/gateways.ts';

/** An account's document, as far as a form has it. Keys that it does not show stay as they are. */
export interface EditedAccount {
  readonly rate?: false | { readonly per_minute: number; readonly burst?: number };
  readonly per_recipient?: false | { readonly per_hour: number };
  readonly escape?: {
    readonly after?: string;
    readonly via: {
      readonly kind?: string;
      readonly secret?: string;
      readonly account?: string;
      readonly [key: string]: unknown;
    };
    readonly [key: string]: unknown;
  };
  readonly canary?: {
    readonly to: string;
    readonly every?: string;
    readonly answer_within?: string;
    readonly [key: string]: unknown;
  };
  readonly notify?: { readonly url: string; readonly secret?: string; readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

const text = (value: number | string | undefined): string => (value === undefined ? '' : String(value));

/** A form's fields as they are typed; an empty one leaves the standard. */
export const typedOf = ({ rate, per_recipient: cap, notify, escape, canary }: EditedAccount) => ({
  isPaced: rate !== false,
  perMinute: text(rate === false ? undefined : rate?.per_minute),
  burst: text(rate === false ? undefined : rate?.burst),
  isCapped: cap !== false,
  perHour: text(cap === false ? undefined : cap?.per_hour),
  notifyUrl: text(notify?.url),
  notifySecret: text(notify?.secret),
  /** '': none. `account`: a setting that the form does not change. */
  escapeKind: escape?.via.account === undefined ? text(escape?.via.kind) : 'account',
  escapeSecret: text(escape?.via.secret),
  canaryTo: text(canary?.to),
  canaryEvery: text(canary?.every),
  canaryWithin: text(canary?.answer_within),
});

export type TypedPolicy = Readonly<ReturnType<typeof typedOf>>;

const NAMES: Readonly<Partial<Record<(typeof ESCAPE_KINDS)[number], string>>> = {
  slack: 'Slack',
  telegram: 'Telegram',
  webhook: 'Webhook',
};

export const ESCAPE_CHANNELS = ESCAPE_KINDS.map((kind) => [kind, NAMES[kind] ?? kind] as const);

/** The relay's values for what is left empty. */
export function standardOf(document: EditedAccount, { perMinute }: TypedPolicy) {
  const rate = rateOf(gatewayOf(document));
  return {
    perMinute: String(rate.perMinute),
    burst: String(perMinute.trim() === '' ? rate.burst : burstOf(numberOf(perMinute))),
    perHour: String(DEFAULT_PER_RECIPIENT.perHour),
    escapeAfter: document.escape?.after ?? formatDuration(ESCAPE_AFTER_MS),
    canaryEvery: formatDuration(CANARY_EVERY_MS),
    canaryWithin: formatDuration(CANARY_WITHIN_MS),
  };
}

/** The number in a field. Any other text is sent as it is typed, so that the relay explains the mistake. */
const numberOf = (typed: string): number => {
  const value = Number(typed.trim());
  return Number.isFinite(value) ? value : 0;
};

/** The gateway's digits of a number that begins as an international one; an address stays as it is. */
function receiverOf(typed: string): string {
  const read = /^(\+|00)/.test(typed) ? readDocumentNumber(typed) : null;
  return read?.ok === true ? read.value : typed;
}

/** The document with these fields. `usual`: the other keys of a new canary. */
export function documentOf(
  before: EditedAccount,
  typed: TypedPolicy,
  usual: Readonly<Record<string, unknown>> = {},
): EditedAccount {
  const { rate: _, per_recipient: __, notify, escape, canary, ...rest } = before;
  const { isPaced, perMinute, burst, isCapped, perHour, escapeKind: kind } = typed;
  const [url, secret] = [typed.notifyUrl.trim(), typed.notifySecret.trim()];
  const { secret: ___, ...channel } = notify ?? {};
  const { every: ____, answer_within: _____, ...sent }: Readonly<Record<string, unknown>> = canary ?? usual;
  const [to, every, within] = [typed.canaryTo.trim(), typed.canaryEvery.trim(), typed.canaryWithin.trim()];
  const via = kind === 'account' ? escape?.via : { kind, secret: typed.escapeSecret.trim() };
  return {
    ...rest,
    ...(!isPaced && { rate: false as const }),
    ...(isPaced &&
      perMinute.trim() !== '' && {
        rate: { per_minute: numberOf(perMinute), ...(burst.trim() !== '' && { burst: numberOf(burst) }) },
      }),
    ...(!isCapped && { per_recipient: false as const }),
    ...(isCapped && perHour.trim() !== '' && { per_recipient: { per_hour: numberOf(perHour) } }),
    ...(kind !== '' && via !== undefined && { escape: { ...escape, via } }),
    ...(to !== '' && {
      canary: {
        ...sent,
        to: receiverOf(to),
        ...(every !== '' && { every }),
        ...(within !== '' && { answer_within: within }),
      },
    }),
    ...(url !== '' && { notify: { ...channel, url, ...(secret !== '' && { secret }) } }),
  };
}
