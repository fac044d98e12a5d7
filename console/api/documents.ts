import { ask, askTagged, type Tagged } from './client.ts';
import type { ConfigSet, Receipt } from './types.ts';

/** A document as it is written: nothing has checked it. */
export type Written = Readonly<Record<string, unknown>>;

export const readSet = (signal?: AbortSignal): Promise<Tagged<ConfigSet>> =>
  askTagged<ConfigSet>('GET', '/config', { ...(signal && { signal }) });

/** True if a set could be published. */
export const checkSet = (set: ConfigSet): Promise<Receipt> =>
  ask<Receipt>('POST', '/config', { body: set, query: { dry_run: true } });

/** Publishes a set in one step, unless somebody published since `tag`. */
export const publishSet = (set: ConfigSet, tag: string | null, note: string): Promise<Receipt> =>
  ask<Receipt>('POST', '/config', { body: set, query: { note }, headers: ifMatch(tag) });

const sourcePath = (id: string): string => `/sources/${encodeURIComponent(id)}`;

export const readSource = (id: string, signal?: AbortSignal): Promise<Tagged<Written>> =>
  askTagged<Written>('GET', sourcePath(id), { ...(signal && { signal }) });

export const checkSource = (id: string, document: unknown): Promise<Receipt> =>
  ask<Receipt>('PUT', sourcePath(id), { body: document, query: { dry_run: true } });

export const putSource = (id: string, document: unknown, tag: string | null): Promise<Receipt> =>
  ask<Receipt>('PUT', sourcePath(id), { body: document, headers: ifMatch(tag) });

export const deleteSource = (id: string): Promise<Receipt> => ask<Receipt>('DELETE', sourcePath(id));

const ifMatch = (tag: string | null): Readonly<Record<string, string>> =>
  tag === null ? {} : { 'if-match': tag };
