import { ask, askTagged, post, type Tagged } from './client.ts';
import type { ChangeReceipt, DocumentSet, PreviewAnswer } from './types.ts';

/** A document as it is written: nothing has checked it. */
export type Written = Readonly<Record<string, unknown>>;

export const readSet = (signal?: AbortSignal): Promise<Tagged<DocumentSet>> =>
  askTagged<DocumentSet>('GET', '/config', { ...(signal && { signal }) });

export const checkSet = (set: DocumentSet): Promise<ChangeReceipt> =>
  ask<ChangeReceipt>('POST', '/config', { body: set, query: { dry_run: true } });

/** Publishes a set in one step, unless somebody published since `tag`. */
export const publishSet = (set: DocumentSet, tag: string | null, note: string): Promise<ChangeReceipt> =>
  ask<ChangeReceipt>('POST', '/config', { body: set, query: { note }, headers: ifMatch(tag) });

const sourcePath = (id: string): string => `/sources/${encodeURIComponent(id)}`;

export const readSource = (id: string, signal?: AbortSignal): Promise<Tagged<Written>> =>
  askTagged<Written>('GET', sourcePath(id), { ...(signal && { signal }) });

export const checkSource = (id: string, document: unknown): Promise<ChangeReceipt> =>
  ask<ChangeReceipt>('PUT', sourcePath(id), { body: document, query: { dry_run: true } });

export const putSource = (id: string, document: unknown, tag: string | null): Promise<ChangeReceipt> =>
  ask<ChangeReceipt>('PUT', sourcePath(id), { body: document, headers: ifMatch(tag) });

export const deleteSource = (id: string): Promise<ChangeReceipt> =>
  ask<ChangeReceipt>('DELETE', sourcePath(id));

/** What a source would make of a webhook, or of its samples. Nothing is sent. */
export const preview = <Answer = PreviewAnswer>(source: string, body: object): Promise<Answer> =>
  post<Answer>(`${sourcePath(source)}/preview`, body);

const ifMatch = (tag: string | null): Readonly<Record<string, string>> =>
  tag === null ? {} : { 'if-match': tag };
