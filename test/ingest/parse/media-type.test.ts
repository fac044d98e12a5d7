import { describe, expect, it } from 'vitest';
import { parseMediaType } from '../../../src/ingest/parse/media-type.ts';

const parts = (text: string) => {
  const media = parseMediaType(text);
  return media === null ? null : [media.essence, Object.fromEntries(media.parameters)];
};

describe('parseMediaType', () => {
  it.each([
    ['text/plain', ['text/plain', {}]],
    [' Text/Plain ; Charset = utf-8', ['text/plain', {}]],
    ['text/plain;charset=UTF-8', ['text/plain', { charset: 'UTF-8' }]],
    ['multipart/form-data; boundary="a b;\\"c"', ['multipart/form-data', { boundary: 'a b;"c' }]],
    ['text/plain; charset=a; CHARSET=b', ['text/plain', { charset: 'a' }]],
    ['text/plain; x="; charset=z"; charset=utf-8', ['text/plain', { x: '; charset=z', charset: 'utf-8' }]],
    ['text/plain;', ['text/plain', {}]],
  ])('%j', (text, expected) => {
    expect(parts(text)).toEqual(expected);
  });

  it.each([
    '',
    'text',
    'text/',
    '/plain',
    'te xt/plain',
    'text/plain, text/html',
    'text/plain text/html',
    '"text/plain"',
  ])('%j is none', (text) => {
    expect(parseMediaType(text)).toBeNull();
  });
});
