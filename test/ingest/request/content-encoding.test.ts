import { deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { withoutEncoding } from '../../../src/ingest/request/receive.ts';
import { ok } from '../../../src/lib/result.ts';

const LIMIT = 1_048_576;
const text = new TextEncoder().encode(`{"text":"${'ü'.repeat(50_000)}"}`);

const zeros = (size: number) => gzipSync(new Uint8Array(size));

const refusalOf = async (header: string, body: Uint8Array) => {
  const result = await withoutEncoding(body, header, LIMIT);
  return result.ok ? 'taken' : [result.error.status, result.error.detail];
};

it('a compressed body is decompressed as its header says, and any other is as it came', async () => {
  for (const [header, body] of [
    ['gzip', gzipSync(text)],
    [' X-GZIP ', gzipSync(text)],
    ['deflate', deflateSync(text)],
    [null, text],
    ['', text],
    ['identity', text],
    ['UTF-8', text],
    ['gzip', new Uint8Array()],
  ] as const) {
    const expected = body.length === 0 ? body : text;
    expect([header, await withoutEncoding(body, header, LIMIT)]).toEqual([header, ok(expected)]);
  }
});

it('a compressed body in an encoding that nobody undoes is 415 that names it, if it is a name', async () => {
  for (const [header, name] of [
    ['br', '`br`'],
    ['zstd', '`zstd`'],
    ['gzip, gzip', '…'],
    ['a word', '…'],
  ] as const) {
    const detail = `Bodies with the Content-Encoding ${name} are not accepted. Send gzip, deflate, or none.`;
    expect(await refusalOf(header, text)).toEqual([415, detail]);
  }
});

it('a compressed body that is none, or is cut off, is 400', async () => {
  for (const [header, body] of [
    ['gzip', text],
    ['deflate', text],
    ['gzip', gzipSync(text).subarray(0, -10)],
    ['gzip', deflateSync(text)],
  ] as const)
    expect(await refusalOf(header, body)).toEqual([400, expect.stringContaining('cannot be decompressed')]);
});

it('a compressed body may have the limit once it is decompressed, and is given up one byte later', async () => {
  expect(await withoutEncoding(zeros(LIMIT), 'gzip', LIMIT)).toMatchObject({ ok: true });
  for (const size of [LIMIT + 1, 40 * LIMIT])
    expect(await refusalOf('gzip', zeros(size))).toEqual([413, expect.stringContaining(`${LIMIT} bytes`)]);
});
