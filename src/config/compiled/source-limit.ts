import type { VerifyScheme } from '../../signature/scheme.ts';
import type { Report } from '../documents/issues.ts';
import type { SourceDocument } from '../documents/schema.ts';

/** The limit of a source. Plain data, since it is part of an RPC for each webhook. */
export interface SourceLimit {
  readonly perMinute: number;
  readonly burst: number;
  readonly bytesPerHour: number | null;
  readonly messagesPerMinute: number | null;
}

export const MIB = 1_048_576;

/** Four times the default pace of an account. */
const MESSAGES_PER_MINUTE = 120;

/** The default if anybody may post. */
const OPEN: SourceLimit = {
  perMinute: 60,
  burst: 60,
  bytesPerHour: 64 * MIB,
  messagesPerMinute: MESSAGES_PER_MINUTE,
};

/** For a token in the address. It may be in a public page, but monitors that post a hundred alerts at once use one, too. */
const BY_ADDRESS: SourceLimit = { ...OPEN, perMinute: 600, burst: 600 };

/** Null for none. The defaults depend on the source's verification; that of `burst` is the number for a minute. */
export function sourceLimit(document: SourceDocument['limit'], verify: VerifyScheme, report: Report) {
  const standard = limitOfScheme(verify);
  if (document === undefined) return standard;
  if (document === false) return null;
  const { per_minute: perMinute = standard?.perMinute, burst = perMinute, mib_per_hour: mib } = document;
  if (perMinute === undefined || burst === undefined) {
    report('.limit.per_minute', 'required', 'is required: a source that verifies its senders has no default');
    return null;
  }
  return {
    perMinute,
    burst,
    bytesPerHour: mib === undefined ? (standard?.bytesPerHour ?? null) : mib * MIB,
    messagesPerMinute: document.messages_per_minute ?? standard?.messagesPerMinute ?? null,
  };
}

/** True if anybody may post who has seen a page with the address: with `none`, or with a token in the address. */
export const isOpen = (verify: VerifyScheme): boolean => limitOfScheme(verify) !== null;

/** The default limit. A flood would use the weakest of several schemes, so that one counts. */
export function limitOfScheme(verify: VerifyScheme): SourceLimit | null {
  if (verify.scheme === 'none') return OPEN;
  if (verify.scheme === 'any')
    return verify.of.map((one) => limitOfScheme(one)).find((limit) => limit !== null) ?? null;
  const isInAddress = verify.scheme === 'token' && (verify.in === 'path' || verify.in === 'query');
  return isInAddress ? BY_ADDRESS : null;
}
