import { describe, expect, it } from 'vitest';
import { escapeText } from '../../src/render/escape-text.ts';

const message = (params: object) => ({ params: JSON.stringify(params) });

describe('the text for the escape channel', () => {
  it('has one message in whole, whatever its kind', () => {
    const image = message({ image_url: 'https://x.example/a.png', caption: 'Smoke\nin room 4' });
    expect(escapeText([image], 1, 'en')).toBe(
      'This message may not have arrived: https://x.example/a.png\nSmoke\nin room 4',
    );
  });

  it('has several by their beginnings, and how many there are', () => {
    const long = message({ message: 'x'.repeat(500) });
    const text = escapeText([message({ message: 'short' }), long], 7, 'de-CH');
    expect(text.split('\n').slice(0, 2)).toEqual([
      '7 weitere Nachrichten sind vielleicht nicht auf dem Telefon:',
      '• short',
    ]);
    expect(text.length).toBeLessThan(250);
  });
});
