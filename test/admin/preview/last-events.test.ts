import { beforeEach, expect, it } from 'vitest';
import type { ComparedEvent, Comparison as Answer } from '../../../src/admin/preview/api-preview.ts';
import { admin, listOf, postJson, publish } from '../../integration/relay.ts';

type Comparison = Omit<Answer, 'events'> & { readonly events: readonly Compared[] };
type Compared = Extract<ComparedEvent, { readonly sent: unknown }>;

const text = (message: string) => ({ kind: 'text', message });
const OWNER = '4915112345678';
const SALES = '4915187654321';

const shop = (routes: readonly object[], over: object = {}) => ({
  verify: { scheme: 'none' },
  limit: false,
  country: 'DE',
  routes,
  ...over,
});

const PAID = { name: 'paid', when: 'event.type == "paid"', to: OWNER, template: 'paid' };
const ALL = { name: 'all', to: 'team', send: text('Event {{ event.type }}') };

const SET = {
  sources: { shop: shop([PAID, ALL]), secretive: shop([ALL], { store: 'metadata' }) },
  templates: { paid: text('Paid: {{ payload.total }}') },
  recipients: { team: { numbers: [SALES] } },
};

beforeEach(() => publish(SET));

async function previewLast(input: object, id = 'shop'): Promise<Comparison> {
  const { status, body } = await admin<Comparison>('POST', `/sources/${id}/preview`, input);
  expect(status).toBe(200);
  return body;
}

async function receive(...payloads: readonly object[]): Promise<void> {
  for (const payload of payloads) expect((await postJson('shop', payload)).status).toBe(202);
}

it('the newest events of a source come out the same by the configuration that they were sent with', async () => {
  await receive({ type: 'paid', total: 5 }, { type: 'open' });
  const { events, summary } = await previewLast({ last: 10 });
  expect(summary).toEqual({ events: 2, same: 2, changed: 0, failed: 0, not_comparable: 0, left_out: 0 });
  expect(events.map(({ type }) => type)).toEqual(['open', 'paid']);
  const sent = [
    { route: 'paid', kind: 'text', phone: OWNER, params: { message: 'Paid: 5' } },
    { route: 'all', kind: 'text', phone: SALES, params: { message: 'Event paid' } },
  ];
  expect(events[1]).toMatchObject({
    routes: [
      { route: 'paid', result: 'matched', receivers: [OWNER] },
      { route: 'all', result: 'matched', receivers: [SALES] },
    ],
    sent,
    would_send: sent,
    changes: [
      { kind: 'same', route: 'paid', phone: OWNER },
      { kind: 'same', route: 'all', phone: SALES },
    ],
  });
  expect(events[1]?.sent[0]?.message).toMatch(/^msg_/);
  expect(events[0]?.routes[0]?.why).toContain('`event.type` was "open"');
});

it('the newest events of a source show what a draft would change, and nothing is sent, stored or published', async () => {
  await receive({ type: 'paid', total: 5 });
  const before = await listOf('/messages');
  const send = text('Thanks for {{ payload.total }}');
  const draft = shop([{ ...PAID, to: [OWNER, SALES], template: undefined, send }]);
  const { events, summary } = await previewLast({ last: 1, draft });
  expect(summary).toMatchObject({ events: 1, changed: 1 });
  const texts = { was: 'Paid: 5', now: 'Thanks for 5' };
  expect(events[0]?.changes).toEqual([
    { kind: 'changed', route: 'paid', phone: OWNER, parameter: 'message', ...texts },
    { kind: 'removed', route: 'all', phone: SALES },
    { kind: 'added', route: 'paid', phone: SALES },
  ]);
  expect(await listOf('/messages')).toHaveLength(before.length);
  expect((await previewLast({ last: 1 })).summary).toMatchObject({ same: 1 });
});

it('the newest events of a source come with the warnings of a preview, each once, and in the order of the events', async () => {
  await receive({ type: 'paid', total: 5 }, { type: 'paid' }, { type: 'paid' });
  await admin('PUT', `/suppressions/${OWNER}`, {});
  const { warnings } = await previewLast({ last: 10 });
  expect(warnings).toMatchObject([
    { route: 'paid', parameter: 'message' },
    { route: 'paid', parameter: 'to' },
  ]);
  expect(warnings[0]?.message).toMatch(/^`payload\.total` is not there/);
  expect(warnings[1]?.message).toContain(`${OWNER} has opted out`);
  const draft = shop([{ ...ALL, to: OWNER, transactional: true }]);
  expect((await previewLast({ last: 10, draft })).warnings).toEqual([]);
  await admin('DELETE', `/suppressions/${OWNER}`);
});

it('the newest events of a source of which a route would fail are counted as failed', async () => {
  await receive({ type: 'paid', total: 'many' });
  const drafts = { templates: { paid: text('{{ payload.total | money: "EUR" }}') } };
  const { events, summary } = await previewLast({ last: 1, drafts });
  expect(summary).toMatchObject({ changed: 0, failed: 1 });
  expect(events[0]?.routes[0]).toMatchObject({ result: 'failed', failures: [{ parameter: 'message' }] });
});

it('the newest events of a source whose payloads were not kept are listed, and not compared', async () => {
  await postJson('secretive', { type: 'paid' });
  const { events, summary } = await previewLast({ last: 5 }, 'secretive');
  expect(events).toMatchObject([
    { type: 'paid', not_comparable: 'its payload is not stored (`store: metadata`)' },
  ]);
  expect(Object.keys(events[0] ?? {})).toEqual(['event', 'type', 'received_at', 'not_comparable']);
  expect(summary).toMatchObject({ events: 1, not_comparable: 1, same: 0 });
});

it('the newest events of a source are those of that source, and as many as are asked for', async () => {
  await postJson('secretive', { type: 'other' });
  await receive(...Array.from({ length: 4 }, (_, index) => ({ type: `t${index}` })));
  const { events } = await previewLast({ last: 3 });
  expect(events.map(({ type }) => type)).toEqual(['t3', 't2', 't1']);
});

it('the newest events of a source are left out where there is no more room for their messages', async () => {
  const crowd = Array.from({ length: 900 }, (_, index) => `49151000${10_000 + index}`);
  await publish({ ...SET, recipients: { team: { numbers: crowd } } });
  await receive({ type: 'a' }, { type: 'b' }, { type: 'c' }, { type: 'd' });
  const { events, summary } = await previewLast({ last: 4 });
  expect(events.map(({ type }) => type)).toEqual(['d', 'c']);
  expect(summary).toMatchObject({ events: 2, same: 2, left_out: 2 });
});
