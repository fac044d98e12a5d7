import type { VerifyScheme } from '../signature/scheme.ts';
import type { Report } from './issues.ts';
import type { SourceDocument } from './schema.ts';

/** The limit of a source. Plain data, since it crosses an RPC with each webhook. */
export interface SourceLimit {
  readonly perMinute: number;
  /** The number of webhooks at once. */
  readonly burst: number;
  /** Bytes of accepted bodies in an hour; null: no limit. */
  readonly bytesPerHour: number | null;
  /** Messages that its webhooks may make in a minute; null: no limit. */
  readonly messagesPerMinute: number | null;
}

const MIB = 1_048_576;

/** Four times what an account sends in a minute unless it says otherwise. */
const MESSAGES_PER_MINUTE = 120;

/** Anybody may send. */
const OPEN: SourceLimit = {
  perMinute: 60,
  burst: 60,
  bytesPerHour: 64 * MIB,
  messagesPerMinute: MESSAGES_PER_MINUTE,
};

/** The token may be in a public page; but monitors that post a hundred alerts at once and never retry use one, too. */
const BY_ADDRESS: SourceLimit = { ...OPEN, perMinute: 600, burst: 600 };

/**
 * Returns the limit in a source's document; null for none. Defaults depend on its verification, except for the burst,
 * which is a minute's.
 */
export function sourceLimit(
  document: SourceDocument['limit'],
  verify: VerifyScheme,
  report: Report,
): SourceLimit | null {
  const standard = limitOfScheme(verify);
  if (document === undefined) return standard;
  if (document === false) return null;
  const { per_minute: perMinute = standard?.perMinute, burst = perMinute, mib_per_hour: mib } = document;
  if (perMinute === undefined || burst === undefined) {
    report('.limit.per_minute', 'is required: a source that verifies its senders has no default');
    return null;
  }
  return {
    perMinute,
    burst,
    bytesPerHour: mib === undefined ? (standard?.bytesPerHour ?? null) : mib * MIB,
    messagesPerMinute: document.messages_per_minute ?? standard?.messagesPerMinute ?? null,
  };
}

/** True if anybody may post who has seen a page with the address: `none`, or a token in the address. */
export const isOpen = (verify: VerifyScheme): boolean => limitOfScheme(verify) !== null;

/** A flood uses the weakest of several schemes, so that one counts. */
function limitOfScheme(verify: VerifyScheme): SourceLimit | null {
  if (verify.scheme === 'none') return OPEN;
  if (verify.scheme === 'any')
    return verify.of.map((one) => limitOfScheme(one)).find((limit) => limit !== null) ?? null;
  const isInAddress = verify.scheme === 'token' && (verify.in === 'path' || verify.in === 'query');
  return isInAddress ? BY_ADDRESS : null;
}
