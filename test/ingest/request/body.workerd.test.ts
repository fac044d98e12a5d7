import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBody } from '../../../src/ingest/request/body.ts';
import { err, ok } from '../../../src/lib/result.ts';

const bytes = (...sizes: readonly number[]): Uint8Array[] =>
  sizes.map((size, i) => new Uint8Array(size).fill(i + 1));

/** A request whose body comes in these chunks, without a declared length, and then ends or breaks off. */
function chunked(chunks: readonly Uint8Array[], end: 'close' | 'break' = 'close') {
  const state = { pulls: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[state.pulls];
        state.pulls += 1;
        if (chunk !== undefined) controller.enqueue(chunk);
        else if (end === 'close') controller.close();
        else controller.error(new Error('Network connection lost.'));
      },
      cancel() {
        state.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { state, request: new Request('https://hook.example/', { method: 'POST', body }) };
}

const tooLarge = (limit: number) =>
  err({
    status: 413,
    type: 'body-too-large',
    title: 'Body too large',
    detail: `The body may have at most ${limit} bytes.`,
  });

describe('readBody', () => {
  it('is the bytes as they came', async () => {
    const sent = new Uint8Array([0xef, 0xbb, 0xbf, 0x00, 0xff, 0x0d, 0x0a]);
    const request = new Request('https://hook.example/', { method: 'POST', body: sent });
    expect(await readBody(request, 100)).toEqual(ok(sent));
  });

  it('is empty where there is none', async () => {
    expect(await readBody(new Request('https://hook.example/'), 100)).toEqual(ok(new Uint8Array()));
    expect(await readBody(new Request('https://hook.example/', { method: 'POST', body: '' }), 100)).toEqual(
      ok(new Uint8Array()),
    );
  });

  it('puts chunks together in order', async () => {
    expect(await readBody(chunked(bytes(2, 0, 1)).request, 100)).toEqual(ok(new Uint8Array([1, 1, 3])));
  });

  it('takes a body of exactly the limit and refuses one byte more', async () => {
    expect((await readBody(chunked(bytes(60, 40)).request, 100)).ok).toBe(true);
    expect(await readBody(chunked(bytes(60, 41)).request, 100)).toEqual(tooLarge(100));
  });

  it('refuses by the declared length before reading anything', async () => {
    const { state, request } = chunked(bytes(10));
    const declared = new Request(request, { headers: { 'content-length': '101' } });
    expect(await readBody(declared, 100)).toEqual(tooLarge(100));
    expect(state.pulls).toBe(0);
  });

  it('does not trust a declared length that is too small, or none', async () => {
    for (const length of ['1', '', 'x', '-5']) {
      const request = new Request(chunked(bytes(60, 60)).request, { headers: { 'content-length': length } });
      expect(await readBody(request, 100)).toEqual(tooLarge(100));
    }
  });

  it('drops what comes after the limit, so that its sender reads the answer', async () => {
    const { state, request } = chunked(bytes(60, 60, 60, 60));
    expect(await readBody(request, 100)).toEqual(tooLarge(100));
    expect(state.pulls).toBe(5);
  });

  it('an upload that breaks off is a refusal, not an exception', async () => {
    expect(await readBody(chunked(bytes(60), 'break').request, 100)).toEqual(
      err({
        status: 400,
        type: 'body-cut-off',
        title: 'Body cut off',
        detail: 'The body ended early, after 60 bytes. Send it again.',
      }),
    );
  });

  it('reads a short body of a declared length whole, and refuses it when it breaks off', async () => {
    const whole = new Request(chunked(bytes(2, 3)).request, { headers: { 'content-length': '5' } });
    expect(await readBody(whole, 100)).toEqual(ok(new Uint8Array([1, 1, 2, 2, 2])));
    const cut = new Request(chunked(bytes(2), 'break').request, { headers: { 'content-length': '5' } });
    expect(await readBody(cut, 100)).toMatchObject(err({ status: 400, type: 'body-cut-off' }));
  });

  it('reads a long body of a declared length in pieces, and refuses it at the limit', async () => {
    const { state, request } = chunked(bytes(60_000, 60_000, 60_000));
    const declared = new Request(request, { headers: { 'content-length': '70000' } });
    expect(await readBody(declared, 80_000)).toEqual(tooLarge(80_000));
    expect(state.pulls).toBe(4);
  });

  it('is all of the bytes or a refusal, however they are cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 }), async (chunks) => {
        const whole = new Uint8Array(chunks.flatMap((chunk) => [...chunk]));
        expect(await readBody(chunked(chunks).request, 100)).toEqual(
          whole.length > 100 ? tooLarge(100) : ok(whole),
        );
      }),
    );
  });
});
