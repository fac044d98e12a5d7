import { asObject } from './senders/json.ts';
import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Sender, type Webhook } from './senders/sender.ts';
import { sendersOf, signedHeaders } from './senders/senders.ts';
import { rule } from './rule.ts';
import { eventually } from '../eventually.ts';
import { draftsOf, serveCertificates, sourceOf } from './stage.ts';
import { LISTS, starterOf } from './starters.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import { withoutTokens } from '../../src/outbox/state/links.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { answers, nameless, typeless } from './provider-answers.ts';
import {
  admin,
  callsTo,
  event,
  type EventJson,
  type MessageJson,
  forgetCalls,
  isSent,
  message,
  post,
  publish,
} from '../integration/relay.ts';

/** The tenant's own people; customers have the numbers that the samples give them. */
const TEAM = '491713920099';

const ALL = [...providers.values()].map((provider) => [provider.id, provider] as const);

/** Each sample, with the first of its provider's ways that posts it. */
function samplesOf(provider: Provider): readonly (readonly [string, Sender, Webhook])[] {
  const posted = new Map<string, readonly [string, Sender, Webhook]>();
  for (const sender of sendersOf(provider.id)) {
    for (const [name, draft] of draftsOf(provider, sender))
      if (!posted.has(name)) posted.set(name, [name, sender, draft]);
  }
  return [...posted.values()];
}

/** The starter as a tenant takes it over, its lists filled. */
const setOf = (provider: Provider) => {
  const { routes, templates = {} } = starterOf(provider);
  const ids = new Map(samplesOf(provider).map(([, sender, { url }]) => [sourceIn(url), sender]));
  return {
    sources: Object.fromEntries([...ids].map(([id, sender]) => [id, sourceOf(provider, sender, routes)])),
    templates,
    recipients: Object.fromEntries(LISTS.map((list) => [list, { numbers: [TEAM] }])),
  };
};

const sourceIn = (url: string): string => new URL(url).pathname.split('/')[2] ?? '';

/**
 * The request that was posted for a draft: some providers' ids hold the time of signing, so a repeat is the very same
 * request.
 */
const posted = new Map<Webhook, Webhook>();

/** Posts a draft as its sender signs it now, or as it was posted before. */
async function send(sender: Sender, draft: Webhook): Promise<Response> {
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  const keys = [sender.keys.signers[0]?.key ?? ''];
  const webhook = posted.get(draft) ?? (await sender.send(draft, { keys, now }));
  posted.set(draft, webhook);
  const { url, ...init } = webhook;
  return exports.default.fetch(url, init);
}

/** The newest event of each source that a test has seen. */
const seen = new Map<string, string>();

/** The events of a source since the last look. An answer may be the provider's own and report no id. */
async function newEvents(source: string): Promise<readonly string[]> {
  const { body } = await admin<{ items: { id: string }[] }>('GET', `/events?source=${source}&limit=3`);
  const ids = body.items.map(({ id }) => id);
  const last = ids.indexOf(seen.get(source) ?? '');
  seen.set(source, ids[0] ?? '');
  return last < 0 ? ids : ids.slice(0, last);
}

/** That the answer is the one which its provider waits for. */
async function expectAnswer(provider: Provider, name: string, response: Response): Promise<void> {
  const { status = 202, body, type } = answers[`${provider.id}: ${name}`] ?? answers[provider.id] ?? {};
  expect(response.status).toBe(status);
  if (type !== undefined) expect(response.headers.get('content-type')).toContain(type);
  if (body !== undefined) expect(await response.text()).toBe(body);
}

/** The event, once each of its messages is sent. Its items wait, or ended what nobody was notified of. */
const sentEvent = (id: string): Promise<EventJson> =>
  eventually(async () => {
    const now = await event(id);
    expect(now.messages.filter((one) => !isSent(one))).toEqual([]);
    return now;
  });

/** That the phone got the message, as a person would want to read it. */
async function expectArrived({ phone, params }: MessageJson, arrivals: Arrivals): Promise<void> {
  const arrived = await arrivals(phone ?? '');
  expect(arrived).not.toEqual([]);
  // Some starters have no text kept once it is sent.
  const text: unknown = Reflect.get(asObject(params), 'message') ?? arrived.at(-1);
  expect(arrived).toContain(text);
  // The leftovers of a template that misses its mark.
  expect(text).not.toMatch(/\{\{|\{%|\[object|undefined|\bnull\b|NaN/);
}

/** The texts that a phone got. */
type Arrivals = (phone: string) => Promise<readonly string[]>;

/** Without what is secret in links: only the phone has it. */
const textsOn: Arrivals = async (phone) =>
  (await callsTo(phone)).map((call) => withoutTokens(call.params['message'] ?? ''));

/** Those of now: each phone is asked once. */
function arrivalsNow(): Arrivals {
  const asked = new Map<string, Promise<readonly string[]>>();
  return (phone) => {
    const texts = asked.get(phone) ?? textsOn(phone);
    asked.set(phone, texts);
    return texts;
  };
}

/** That nothing by which the sender proved itself is kept. */
function expectNothingSecret(kept: EventJson, { keys, proof }: Sender): void {
  const text = JSON.stringify([kept.headers, kept.query, kept.payload]);
  for (const secret of keys.isPublic ? [] : keys.secrets) expect(text).not.toContain(secret);
  // Some starters have nothing kept of a request.
  if (proof.in === 'header')
    expect(Object.keys(asObject(kept.headers))).not.toContain(proof.name.toLowerCase());
}

beforeAll(serveCertificates);

/** The samples of a provider that make no message after the ones before them. */
const silentOf = (provider: Provider): ReadonlySet<string> =>
  new Set(starterOf(provider).samples.flatMap((one) => (one.silent === undefined ? [] : one.name)));

/** That nobody is notified of the events. */
async function expectSilent(ids: readonly string[]): Promise<void> {
  for (const { messages, items = [] } of await Promise.all(ids.map(event)))
    expect([...messages, ...items]).toEqual([]);
}

describe.each(ALL)('%s: what its starter makes of its samples', (_, provider) => {
  const samples = samplesOf(provider);
  const silent = silentOf(provider);
  const sent: (readonly [string, MessageJson])[] = [];

  beforeAll(async () => {
    await publish(setOf(provider));
    await forgetCalls();
  });

  rule('round trip', samples, async (name, sender, draft) => {
    await expectAnswer(provider, name, await send(sender, draft));
    const ids = await newEvents(sourceIn(draft.url));
    if (silent.has(name)) return expectSilent(ids);
    expect(ids).toHaveLength(1);

    const kept = await sentEvent(ids[0] ?? '');
    const hasType = provider.event_type.length > 0 && !typeless.includes(`${provider.id}: ${name}`);
    expect([kept.state, kept.type !== null]).toEqual(['routed', hasType]);
    expectNothingSecret(kept, sender);
    expect(kept.messages.length + (kept.items ?? []).length).toBeGreaterThan(0);
    sent.push(...kept.messages.map((one) => [name, one] as const));
  });

  it('on the phone', async () => {
    const arrivals = arrivalsNow();
    for (const [name, one] of sent) {
      await expectArrived(one, arrivals).catch((cause: unknown) => {
        throw new Error(`${name}: ${String(cause)}`);
      });
    }
  });

  rule('repeated', samples, async (name, sender, draft) => {
    await expectAnswer(provider, name, await send(sender, draft));
    const hasIds = provider.dedupe.length > 0 || (provider.items?.id.length ?? 0) > 0;
    const hasName =
      (hasIds || provider.signed_body !== undefined || provider.form === true) &&
      !nameless.includes(`${provider.id}: ${name}`);
    expect(await newEvents(sourceIn(draft.url))).toHaveLength(hasName ? 0 : 1);
  });
});

describe('GitHub’s other content type, a form with its JSON in `payload`', () => {
  beforeAll(() => publish(setOf(providerOf('github'))));

  it('is signed as the form that it is, and read as the JSON in it', async () => {
    const payload = {
      action: 'opened',
      issue: { title: '50 % off & more', html_url: 'https://github.com/a/b/issues/1' },
      repository: { full_name: 'a/b' },
      sender: { login: 'ada' },
    };
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    const [sender] = sendersOf('github');
    const response = await post('github', body, {
      'content-type': 'application/x-www-form-urlencoded',
      'x-github-event': 'issues',
      'x-github-delivery': 'form-1',
      ...(await signedHeaders('github', body, sender?.keys.secrets[0] ?? '', 0)),
    });
    const { event: id, messages } = await response.json<{ event: string; messages: string[] }>();
    expect((await event(id)).payload).toEqual(payload);
    const sent = await message(messages[0] ?? '', isSent);
    expect(sent.params['message']).toContain('50 % off & more');
  });
});

function providerOf(id: string): Provider {
  const provider = providers.get(id);
  if (provider === undefined) throw new Error(id);
  return provider;
}
