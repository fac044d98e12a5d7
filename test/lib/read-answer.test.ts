import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../src/lib/body.ts';

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

const read = (chunks: readonly string[], cap: number, end?: 'break') =>
  readAnswer(body(chunks, end).response, cap);

describe('an answer', () => {
  it('is read whole up to the cap', async () => {
    expect(await read(['{"a":', '1}'], 100)).toEqual({ text: '{"a":1}', complete: true });
    expect(await read(['12345'], 5)).toEqual({ text: '12345', complete: true });
    expect(await read(['123456'], 5)).toEqual({ text: '12345', complete: false });
    expect(await readAnswer(new Response(null, { status: 204 }), 100)).toEqual({ text: '', complete: true });
  });

  it('is read to the cap, and the rest cancelled, even of a body that never ends', async () => {
    const { state, response } = body(['1234', '5678', '9'], 'hang');
    expect(await readAnswer(response, 6)).toEqual({ text: '123456', complete: false });
    expect(state).toEqual({ cancelled: true, pulls: 2 });
  });

  it('keeps what came before it was cut off, and puts a character together that came in two chunks', async () => {
    expect(await read(['{"succ'], 100, 'break')).toEqual({ text: '{"succ', complete: false });
    const stream = new ReadableStream({
      start(controller) {
        for (const byte of [0xc3, 0xbc]) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect(await readAnswer(new Response(stream), 100)).toEqual({ text: 'ü', complete: true });
  });
});

const declared = (response: Response, length: string, more: Record<string, string> = {}) =>
  new Response(response.body, { headers: { 'content-length': length, ...more } });

const given = (chunks: readonly string[], length: string, cap: number, end?: 'break') =>
  readAnswer(declared(body(chunks, end).response, length), cap);

describe('a short answer of a declared length', () => {
  it('is read whole, never longer than the cap, and is not complete when it breaks off', async () => {
    expect(await given(['{"a":', '"ü"}'], '10', 100)).toEqual({ text: '{"a":"ü"}', complete: true });
    expect(await given(['123456'], '3', 5)).toEqual({ text: '12345', complete: false });
    expect(await given(['{"succ'], '20', 100, 'break')).toMatchObject({ complete: false });
  });

  it('is the same text as in pieces, whatever its bytes are', async () => {
    const mark = fc.constantFrom([], [0xef, 0xbb, 0xbf]);
    const anyBytes = fc.tuple(mark, fc.uint8Array({ minLength: 1, maxLength: 40 }));
    await fc.assert(
      fc.asyncProperty(anyBytes, async ([before, rest]) => {
        const bytes = Uint8Array.from([...before, ...rest]);
        const whole = await readAnswer(declared(new Response(bytes), String(bytes.byteLength)), 100);
        expect(whole).toEqual(await readAnswer(new Response(new Response(bytes).body), 100));
      }),
    );
  });

  it('that is compressed is read in pieces up to the cap: unpacked it may be of any length', async () => {
    const { state, response } = body(['1234', '5678', '9'], 'hang');
    const compressed = new Response(null, { headers: { 'content-length': '3', 'content-encoding': 'gzip' } });
    Object.defineProperty(compressed, 'body', { value: response.body });
    expect(await readAnswer(compressed, 6)).toEqual({ text: '123456', complete: false });
    expect(state.cancelled).toBe(true);
  });
});
