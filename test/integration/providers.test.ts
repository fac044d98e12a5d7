import { beforeAll, describe, expect, it } from 'vitest';
import { providers } from '../../src/provider/catalog.ts';
import type { Provider, Sample } from '../../src/provider/provider.ts';
import { senders } from '../conformance/senders.ts';
import { problemIn } from './problems.ts';
import { callsTo, event, isSent, message, post, publish } from './relay.ts';

/** As vitest.config.ts binds it. It is base64, too, which is how Standard Webhooks' secrets are read. */
const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
const SECRET_NAME = 'SLACK_SECRET';

const ALL = [...providers.values()];
const CASES = ALL.flatMap((provider) =>
  provider.samples.map((sample) => [`${provider.id}: ${sample.name}`, provider, sample] as const),
);

/** Numbers that no other test uses: one for what a sample's customer gets, one for the tenant's own people. */
const customerOf = ({ id }: Provider) => `4917139200${31 + ALL.findIndex((one) => one.id === id)}`;
const teamOf = ({ id }: Provider) => `4917139200${61 + ALL.findIndex((one) => one.id === id)}`;

/** The starter routes as they are; the lists that they name are the tenant's to fill. */
const routesOf = (provider: Provider) =>
  provider.routes.map((route) =>
    route.to === 'team' || route.to === 'on-call' ? { ...route, to: `team-${provider.id}` } : route,
  );

const sourceOf = (provider: Provider) => ({
  provider: provider.id,
  ...(provider.verify === null && { verify: { scheme: 'token', in: 'header', name: 'X-Word' } }),
  secrets: [SECRET_NAME],
  country: 'DE',
  locale: 'en-GB',
  timezone: 'Europe/Berlin',
  routes: routesOf(provider),
});

/** The sample as its sender would post it now, to this provider's own customer. */
async function send(provider: Provider, sample: Sample): Promise<Response> {
  const body = sample.body.replaceAll(/49[+ ]?171[+ ]?3920001/g, customerOf(provider));
  const seconds = Math.floor(Date.now() / 1_000);
  const signature =
    provider.verify === null ? { 'X-Word': SECRET } : await senders[provider.id]?.(body, SECRET, seconds);
  return post(provider.id, body, { 'content-type': sample.content_type, ...sample.headers, ...signature });
}

const receipt = (response: Response) =>
  response.json<{ event: string; duplicate: boolean; messages: string[] }>();

beforeAll(() =>
  publish({
    sources: Object.fromEntries(ALL.map((provider) => [provider.id, sourceOf(provider)])),
    recipients: Object.fromEntries(
      ALL.map((provider) => [`team-${provider.id}`, { numbers: [teamOf(provider)] }]),
    ),
  }),
);

describe('every provider’s samples, signed and posted, by its starter routes', () => {
  it.each(CASES)('%s comes out as messages on a phone', async (_, provider, sample) => {
    const response = await send(provider, sample);
    expect(response.status).toBe(provider.answer?.status ?? 202);
    const { event: id, messages, duplicate } = await receipt(response);
    expect(duplicate).toBe(false);
    expect(messages.length).toBeGreaterThan(0);
    const { state, type, headers } = await event(id);
    expect([state, type === null]).toEqual(['routed', false]);
    expect(Object.keys(headers).filter((name) => /signature|hmac|x-word/.test(name))).toEqual([]);

    const sent = await Promise.all(messages.map((one) => message(one, isSent)));
    for (const { phone, params } of sent) {
      const arrived = (await callsTo(phone ?? '')).map((call) => call.params['message']);
      expect([customerOf(provider), teamOf(provider)]).toContain(phone);
      expect(arrived).toContain(params['message']);
      // What a template leaves behind when it misses its mark.
      expect(params['message']).not.toMatch(/\{\{|\[object|undefined|null|NaN/);
    }
  });

  it.each(CASES)(
    '%s, delivered once more, is a duplicate if its provider names events',
    async (_, provider, sample) => {
      const hasId = provider.dedupe.length > 0;
      expect((await receipt(await send(provider, sample))).duplicate).toBe(hasId);
    },
  );

  it.each(CASES.filter(([, { verify }]) => verify !== null))(
    '%s is 401 when its body was changed on the way',
    async (_, provider, sample) => {
      const headers = await senders[provider.id]?.(sample.body, SECRET, Math.floor(Date.now() / 1_000));
      const typed = { 'content-type': sample.content_type, ...sample.headers, ...headers };
      await problemIn(await post(provider.id, `${sample.body} `, typed), 401, 'verification-failed');
    },
  );
});

describe('GitHub’s other content type, a form with its JSON in `payload`', () => {
  it('is signed as the form that it is, and read as the JSON in it', async () => {
    const payload = {
      action: 'opened',
      issue: { title: '50 % off & more', html_url: 'https://github.com/a/b/issues/1' },
      repository: { full_name: 'a/b' },
      sender: { login: 'ada' },
    };
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    const response = await post('github', body, {
      'content-type': 'application/x-www-form-urlencoded',
      'x-github-event': 'issues',
      'x-github-delivery': 'form-1',
      ...(await senders['github']?.(body, SECRET, 0)),
    });
    const { event: id, messages } = await receipt(response);
    expect((await event(id)).payload).toEqual(payload);
    const sent = await message(messages[0] ?? '', isSent);
    expect(sent.params['message']).toBe('*a/b*: 50 % off & more\nby ada\nhttps://github.com/a/b/issues/1');
  });
});
