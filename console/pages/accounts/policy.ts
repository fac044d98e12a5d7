/** An account's document, as far as a form has it. What is not shown stays as it is. */
export interface AccountDocument {
  readonly rate?: false | { readonly per_minute: number; readonly burst?: number };
  readonly per_recipient?: false | { readonly per_hour: number };
  readonly escape?: {
    readonly via: {
      readonly kind?: string;
      readonly secret?: string;
      readonly account?: string;
      readonly [key: string]: unknown;
    };
    readonly [key: string]: unknown;
  };
  readonly notify?: { readonly url: string; readonly secret?: string; readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

/** A form's fields as they are typed; an empty one leaves the standard. */
export interface TypedPolicy {
  readonly isPaced: boolean;
  readonly perMinute: string;
  readonly burst: string;
  readonly isCapped: boolean;
  readonly perHour: string;
  readonly notifyUrl: string;
  readonly notifySecret: string;
  /** '': none. `account`: what the form leaves as it is. */
  readonly escapeKind: string;
  readonly escapeSecret: string;
}

const text = (value: number | string | undefined): string => (value === undefined ? '' : String(value));

/** The fields of a document. */
export const typedOf = ({ rate, per_recipient: cap, notify, escape }: AccountDocument): TypedPolicy => ({
  isPaced: rate !== false,
  perMinute: text(rate === false ? undefined : rate?.per_minute),
  burst: text(rate === false ? undefined : rate?.burst),
  isCapped: cap !== false,
  perHour: text(cap === false ? undefined : cap?.per_hour),
  notifyUrl: text(notify?.url),
  notifySecret: text(notify?.secret),
  escapeKind: escape?.via.account === undefined ? text(escape?.via.kind) : 'account',
  escapeSecret: text(escape?.via.secret),
});

/** A field's number; what is none is sent as it is typed, so that the relay says what is wrong with it. */
const numberOf = (typed: string): number => {
  const value = Number(typed.trim());
  return Number.isFinite(value) ? value : 0;
};

/** The document with these fields. */
export function documentOf(before: AccountDocument, typed: TypedPolicy): AccountDocument {
  const { rate: _, per_recipient: __, notify, escape, ...rest } = before;
  const { isPaced, perMinute, burst, isCapped, perHour } = typed;
  const [url, secret] = [typed.notifyUrl.trim(), typed.notifySecret.trim()];
  const { secret: ___, ...channel } = notify ?? {};
  const { escapeKind: kind } = typed;
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
    ...(url !== '' && { notify: { ...channel, url, ...(secret !== '' && { secret }) } }),
  };
}
