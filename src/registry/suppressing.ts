import type { Beside } from './in-force.ts';
import { Recording } from './recording.ts';
import type { SuppressionPage } from './suppressions.ts';
import type { Suppression } from './api-suppression.ts';

/** The part of the registry that is called about receivers who have opted out. */
export abstract class Suppressing extends Recording {
  /** See {@link Publishing.suppress}. */
  suppress(suppression: Omit<Suppression, 'at'>, now: number): Promise<Beside<Suppression> | null> {
    return this.parts.publishing.suppress(suppression, now);
  }

  /** See {@link Publishing.unsuppress}. */
  unsuppress(phone: string): Promise<Beside<Suppression> | null> {
    return this.parts.publishing.unsuppress(phone);
  }

  /** See {@link StoredSuppressions.find}. */
  findSuppression(phone: string): Suppression | null {
    return this.parts.suppressions.find(phone);
  }

  /** See {@link StoredSuppressions.list}. */
  suppressions(limit: number, before: number | null): SuppressionPage {
    return this.parts.suppressions.list(limit, before);
  }
}
