import { beforeAll, describe, expect, it } from 'vitest';
import { admin, callsTo, event, isSent, message, postJson, publish } from './relay.ts';

/** Numbers that no other test uses. */
const OWNER = '4917139290001';
const VISITOR = '4917139290002';
const JAMAICAN = '+1 876 555 0123';

const FORM = {
  verify: { scheme: 'none' },
  country: 'DE',
  routes: [
    { name: 'thank', to: '{{ payload.phone }}', send: { kind: 'text', message: 'Thank you' } },
    { name: 'report', to: OWNER, send: { kind: 'text', message: 'A form' } },
    {
      name: 'show',
      when: 'payload.image',
      to: OWNER,
      send: { kind: 'image', image_url: '{{ payload.image }}' },
    },
  ],
};
const PROVEN = {
  ...FORM,
  verify: { scheme: 'token', in: 'header', name: 'X-Token' },
  secrets: ['HOOK_SECRET'],
};
const HELD = { ...FORM, countries: ['DE', 'AT'] };

interface Warned {
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
}
const ofRoutes = ({ warnings }: Warned): readonly string[] =>
  warnings.map(({ path }) => path).filter((path) => path.startsWith('sources.held.routes['));

beforeAll(() =>
  publish({ sources: { held: HELD, form: FORM, hotline: { ...FORM, premium: true }, proven: PROVEN } }),
);

describe('a stranger’s number', () => {
  it('in another country gets nothing: the event is partly failed and says why, and the owner gets hers', async () => {
    const answer = await postJson('held', { phone: JAMAICAN });
    expect(answer.status).toBe(202);
    const { event: id, messages } = await answer.json<{ event: string; messages: string[] }>();
    expect(messages).toHaveLength(1);
    await message(messages[0] ?? '', isSent);
    expect(await callsTo(OWNER)).not.toEqual([]);
    const { state, reason } = await event(id);
    expect(state).toBe('partly_failed');
    expect(reason).toContain('route `thank`, parameter `to`');
    expect(reason).toContain('"+187…" belongs to JM, and the source\'s `countries` are DE, AT');
    expect(reason).not.toContain('5550123');
  });

  it('in one of the countries gets its message', async () => {
    const answer = await postJson('held', { phone: `+${VISITOR}` });
    const { messages } = await answer.json<{ messages: string[] }>();
    expect(messages).toHaveLength(2);
    for (const id of messages) await message(id, isSent);
    expect(await callsTo(VISITOR)).toHaveLength(1);
  });
});

describe('a stranger’s premium-rate or satellite number', () => {
  it.each([
    ['+49 900 1 234567', 'a premium-rate number of DE'],
    ['0900 1 234567', 'a premium-rate number of DE'],
    ['+1 900 234 5678', 'a premium-rate number of US'],
    ['+881 612345678', 'a satellite number (+881)'],
    ['+979 123456789', 'an international premium-rate number (+979)'],
  ])('%s gets nothing: the event says that it is %s, and how to allow it', async (phone, what) => {
    const answer = await postJson('form', { phone });
    expect(answer.status).toBe(202);
    const { event: id, messages } = await answer.json<{ event: string; messages: string[] }>();
    expect(messages).toHaveLength(1);
    expect((await message(messages[0] ?? '', isSent)).phone).toBe(OWNER);
    const { state, reason } = await event(id);
    expect(state).toBe('partly_failed');
    expect(reason).toContain(`is ${what}, and anybody can post to this source`);
    expect(reason).toContain('`premium: true`');
  });

  it('is refused in a preview and in a replay, too: a stranger chose it, whoever asks', async () => {
    const phone = '+49 900 1 234567';
    const preview = await admin<{ routes: { failures: { reason: string }[] }[] }>(
      'POST',
      '/sources/form/preview',
      { payload: { phone } },
    );
    expect(preview.body.routes[0]?.failures[0]?.reason).toContain('is a premium-rate number of DE');
    const { event: id } = await (await postJson('form', { phone })).json<{ event: string }>();
    const replayed = await admin<{ messages: string[] }>('POST', `/events/${id}/replay`);
    expect(replayed.body.messages).toHaveLength(1);
  });

  it.each([
    ['hotline', {}, '499001234501'],
    ['held', {}, '499001234502'],
    ['proven', { 'x-token': 'hook-secret' }, '499001234503'],
  ])(
    'gets its message where the source allows it, lists its country or proves its senders: %s',
    async (id, headers, digits) => {
      const answer = await postJson(id, { phone: `+${digits}` }, headers);
      const { messages } = await answer.json<{ messages: string[] }>();
      expect(messages).toHaveLength(2);
      for (const one of messages) await message(one, isSent);
      expect(await callsTo(digits)).toHaveLength(1);
    },
  );
});

describe('a stranger’s link', () => {
  it('into a network of the gateway is not sent', async () => {
    const answer = await postJson('held', { phone: `+${VISITOR}`, image: 'http://0xa9fea9fe/latest/' });
    const { event: id } = await answer.json<{ event: string }>();
    const { state, reason } = await event(id);
    expect(state).toBe('partly_failed');
    expect(reason).toContain('169.254.169.254 is not a public address (link-local, RFC 3927)');
  });
});

const set = (source: object) => ({ sources: { held: source } });

describe('publishing an open source', () => {
  it('warns of receivers and links from the payload, whichever way it is published', async () => {
    const dry = await admin<Warned>('POST', '/config?dry_run=true', set(FORM));
    expect(ofRoutes(dry.body)).toEqual(['sources.held.routes[0].to', 'sources.held.routes[2]']);
    const put = await admin<Warned>('PUT', '/sources/held?dry_run=true', FORM);
    expect(ofRoutes(put.body)).toEqual(['sources.held.routes[0].to', 'sources.held.routes[2]']);
  });

  it('does not where the source says countries', async () => {
    const dry = await admin<Warned>('POST', '/config?dry_run=true', set(HELD));
    expect(ofRoutes(dry.body)).toEqual(['sources.held.routes[2]']);
  });

  it('refuses countries that are none', async () => {
    const source = { ...HELD, countries: ['DE', 'UK'] };
    const { status, body } = await admin<{ errors: unknown }>('PUT', '/sources/held', source);
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      {
        path: 'sources.held.countries[1]',
        message: 'must be an ISO 3166 country code in capitals such as DE, or GB for the United Kingdom',
      },
    ]);
  });
});
