import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../src/lib/read-answer.ts';

/** A body that gives these chunks and then ends, breaks off, or (`hang`) waits for ever. */
function body(chunks: readonly string[], end: 'close' | 'break' | 'hang' = 'close') {
  const state = { cancelled: false, pulls: 0 };
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[state.pulls];
        state.pulls += 1;
        if (chunk !== undefined) controller.enqueue(encoder.encode(chunk));
        else if (end === 'close') controller.close();
        else if (end === 'break') controller.error(new Error('Network connection lost.'));
      },
      cancel() {
        state.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { state, response: new Response(stream) };
}

describe('readAnswer', () => {
  it('reads a short answer whole', async () => {
    expect(await readAnswer(body(['{"a":', '1}']).response, 100)).toEqual({
      text: '{"a":1}',
      complete: true,
    });
  });

  it('an answer without a body is empty and complete', async () => {
    expect(await readAnswer(new Response(null, { status: 204 }), 100)).toEqual({ text: '', complete: true });
  });

  it('an answer of exactly the cap is complete, one byte more is not', async () => {
    expect(await readAnswer(body(['12345']).response, 5)).toEqual({ text: '12345', complete: true });
    expect(await readAnswer(body(['123456']).response, 5)).toEqual({ text: '12345', complete: false });
  });

  it('stops reading at the cap and cancels the rest, even of a body that never ends', async () => {
    const { state, response } = body(['1234', '5678', '9'], 'hang');
    expect(await readAnswer(response, 6)).toEqual({ text: '123456', complete: false });
    expect(state).toEqual({ cancelled: true, pulls: 2 });
  });

  it('keeps what came before the answer was cut off', async () => {
    expect(await readAnswer(body(['{"succ'], 'break').response, 100)).toEqual({
      text: '{"succ',
      complete: false,
    });
  });

  it('puts a character together that came in two chunks', async () => {
    const [first, second] = [new Uint8Array([0xc3]), new Uint8Array([0xbc])];
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(first);
        controller.enqueue(second);
        controller.close();
      },
    });
    expect(await readAnswer(new Response(stream), 100)).toEqual({ text: 'ü', complete: true });
  });
});

const declared = (response: Response, length: string, more: Record<string, string> = {}) =>
  new Response(response.body, { headers: { 'content-length': length, ...more } });

describe('a short answer of a declared length', () => {
  it('is read whole', async () => {
    const { response } = body(['{"a":', '"\u00fc"}']);
    expect(await readAnswer(declared(response, '10'), 100)).toEqual({
      text: '{"a":"\u00fc"}',
      complete: true,
    });
  });

  it('is the same text as in pieces, whatever its bytes are', async () => {
    const mark = fc.constant([0xef, 0xbb, 0xbf]);
    const anyBytes = fc.tuple(
      fc.oneof(mark, fc.constant([])),
      fc.uint8Array({ minLength: 1, maxLength: 40 }),
    );
    await fc.assert(
      fc.asyncProperty(anyBytes, async ([before, rest]) => {
        const bytes = Uint8Array.from([...before, ...rest]);
        const whole = await readAnswer(declared(new Response(bytes), String(bytes.byteLength)), 100);
        expect(whole).toEqual(await readAnswer(new Response(new Response(bytes).body), 100));
      }),
    );
  });

  it('is never longer than the cap, whatever its length says', async () => {
    const { response } = body(['123456']);
    expect(await readAnswer(declared(response, '3'), 5)).toEqual({ text: '12345', complete: false });
  });

  it('that breaks off is not complete', async () => {
    const { response } = body(['{"succ'], 'break');
    expect(await readAnswer(declared(response, '20'), 100)).toMatchObject({ complete: false });
  });

  it('that is compressed is read in pieces up to the cap: unpacked it may be of any length', async () => {
    const { state, response } = body(['1234', '5678', '9'], 'hang');
    const compressed = new Response(null, { headers: { 'content-length': '3', 'content-encoding': 'gzip' } });
    Object.defineProperty(compressed, 'body', { value: response.body });
    expect(await readAnswer(compressed, 6)).toEqual({ text: '123456', complete: false });
    expect(state.cancelled).toBe(true);
  });
});
