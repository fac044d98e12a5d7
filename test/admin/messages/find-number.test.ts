import { beforeAll, describe, expect, it } from 'vitest';
import { admin, postJson, publish, UNPACED } from '../../integration/relay.ts';
import { callWith, lines, type ProblemJson } from '../support.ts';

interface FoundJson {
  readonly messages: readonly { readonly id: string; readonly phone: string; readonly state: string }[];
  readonly events: readonly {
    readonly id: string;
    readonly source: string;
    readonly sent_to_it: readonly object[];
    readonly why?: string;
  }[];
  readonly rejections: readonly { readonly source: string; readonly reason: string }[];
  readonly complete: boolean;
}

const find = async (number: string): Promise<FoundJson> =>
  (await admin<FoundJson>('POST', '/search', { number })).body;

const eventOf = async (source: string, payload: object): Promise<string> => {
  const response = await postJson(source, payload);
  expect(response.status).toBe(202);
  return String(Reflect.get(await response.json<object>(), 'event'));
};

const send = { kind: 'text', message: 'Hello' };

beforeAll(() =>
  publish({
    accounts: { default: UNPACED },
    sources: {
      order: {
        verify: { scheme: 'none' },
        country: 'DE',
        routes: [{ name: 'buyer', to: '{{ payload.phone }}', send }],
      },
      other: {
        verify: { scheme: 'none' },
        routes: [{ name: 'never', when: 'payload.go', to: ['4915112367001'], send }],
      },
      owners: { verify: { scheme: 'none' }, routes: [{ name: 'owners', to: ['4915112367001'], send }] },
      contact: {
        provider: 'html-form',
        origins: ['https://shop.example'],
        spam: { honeypot: 'website' },
        routes: [{ name: 'owner', to: ['4915112367001'], send }],
      },
    },
  }),
);

describe('POST /search', () => {
  it('finds messages and events, however the number is written there and here', async () => {
    const event = await eventOf('order', { phone: '0151 123-670-22' });
    for (const spelling of ['+49 151 12367022', '004915112367022', '0151/12367022', '15112367022']) {
      const found = await find(spelling);
      expect(found.messages.map(({ phone }) => phone)).toEqual(['4915112367022']);
      expect(found.events).toMatchObject([{ id: event, sent_to_it: [{ id: found.messages[0]?.id }] }]);
      expect(found.events[0]).not.toHaveProperty('why');
    }
  });

  it('says why nothing went out: a number that is not valid, no route, or one that sends to others', async () => {
    await eventOf('order', { phone: '0151 99', note: 'call +49 151 12367033' });
    await eventOf('other', { contact: { tel: '+49 (151) 12367033' } });
    await eventOf('owners', { text: 'please call 0151-12367033' });
    const { events, messages } = await find('0151 12367033');
    expect(messages).toEqual([]);
    expect(events.map(({ source, why }) => [source, why])).toEqual([
      ['owners', 'no route sends to it: the number is only in the payload'],
      ['other', 'no route matched'],
      ['order', expect.stringContaining('is not a valid phone number in DE') as unknown],
    ]);
  });

  it('finds forms that were taken for spam', async () => {
    const answer = await postJson(
      'contact',
      { name: 'Ada', message: 'call 0151 12367044', website: 'x' },
      { origin: 'https://shop.example' },
    );
    expect(answer.ok).toBe(true);
    expect((await find('+4915112367044')).rejections).toMatchObject([{ source: 'contact', reason: 'spam' }]);
  });

  it('finds nothing of a number that is nowhere', async () => {
    const nothing = { messages: [], events: [], rejections: [], complete: true };
    expect(await find('+49 151 99999999')).toEqual(nothing);
  });

  it('is for operators, and needs a number', async () => {
    const { status, body } = await admin<ProblemJson>('POST', '/search', { number: 'Ada' });
    expect([status, lines(body)]).toEqual([
      422,
      ['number: must be a phone number of at least 6 digits, in any format'],
    ]);
    const viewer = 'viewer-token-of-the-tests';
    expect((await callWith({ VIEWER_TOKEN: viewer }, '/search', `Bearer ${viewer}`, 'POST')).status).toBe(
      403,
    );
  });
});
