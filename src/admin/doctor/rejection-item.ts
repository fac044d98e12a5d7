import type { NumberedRejection } from '../../registry/rejections.ts';
import type { Remedies } from './remedies.ts';

/** A rejection as the admin API shows it. */
export const asRejection =
  (remedies: Remedies) =>
  ({ n, entry }: NumberedRejection) => {
    const remedy = remedies[entry.code];
    return { n, ...entry, ...(remedy !== undefined && { remedy }) };
  };
