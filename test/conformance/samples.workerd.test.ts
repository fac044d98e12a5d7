import { exports } from 'cloudflare:workers';
import { beforeAll, expect, vi } from 'vitest';
import { withoutTokens } from '../../src/outbox/state/links.ts';
import { providers } from '../platform/providers.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { eventually } from '../eventually.ts';
import {
  event,
  isSent,
  listOf,
  publish,
  textsTo,
  type EventJson,
  type MessageJson,
} from '../integration/relay.ts';
import { answers, type ExpectedAnswer, hasName, typeless } from './provider-answers.ts';
import { rule } from './rule.ts';
import { asObject } from './senders/json.ts';
import type { Sender, Webhook } from './senders/sender.ts';
import { sendersOf } from './senders/generated.ts';
import { draftsOf, serveCertificates, sourceIdOf, sourceOf } from './stage.ts';
import { LISTS, starterOf } from './starters.ts';

/** The tenant's own people; customers have the numbers that the samples give them. */
const TEAM = '491713920099';

type Subject = readonly [name: string, provider: Provider, sender: Sender, sample: string, draft: Webhook];

/** The first sample that makes a message, and those that are answered in their own way, as their sender posts them. */
function subjectsOf(provider: Provider): readonly Subject[] {
  const silent = new Set(
    starterOf(provider).samples.flatMap(({ name, silent: why }) => (why === undefined ? [] : [name])),
  );
  const all = sendersOf(provider.id).flatMap((sender) =>
    draftsOf(provider, sender).map(([sample, draft]): Subject => [
      `${provider.id}: ${sample}`,
      provider,
      sender,
      sample,
      draft,
    ]),
  );
  const loud = all.filter(([, , , sample]) => !silent.has(sample));
  const own = loud.filter(([name]) => Object.hasOwn(answers, name));
  return [...new Map([...loud.slice(0, 1), ...own].map((one) => [one[0], one])).values()];
}

/** A sender with facts alone has no route before `init` writes one. */
const SUBJECTS = [...providers.values()]
  .filter((one) => starterOf(one).routes.length > 0)
  .flatMap(subjectsOf);

/** The starter as a tenant takes it over, its lists filled. */
function setOf(provider: Provider) {
  const { routes, templates = {} } = starterOf(provider);
  const sources = sendersOf(provider.id).map(
    (sender) => [sourceIdOf(sender), sourceOf(provider, sender, routes)] as const,
  );
  return {
    sources: Object.fromEntries(sources),
    templates,
    recipients: Object.fromEntries(LISTS.map((list) => [list, { numbers: [TEAM] }])),
  };
}

/** Posts a draft as its sender signs it, twice, at the time of signing: some senders' requests are fresh for seconds. */
async function sendTwice(sender: Sender, draft: Webhook): Promise<readonly [Response, Response]> {
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now);
  const { url, ...init } = await sender.send(draft, { keys: [sender.keys.signers[0]?.key ?? ''], now });
  const first = await exports.default.fetch(url, init);
  const again = await exports.default.fetch(url, init);
  clock.mockRestore();
  return [first, again];
}

/** Expects the answer which the provider waits for. */
async function expectAnswer(name: string, provider: Provider, response: Response): Promise<void> {
  const own = provider.answers?.find(({ when }) => when === undefined);
  const {
    status = 202,
    body,
    type,
  }: Partial<ExpectedAnswer> = answers[name] ?? answers[provider.id] ?? own ?? {};
  expect(response.status).toBe(status);
  if (type !== undefined) expect(response.headers.get('content-type')).toContain(type);
  if (body !== undefined) expect(await response.text()).toBe(body);
}

/** The ids of a source's events: an answer may be the provider's own and have no id. */
const eventsOf = async (sender: Sender): Promise<readonly string[]> => {
  const events = await listOf<{ readonly id: string }>(`/events?source=${sourceIdOf(sender)}&limit=20`);
  return events.map(({ id }) => id);
};

/** Expects that the phone got the message, as a person would want to read it. */
async function expectArrived({ phone, params }: MessageJson): Promise<void> {
  const arrived = (await textsTo(phone ?? '')).map(withoutTokens);
  // Some starters have no text kept once it is sent.
  const text: unknown = Reflect.get(asObject(params), 'message') ?? arrived.at(-1);
  expect(arrived).toContain(text);
  // The leftovers of a template that misses its mark.
  expect(text).not.toMatch(/\{\{|\{%|\[object|undefined|\bnull\b|NaN/);
}

/** Expects that nothing by which the sender proved itself is kept. */
function expectNothingSecret(kept: EventJson, { keys, proof }: Sender): void {
  const text = JSON.stringify([kept.headers, kept.query, kept.payload]);
  for (const secret of keys.isPublic ? [] : keys.secrets) expect(text).not.toContain(secret);
  // Some starters have nothing kept of a request.
  if (proof.in === 'header')
    expect(Object.keys(asObject(kept.headers))).not.toContain(proof.name.toLowerCase());
}

beforeAll(serveCertificates);

rule(
  'a sample becomes messages on a phone, its sender gets its answer, and a repeat is no further event',
  SUBJECTS,
  async (name, provider, sender, _sample, draft) => {
    await publish(setOf(provider));
    const before = await eventsOf(sender);
    for (const answer of await sendTwice(sender, draft)) await expectAnswer(name, provider, answer);
    const made = (await eventsOf(sender)).filter((id) => !before.includes(id));
    const isNamed = hasName(provider, name) || provider.signed_body !== undefined || provider.form === true;
    expect(made).toHaveLength(isNamed ? 1 : 2);
    const all = await eventually(async () => {
      const now = await Promise.all(made.map(event));
      expect(now.flatMap(({ messages }) => messages).filter((one) => !isSent(one))).toEqual([]);
      return now;
    });
    const hasType = provider.event_type.length > 0 && !typeless.includes(name);
    for (const kept of all) {
      expect([kept.state, kept.type !== null]).toEqual(['routed', hasType]);
      expectNothingSecret(kept, sender);
    }
    // Items wait, or end what nobody was notified of.
    const sent = all.flatMap(({ messages }) => messages);
    expect(sent.length + all.flatMap(({ items = [] }) => items).length).toBeGreaterThan(0);
    for (const one of sent) await expectArrived(one);
  },
);
