import { env } from 'cloudflare:workers';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, vi } from 'vitest';
import { sampleOf, type SampleDocument } from '../../src/config/documents/provider-file.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { starterOf, starterSet } from '../conformance/starters.ts';
import { callsTo, post } from './relay.ts';

/** A number of its own for each route of a table. */
export const phoneOf = (at: number): string => `4917139200${String(at + 10)}`;

/** The source that reports only this number. */
const sourceOf = (phone: string): string => `reported-${phone}`;

/** The starter as it is, but that anybody may post, with one route alone, and one receiver. */
export const oneRoute = (provider: Provider, route: string, phone: string): object =>
  open(provider, phone, routesOf(provider, route));

/** The same with all its routes. */
export const allRoutes = (provider: Provider, phone: string): object =>
  open(provider, phone, starterOf(provider).routes);

const routesOf = (provider: Provider, route: string) =>
  starterOf(provider).routes.filter(({ name }) => name === route);

function open(provider: Provider, phone: string, routes: readonly object[]) {
  const { sources, ...set } = starterSet(provider);
  const { secrets: _, ...source } = { secrets: [], ...sources.shop };
  const recipients = Object.fromEntries(
    Object.keys(set.recipients).map((list): [string, object] => [list, { numbers: [phone] }]),
  );
  const opened = { ...source, verify: { scheme: 'none' }, limit: false, routes };
  return { ...set, recipients, sources: { [sourceOf(phone)]: opened } };
}

/** Posts a sample to that source. */
export async function postSample(document: SampleDocument, phone: string): Promise<void> {
  const { content_type, headers, body } = sampleOf(document);
  const response = await post(sourceOf(phone), body, { 'content-type': content_type, ...headers });
  expect(response.ok, await response.text()).toBe(true);
}

/** The texts that the phone got. */
export const textsAt = async (phone: string): Promise<readonly string[]> =>
  (await callsTo(phone)).map(({ params }) => params['message'] ?? '');

/** Moves the clock on by `ms`. The object's own alarm rings if it is due by then. */
export async function after(ms: number): Promise<void> {
  const now = Date.now() + ms;
  vi.spyOn(Date, 'now').mockReturnValue(now);
  const outbox = env.OUTBOX.getByName('default');
  const at = await runInDurableObject(outbox, (_, { storage }) => storage.getAlarm());
  if (at !== null && at <= now) await runDurableObjectAlarm(outbox);
}

export const MINUTE = 60_000;
