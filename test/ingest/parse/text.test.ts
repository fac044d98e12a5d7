import { expect, it } from 'vitest';
import { decodeText } from '../../../src/ingest/parse/text.ts';
import { ok } from '../../../src/lib/result.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

it('a body after one that broke off within a character is read as if it were the first', () => {
  expect(decodeText(Uint8Array.of(0x61, 0xc3)).ok).toBe(false);
  expect(decodeText(Uint8Array.of(0xbc)).ok).toBe(false);
  expect(decodeText(utf8('ü'))).toEqual(ok('ü'));
});

it('a byte-order mark is left out of every body', () => {
  for (let turn = 0; turn < 2; turn += 1) expect(decodeText(utf8('\uFEFFa'))).toEqual(ok('a'));
});

it('a charset of one body is not that of the next', () => {
  expect(decodeText(Uint8Array.of(0xfc), 'latin1')).toEqual(ok('ü'));
  expect(decodeText(utf8('ü'))).toEqual(ok('ü'));
});
