import type { NumberedRejection } from '../../registry/rejections.ts';
import { remedyFor } from './remedies.ts';

/** A rejection as the admin API shows it. */
export function asRejection({ n, entry }: NumberedRejection) {
  const remedy = remedyFor(entry.reason);
  return { n, ...entry, ...(remedy !== undefined && { remedy }) };
}
