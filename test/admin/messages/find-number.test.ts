import { beforeAll, expect, it } from 'vitest';
import { containing } from '../../config/support.ts';
import { admin, postJson, publish, receiptOf, UNPACED } from '../../integration/relay.ts';
import { asViewer, refusal } from '../support.ts';

const find = async (number: string) =>
  (
    await admin<Record<'messages' | 'events' | 'rejections', readonly object[]>>('POST', '/search', {
      number,
    })
  ).body;

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

it('POST /search finds messages and events, however the number is written there and here', async () => {
  const { event, messages } = await receiptOf(postJson('order', { phone: '0151 123-670-22' }));
  for (const spelling of ['+49 151 12367022', '004915112367022', '0151/12367022', '15112367022']) {
    const id = messages[0];
    const { messages: found, events } = await find(spelling);
    expect(found).toMatchObject([{ id, phone: '4915112367022' }]);
    expect(events).toMatchObject([{ id: event, sent_to_it: [{ id }] }]);
    expect(events[0]).not.toHaveProperty('why');
  }
});

it('POST /search says why nothing went out: a number that is not valid, no route, or one that sends to others', async () => {
  await postJson('order', { phone: '0151 99', note: 'call +49 151 12367033' });
  await postJson('other', { contact: { tel: '+49 (151) 12367033' } });
  await postJson('owners', { text: 'please call 0151-12367033' });
  const { events, messages } = await find('0151 12367033');
  expect(messages).toEqual([]);
  expect(events).toMatchObject([
    {
      source: 'owners',
      why: 'no route sends to it: the number is only in the payload',
      code: 'not_addressed',
    },
    { source: 'other', why: 'no route matched', code: 'unmatched' },
    { source: 'order', why: containing('is not a valid phone number in DE'), code: 'failed' },
  ]);
});

it('POST /search finds forms that were taken for spam', async () => {
  const spam = { name: 'Ada', message: 'call 0151 12367044', website: 'x' };
  expect((await postJson('contact', spam, { origin: 'https://shop.example' })).ok).toBe(true);
  expect((await find('+4915112367044')).rejections).toMatchObject([{ source: 'contact', code: 'spam' }]);
});

it('POST /search finds nothing of a number that is nowhere', async () => {
  const nothing = { messages: [], events: [], rejections: [], complete: true };
  expect(await find('+49 151 99999999')).toEqual(nothing);
});

it('POST /search is for operators, and needs a number', async () => {
  expect(await refusal('POST', '/search', { number: 'Ada' })).toEqual([
    'number: must be a phone number of at least 6 digits, in any format',
  ]);
  expect((await asViewer('/search', 'POST')).status).toBe(403);
});
