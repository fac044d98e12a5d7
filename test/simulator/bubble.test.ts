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

const voice = (url: string) => toBubble(call({ kind: 'voice', params: { audio_url: url } })).content;

describe('content', () => {
  test('a text is shown with its marks and previewed without', () => {
    const { content, preview } = toBubble(call({}));
    expect(content).toEqual({
      kind: 'text',
      spans: [
        { text: 'Hello ', marks: [] },
        { text: 'you', marks: ['bold'] },
      ],
    });
    expect(preview).toBe('Hello you');
  });

  test('an image without a caption is previewed as a photo', () => {
    const image = toBubble(call({ kind: 'image', params: { image_url: 'https://a.example/x.png' } }));
    expect(image.content).toEqual({ kind: 'image', url: 'https://a.example/x.png', caption: [] });
    expect(image.preview).toBe('Photo');
  });

  test('a voice message looks the same each time, and different from another', () => {
    expect(voice('https://a.example/1.mp3')).toEqual(voice('https://a.example/1.mp3'));
    expect(voice('https://a.example/1.mp3')).not.toEqual({
      ...voice('https://a.example/2.mp3'),
      url: 'https://a.example/1.mp3',
    });
  });

  test('the bars of a voice message fit into its bubble', () => {
    const { content } = toBubble(call({ kind: 'voice', params: { audio_url: 'https://a.example/1.mp3' } }));
    const bars = content.kind === 'voice' ? content.bars : [];
    expect(bars.length).toBeGreaterThan(0);
    expect(bars.every((bar) => bar > 0 && bar <= 1)).toBe(true);
  });

  test('a poll has one row per option', () => {
    const poll = toBubble(call({ kind: 'poll', params: { question: 'Which?', options: 'One, Two,Three' } }));
    expect(poll.content).toEqual({ kind: 'poll', question: 'Which?', options: ['One', 'Two', 'Three'] });
  });

  test('a link preview names its host and needs no more than its URL', () => {
    const { content, preview } = toBubble(
      call({ kind: 'link-preview', params: { url: 'https://www.a.example/x' } }),
    );
    expect(content).toMatchObject({ host: 'a.example', title: '', description: '', spans: [] });
    expect(preview).toBe('a.example');
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
