import { DurableObject } from 'cloudflare:workers';
import type { Totals } from '../counts/counts.ts';
import { placed } from '../lib/placed.ts';
import { openStore } from '../lib/store.ts';
import { createParts, type RegistryParts } from './parts.ts';
import type { LimitedEntry, NumberedRejection, RejectionFilter, RejectionSeries } from './rejections.ts';
import type { RejectionEntry } from './api-rejection.ts';
import type { Suppression } from './api-suppression.ts';
import type { Beside } from './in-force.ts';
import { REGISTRY_STORE } from './schema.ts';
import type { NewSpam } from './spam-entry.ts';
import type { SpamForm } from './spam.ts';
import type { SuppressionPage } from './suppressions.ts';

/** The part of the registry that is called about rejections, and about receivers who have opted out. */
export abstract class Recording extends DurableObject<Env> {
  protected readonly parts: RegistryParts;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, placed(env));
    openStore(ctx.storage, REGISTRY_STORE);
    this.parts = createParts(ctx, this.env);
  }

  recordRejection(entry: RejectionEntry): void {
    this.#show(this.parts.rejections.record(entry), entry);
  }

  /** Records webhooks that were over their sources' limits. */
  recordLimited(entries: readonly LimitedEntry[]): void {
    for (const entry of entries) this.#show(this.parts.rejections.recordLimited(entry), entry);
  }

  /** Records a form that was taken for spam, and returns the id that its visitor gets. */
  recordSpam(spam: NewSpam): string {
    const { n, event } = this.parts.rejections.recordSpam(spam);
    this.#show(n, spam.entry);
    return event;
  }

  /** Recent rejections, newest first. */
  rejections(limit: number, before: number | null, filter?: RejectionFilter): readonly NumberedRejection[] {
    return this.parts.rejections.list(limit, before, filter);
  }

  /** See {@link Rejections.find}. */
  findRejections(end: string, limit: number): readonly NumberedRejection[] {
    return this.parts.rejections.find(end, limit);
  }

  /** Returns the number of requests that were ever refused and recorded. */
  rejectionTotals(): Totals {
    return this.parts.rejections.totals;
  }

  /** See {@link Rejections.readSeries}. */
  rejectionSeries(source: string | undefined, from: number, to: number): RejectionSeries {
    return this.parts.rejections.readSeries(source, from, to);
  }

  /** See {@link SpamBox.read}. */
  spam(n: number): SpamForm | null {
    return this.parts.rejections.spam.read(n);
  }

  /** See {@link SpamBox.startRelease}. */
  startRelease(n: number, id: string): string | null {
    return this.parts.rejections.spam.startRelease(n, id);
  }

  /** See {@link SpamBox.endRelease}. */
  endRelease(n: number, now: number): boolean {
    return this.parts.rejections.spam.endRelease(n, now);
  }

  /** See {@link Publishing.suppress}. */
  suppress(suppression: Omit<Suppression, 'at'>, now: number): Promise<Beside<Suppression> | null> {
    return this.parts.publishing.suppress(suppression, now);
  }

  /** See {@link Publishing.unsuppress}. */
  unsuppress(phone: string): Promise<Beside<Suppression> | null> {
    return this.parts.publishing.unsuppress(phone);
  }

  /** See {@link Publishing.optIn}. */
  optIn(phone: string, now: number): Promise<Beside<Suppression> | number | null> {
    return this.parts.publishing.optIn(phone, now);
  }

  /** See {@link StoredSuppressions.find}. */
  findSuppression(phone: string): Suppression | null {
    return this.parts.suppressions.find(phone);
  }

  /** See {@link StoredSuppressions.list}. */
  suppressions(limit: number, before: number | null): SuppressionPage {
    return this.parts.suppressions.list(limit, before);
  }

  #show(n: number | null, { at, source, status, reason, detail }: RejectionEntry): void {
    if (n !== null) this.parts.tail.show([{ type: 'rejection', n, at, source, status, reason, detail }]);
  }
}
