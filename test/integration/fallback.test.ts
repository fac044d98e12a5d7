import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { fromBase32 } from '../../src/lib/id.ts';
import { diskOf, isRecord } from '../outbox/full-disk.ts';
import { eventually } from '../eventually.ts';
import { gatewayAnswers, status, watchOutside } from './outside.ts';
import {
  admin,
  callsTo,
  event,
  isSent,
  message,
  messageNow,
  postJson,
  publish,
  UNPACED,
  type MessageJson,
} from './relay.ts';

const IMAGE = { kind: 'image', image_url: 'https://a.example/{{ payload.id }}.png' };
const LINK = { kind: 'link-preview', url: 'https://a.example/{{ payload.id }}' };
const TEXT = { kind: 'text', message: 'order {{ payload.id }}' };

const source = (route: object, more: object = {}) => ({
  verify: { scheme: 'none' },
  routes: [{ name: 'all', to: '{{ payload.phone }}', send: { ...IMAGE, fallback: [LINK, TEXT] }, ...route }],
  ...more,
});

beforeAll(async () => {
  watchOutside();
  await publish({
    accounts: { default: { ...UNPACED, retry: ['100ms'], timeout: '1m', circuit: { failures: 1_000 } } },
    sources: {
      shop: source({}),
      bare: source({}, { store: 'metadata' }),
      held: source({ on_uncertain: 'hold' }),
      split: source({
        send: { kind: 'text', message: 'a long text {{ payload.id }}', fallback: [TEXT] },
        max_length: 10,
        overflow: 'split',
      }),
      pictures: source({
        send: { kind: 'image', image_url: '{{ payload.picture }}', fallback: [TEXT] },
      }),
      alerts: source({ incident: { key: '{{ payload.id }}' } }),
    },
  });
});

async function post(from: string, phone: string): Promise<{ event: string; messages: string[] }> {
  const response = await postJson(from, { phone: `+${phone}`, id: 'o-7' });
  return response.json<{ event: string; messages: string[] }>();
}

/** The message that is sent for another one, once it has become that. */
async function fallbackOf(id: string, until = isSent): Promise<MessageJson> {
  await message(id, ({ state }) => state === 'dead');
  return message((await messageNow(id)).fallback ?? '', until);
}

const kindsTo = async (phone: string): Promise<readonly string[]> =>
  (await callsTo(phone)).map(({ kind }) => kind);

describe('a message with fallbacks', () => {
  it('is followed by one fallback, even if the record that makes it has to be written twice', async () => {
    const phone = '4915112380021';
    const disk = await runInDurableObject(env.OUTBOX.getByName('default'), (_, { storage: { sql } }) => {
      let isRecorded = false;
      // The fallback is written by then; what its receiver knows is not.
      const isMeant = (query: string): boolean => {
        isRecorded ||= isRecord(query);
        return isRecorded && /^\s*(UPDATE|INSERT INTO) incidents/.test(query);
      };
      return diskOf(sql, isMeant);
    });
    disk.fails = 1;
    gatewayAnswers(phone, status(400));
    await post('alerts', phone);
    await eventually(async () => expect(disk.tries).toBeGreaterThan(1));
    await eventually(async () => {
      const { items } = (await admin<{ items: readonly MessageJson[] }>('GET', `/messages?phone=${phone}`))
        .body;
      expect(items.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['link-preview sent', 'image dead']);
      const [next = 0, dead = 0] = items.map(({ id }) => fromBase32(id.slice(4, 13)) ?? 0);
      // Memory had no other one meanwhile, which no row has.
      expect(next - dead).toBe(1);
    });
    expect(await kindsTo(phone)).toEqual(['link-preview']);
  });

  it('is tried as the next kind when it is rejected, until one is sent', async () => {
    const phone = '4915112380001';
    gatewayAnswers(phone, status(400), status(422));
    const accepted = await post('shop', phone);
    const [first = ''] = accepted.messages;
    const second = await fallbackOf(first, ({ state }) => state === 'dead');
    const third = await fallbackOf(second.id);
    expect([second.fallback_of, third.fallback_of]).toEqual([first, second.id]);
    expect(third).toMatchObject({ kind: 'text', event: accepted.event, params: { message: 'order o-7' } });
    expect(third.fallback).toBeUndefined();
    expect(await kindsTo(phone)).toEqual(['text']);
    expect((await event(accepted.event)).messages.map(({ kind, state }) => [kind, state])).toEqual([
      ['image', 'dead'],
      ['link-preview', 'dead'],
      ['text', 'sent'],
    ]);
    const listed = await admin<{ items: MessageJson[] }>('GET', `/messages?event=${accepted.event}`);
    expect(listed.body.items).toHaveLength(3);
  });

  it('is also tried as the next kind when its schedule is used up', async () => {
    const phone = '4915112380002';
    gatewayAnswers(phone, status(500), status(500));
    const { messages } = await post('shop', phone);
    expect(await fallbackOf(messages[0] ?? '')).toMatchObject({ kind: 'link-preview' });
  });

  it('brings its fallback once, however often a person tries it again', async () => {
    const phone = '4915112380003';
    gatewayAnswers(phone, status(400));
    const [first = ''] = (await post('shop', phone)).messages;
    const { id } = await fallbackOf(first);
    gatewayAnswers(phone, status(400));
    await admin('POST', `/messages/${first}/retry`);
    const again = await message(first, ({ attempts, state }) => attempts.length === 2 && state === 'dead');
    expect((await messageNow(again.id)).fallback).toBe(id);
    expect(await kindsTo(phone)).toEqual(['link-preview']);
  });

  it('that cannot be rendered is its fallback from the start, and says so', async () => {
    const phone = '4915112380010';
    const accepted = await post('pictures', phone);
    const sent = await message(accepted.messages[0] ?? '', isSent);
    expect(sent).toMatchObject({ kind: 'text', params: { message: 'order o-7' } });
    const { state, reason } = await event(accepted.event);
    expect(state).toBe('routed');
    expect([reason, sent.reason]).toEqual(Array(2).fill(expect.stringContaining('its fallback is sent')));
  });

  it.each([
    ['sent', 'shop', '4915112380004', []],
    ['uncertain', 'held', '4915112380005', [() => new Response('?', { status: 200 })]],
  ])('that is %s has none', async (state, from, phone, answers) => {
    gatewayAnswers(phone, ...answers);
    const [first = ''] = (await post(from, phone)).messages;
    await message(first, (one) => one.state === state);
    expect((await messageNow(first)).fallback).toBeUndefined();
  });

  it('that a person cancels has none', async () => {
    const phone = '4915112380006';
    gatewayAnswers(phone, () => new Response('{}', { status: 503, headers: { 'retry-after': '600' } }));
    const [first = ''] = (await post('shop', phone)).messages;
    await message(first, ({ state }) => state === 'retrying');
    await admin('POST', `/messages/${first}/cancel`);
    expect(await messageNow(first)).toMatchObject({ state: 'cancelled' });
    expect((await messageNow(first)).fallback).toBeUndefined();
  });

  it('has it for its first piece alone if its text was split', async () => {
    const phone = '4915112380007';
    gatewayAnswers(phone, status(400));
    const accepted = await post('split', phone);
    await fallbackOf(accepted.messages[0] ?? '');
    expect((await event(accepted.event)).messages.map(({ params }) => params['message'])).toEqual([
      'a long',
      'text o-7',
      'order o-7',
    ]);
  });

  it('forgets its parameters when it is sent, if its source keeps no payloads', async () => {
    const phone = '4915112380008';
    gatewayAnswers(phone, status(400));
    const [first = ''] = (await post('bare', phone)).messages;
    expect((await fallbackOf(first)).params).toEqual({ phone });
  });

  it('is reported as the next kind of an incident, too', async () => {
    const phone = '4915112380009';
    gatewayAnswers(phone, status(400));
    await post('alerts', phone);
    const reported = async (): Promise<readonly MessageJson[]> =>
      (await admin<{ items: MessageJson[] }>('GET', `/messages?phone=${phone}`)).body.items;
    await expect.poll(async () => (await reported()).map(({ state }) => state)).toEqual(['sent', 'dead']);
    expect((await reported()).map(({ kind }) => kind)).toEqual(['link-preview', 'image']);
  });
});
