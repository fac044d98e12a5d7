import type { VerifyScheme } from '../signature/scheme.ts';
import type { SourceLimit } from './config.ts';
import type { SourceDocument } from './schema.ts';

const MIB = 1_048_576;

/** Anybody may send. */
const OPEN: SourceLimit = { perMinute: 60, burst: 60, bytesPerHour: 64 * MIB };

/** The token may be in a public page; but monitors that post a hundred alerts at once and never retry use one, too. */
const BY_ADDRESS: SourceLimit = { perMinute: 600, burst: 600, bytesPerHour: 64 * MIB };

/**
 * What a source may send by its document; null: no limit. Defaults depend on its verification, except for the burst,
 * which is a minute's.
 */
export function sourceLimit(document: SourceDocument['limit'], verify: VerifyScheme): SourceLimit | null {
  const standard = limitOfScheme(verify);
  if (document === undefined) return standard;
  if (document === false) return null;
  const { per_minute: perMinute, burst = perMinute, mib_per_hour: mib } = document;
  return { perMinute, burst, bytesPerHour: mib === undefined ? (standard?.bytesPerHour ?? null) : mib * MIB };
}

/** Whether anybody may post who has seen a page with the address: `none`, or a token in the address. */
export const isOpen = (verify: VerifyScheme): boolean => limitOfScheme(verify) !== null;

/** A flood uses the weakest of several schemes, so that one counts. */
function limitOfScheme(verify: VerifyScheme): SourceLimit | null {
  if (verify.scheme === 'none') return OPEN;
  if (verify.scheme === 'any')
    return verify.of.map((one) => limitOfScheme(one)).find((limit) => limit !== null) ?? null;
  const isInAddress = verify.scheme === 'token' && (verify.in === 'path' || verify.in === 'query');
  return isInAddress ? BY_ADDRESS : null;
}
