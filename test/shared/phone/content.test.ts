import { describe, expect, it } from 'vitest';
import { contentOf, isShownKind, previewOf } from '../../../shared/phone/content.ts';
import { KIND_NAMES, paramsOf } from '../../../src/gateway/kinds.ts';

const URLS = ['https://a.example/1.mp3', 'https://a.example/2.mp3'] as const;
const bars = (url: string) =>
  contentOf('voice', { audio_url: url }).flatMap((part) => (part.is === 'voice' ? part.bars : []));

describe('a message on the phone', () => {
  it.each(KIND_NAMES)('shows each parameter of the kind %s', (kind) => {
    const params = Object.fromEntries(
      paramsOf(kind).map(([name, { holds }]) => [
        name,
        holds === 'url' ? `https://${name.replace('_', '')}.example/` : name,
      ]),
    );
    const shown = isShownKind(kind) ? JSON.stringify(contentOf(kind, params)) : '';
    for (const value of Object.values(params)) expect(shown).toContain(value);
  });

  it('has the marks of a text, and is previewed without', () => {
    const content = contentOf('text', { message: 'Hello *you*' });
    expect(content).toEqual([
      {
        is: 'text',
        spans: [
          { text: 'Hello ', marks: [] },
          { text: 'you', marks: ['bold'] },
        ],
      },
    ]);
    expect(previewOf(content)).toBe('Hello you');
  });

  it('is previewed by its text, also below a picture, else by what it is', () => {
    const picture = { image_url: 'https://a.example/x.png' };
    expect(previewOf(contentOf('image', picture))).toBe('Photo');
    expect(previewOf(contentOf('image', { ...picture, caption: 'Look' }))).toBe('Look');
    expect(previewOf(contentOf('link-preview', { url: 'https://www.a.example/x' }))).toBe('a.example');
    expect(previewOf(contentOf('text', {}))).toBe('');
  });

  it('looks the same each time when it is a voice, and different from another', () => {
    expect(bars(URLS[0])).toEqual(bars(URLS[0]));
    expect(bars(URLS[0])).not.toEqual(bars(URLS[1]));
    expect(bars(URLS[0]).length).toBeGreaterThan(0);
    expect(bars(URLS[0]).every((bar) => bar > 0 && bar <= 1)).toBe(true);
  });

  it('has one row for each option of a poll', () => {
    expect(contentOf('poll', { question: 'Which?', options: 'One, Two,Three' })).toEqual([
      { is: 'poll', question: 'Which?', options: ['One', 'Two', 'Three'] },
    ]);
  });

  it('has a card without a host where the address of a link is none', () => {
    expect(contentOf('link-preview', { url: 'no address' })).toMatchObject([{ is: 'card', host: '' }]);
  });

  it('is shown of kinds that there are, not of inherited names', () => {
    expect(['toString', '__proto__', 'sms', ''].some(isShownKind)).toBe(false);
  });
});
