import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBubble, phoneLabel } from '../../simulator/bubble.ts';
import type { Call } from '../../simulator/call-log.ts';
import { NOW, PHONE } from './harness.ts';

const bubble = (change: Partial<Call> = {}) =>
  toBubble({
    id: 1,
    at: new Date(NOW).toISOString(),
    kind: 'text',
    endpoint: '/send-message.php',
    to: PHONE,
    params: { message: 'Hello *you*' },
    outcome: 'accepted',
    status: 200,
    delivered: true,
    ...change,
  });

test('a call that was accepted is shown as the phone shows it, with its receiver; a status belongs to all contacts, a receiver who is none to nobody', () => {
  const { content, preview, chat } = bubble();
  expect(content).toMatchObject({ kind: 'text', parts: [{ is: 'text' }] });
  expect(preview).toBe('Hello you');
  expect(chat).toMatchObject({ key: PHONE, label: '+49 151 1234 5678', type: 'phone' });
  const status = bubble({ kind: 'status', to: null, params: { text: 'Open' } });
  expect(status.chat).toMatchObject({ key: 'status', type: 'status' });
  const refused = { outcome: 'refused:invalid_parameter', status: 400, delivered: false };
  for (const to of [null, '+49 151', 'status', '<b>'])
    expect(bubble({ ...refused, to }).chat.key).toBe('unknown');
});

test('trouble is shown beside a call, and why it was refused in its place', () => {
  const rows = [
    ['accepted', 200, null],
    ['status', 503, 'HTTP 503'],
    ['echo_secret', 200, 'echo secret'],
    ['refused:missing_parameter', 400, 'missing parameter'],
  ] as const;
  for (const [outcome, status, trouble] of rows) expect(bubble({ outcome, status }).trouble).toBe(trouble);
  const refused = bubble({ params: { url: 'no URL' }, outcome: 'refused:invalid_parameter', detail: 'Why.' });
  expect(refused.content).toEqual({ kind: 'refused', endpoint: '/send-message.php', detail: 'Why.' });
});

test('a number is shown in groups, and no digit is lost, added or moved', () => {
  expect(['12025550143', '33612345678'].map(phoneLabel)).toEqual(['+1 202 555 0143', '+33 612 345 678']);
  const digits = fc.stringMatching(/^[1-9]\d{6,14}$/);
  fc.assert(fc.property(digits, (one) => phoneLabel(one).replaceAll(/[+ ]/g, '') === one));
});
