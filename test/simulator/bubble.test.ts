import { describe, expect, test } from 'vitest';
import { toBubble } from '../../simulator/bubble.ts';
import type { Call } from '../../simulator/call-log.ts';
import { PHONE } from './harness.ts';

const call = (change: Partial<Call>): Call => ({
  id: 1,
  at: new Date().toISOString(),
  kind: 'text',
  endpoint: '/send-message.php',
  to: PHONE,
  params: { message: 'Hello *you*' },
  outcome: 'accepted',
  status: 200,
  delivered: true,
  ...change,
});

describe('content', () => {
  test('a call that was accepted is shown as the phone shows it', () => {
    const { content, preview } = toBubble(call({}));
    expect(content).toMatchObject({ kind: 'text', parts: [{ is: 'text' }] });
    expect(preview).toBe('Hello you');
  });
});

describe('conversations', () => {
  test('a call belongs to its receiver', () => {
    expect(toBubble(call({})).chat).toMatchObject({ key: PHONE, label: '+49 151 1234 5678', type: 'phone' });
  });

  test('a status belongs to all contacts', () => {
    const { chat } = toBubble(call({ kind: 'status', to: null, params: { text: 'Open' } }));
    expect(chat).toMatchObject({ key: 'status', type: 'status' });
  });

  test.each([null, '+49 151', 'status', '<b>'])('the receiver %j is none', (to) => {
    const { chat } = toBubble(
      call({ to, outcome: 'refused:invalid_parameter', status: 400, delivered: false }),
    );
    expect(chat.key).toBe('unknown');
  });
});

describe('trouble', () => {
  test.each([
    ['accepted', 200, null],
    ['status', 503, 'HTTP 503'],
    ['echo_secret', 200, 'echo secret'],
    ['refused:missing_parameter', 400, 'missing parameter'],
  ])('the outcome %s is shown as %s %s', (outcome, status, trouble) => {
    expect(toBubble(call({ outcome, status })).trouble).toBe(trouble);
  });

  test('a refused call shows its reason, since it may not be a message at all', () => {
    const refused = call({
      kind: 'link-preview',
      params: { url: 'no URL' },
      outcome: 'refused:invalid_parameter',
      detail: 'Why.',
    });
    expect(toBubble(refused).content).toEqual({
      kind: 'refused',
      endpoint: '/send-message.php',
      detail: 'Why.',
    });
  });
});
