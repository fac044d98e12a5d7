import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { withoutTokens } from '../../src/outbox/state/links.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { eventually } from '../eventually.ts';
import {
  event,
  isSent,
  listOf,
  message,
  post,
  publish,
  receiptOf,
  textsTo,
  type EventJson,
  type MessageJson,
} from '../integration/relay.ts';
import { answers, hasName, typeless } from './provider-answers.ts';
import { rule } from './rule.ts';
import { asObject } from './senders/json.ts';
import type { Sender, Webhook } from './senders/sender.ts';
import { sendersOf, signedHeaders } from './senders/senders.ts';
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

const SUBJECTS = [...providers.values()].flatMap(subjectsOf);

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

/** The requests as they were posted: some ids hold the time of signing, so a repeat is the very same request. */
const posted = new Map<string, Webhook>();

async function send(name: string, sender: Sender, draft: Webhook): Promise<Response> {
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  const keys = [sender.keys.signers[0]?.key ?? ''];
  const webhook = posted.get(name) ?? (await sender.send(draft, { keys, now }));
  posted.set(name, webhook);
  const { url, ...init } = webhook;
  return exports.default.fetch(url, init);
}

/** Expects the answer which the provider waits for. */
async function expectAnswer(name: string, { id }: Provider, response: Response): Promise<void> {
  const { status = 202, body, type } = answers[name] ?? answers[id] ?? {};
  expect(response.status).toBe(status);
  if (type !== undefined) expect(response.headers.get('content-type')).toContain(type);
  if (body !== undefined) expect(await response.text()).toBe(body);
}

/** The events of a source, newest first: an answer may be the provider's own and have no id. */
const eventsOf = (sender: Sender) =>
  listOf<{ readonly id: string }>(`/events?source=${sourceIdOf(sender)}&limit=20`);

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
  'a sample becomes messages on a phone, the sender gets its answer, and nothing secret is kept',
  SUBJECTS,
  async (name, provider, sender, _sample, draft) => {
    await publish(setOf(provider));
    const before = (await eventsOf(sender)).length;
    await expectAnswer(name, provider, await send(name, sender, draft));
    const [newest, ...others] = await eventsOf(sender);
    expect(others).toHaveLength(before);
    const kept = await eventually(async () => {
      const now = await event(newest?.id ?? '');
      expect(now.messages.filter((one) => !isSent(one))).toEqual([]);
      return now;
    });
    const hasType = provider.event_type.length > 0 && !typeless.includes(name);
    expect([kept.state, kept.type !== null]).toEqual(['routed', hasType]);
    expectNothingSecret(kept, sender);
    // Items wait, or end what nobody was notified of.
    expect(kept.messages.length + (kept.items ?? []).length).toBeGreaterThan(0);
    for (const one of kept.messages) await expectArrived(one);
  },
);

rule(
  'a sample posted again is answered as before and makes no further event, where events have names',
  SUBJECTS,
  async (name, provider, sender, _sample, draft) => {
    await publish(setOf(provider));
    const before = (await eventsOf(sender)).length;
    await expectAnswer(name, provider, await send(name, sender, draft));
    const isNamed = hasName(provider, name) || provider.signed_body !== undefined || provider.form === true;
    expect(await eventsOf(sender)).toHaveLength(isNamed ? before : before + 1);
  },
);

describe('GitHub’s other content type, a form with its JSON in `payload`', () => {
  it('is signed as the form that it is, and read as the JSON in it', async () => {
    const github = providers.get('github');
    const [sender] = sendersOf('github');
    if (github === undefined || sender === undefined) throw new Error('github');
    await publish(setOf(github));
    const payload = {
      action: 'opened',
      issue: { title: '50 % off & more', html_url: 'https://github.com/a/b/issues/1' },
      repository: { full_name: 'a/b' },
      sender: { login: 'ada' },
    };
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    const signed = await signedHeaders('github', body, sender.keys.secrets[0] ?? '', 0);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const headers = { ...form, 'x-github-event': 'issues', 'x-github-delivery': 'form-1', ...signed };
    const { event: id, messages } = await receiptOf(post('github', body, headers));
    expect((await event(id)).payload).toEqual(payload);
    const sent = await message(messages[0] ?? '', isSent);
    expect(sent.params['message']).toContain('50 % off & more');
  });
});
