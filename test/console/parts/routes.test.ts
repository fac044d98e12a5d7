import { expect, test } from 'vitest';
import type { Message } from '../../../console/api/types.ts';
import { replayCounts } from '../../../console/pages/events/replay-counts.ts';
import { routesOf } from '../../../console/pages/events/routes.ts';

const message = (id: string, route: string | null, state: Message['state'] = 'sent'): Message => ({
  id,
  event: 'evt_1',
  source: 'shop',
  route,
  account: 'default',
  kind: 'text',
  phone: '49151',
  params: {},
  state,
  attempts: [],
  created_at: '2026-11-22T10:00:00.000Z',
  config_version: 1,
});

const preview = (route: string, result: 'matched' | 'not_matched' | 'failed', more = {}) => ({
  route,
  result,
  receivers: [],
  failures: [],
  messages: [],
  ...more,
});

test('the routes of an event are those of today in their order, then those that are gone', () => {
  const routes = routesOf({
    event: { messages: [message('msg_1', 'old'), message('msg_2', 'paid')] },
    today: [preview('paid', 'matched'), preview('refunds', 'not_matched', { why: 'type is paid' })],
    configured: [{ name: 'paid', template: 'thanks' }, { name: 'refunds' }],
  });
  expect(
    routes.map(({ name, result, why, template, isThere }) => [name, result, why, template, isThere]),
  ).toEqual([
    ['paid', 'matched', null, 'thanks', true],
    ['refunds', 'not_matched', 'type is paid', null, true],
    ['old', 'matched', null, null, false],
  ]);
});

test('a route that made messages then matched, whatever it would do today', () => {
  const [route] = routesOf({
    event: { messages: [message('msg_1', 'paid')] },
    today: [preview('paid', 'not_matched', { why: 'amount is 3' })],
    configured: null,
  });
  expect(route).toMatchObject({ result: 'matched', why: null, isThere: true });
});

test('a route that failed says why; without a preview nobody knows of those without messages', () => {
  const failures = [{ route: 'paid', parameter: 'to', expression: 'x', reason: 'no number' }];
  const [failed] = routesOf({
    event: { messages: [] },
    today: [preview('paid', 'failed', { failures })],
    configured: [{ name: 'paid' }],
  });
  expect(failed).toMatchObject({ result: 'failed', failures: ['no number'] });
  const [unknown] = routesOf({ event: { messages: [] }, today: null, configured: [{ name: 'paid' }] });
  expect(unknown).toMatchObject({ name: 'paid', result: null });
});

test('a route whose items wait to be reported has matched', () => {
  const [route] = routesOf({
    event: { messages: [], items: [{ route: 'alerts', index: 1, outcome: 'waiting' }] },
    today: [preview('alerts', 'matched')],
    configured: null,
  });
  expect(route).toMatchObject({ name: 'alerts', result: 'matched' });
});

test('before a replay is counted who got it already and who did not, of the chosen routes', () => {
  const messages = [
    message('msg_1', 'a'),
    message('msg_2', 'a', 'dead'),
    message('msg_3', 'b'),
    { ...message('msg_4', 'b', 'dead'), fallback: 'msg_3' },
    message('msg_5', 'b', 'uncertain'),
  ];
  expect(replayCounts(messages, null)).toEqual({ sent: 2, failed: 1 });
  expect(replayCounts(messages, ['b'])).toEqual({ sent: 1, failed: 0 });
});
