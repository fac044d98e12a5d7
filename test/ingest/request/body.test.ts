import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { BodyMemory, readBody } from '../../../src/ingest/request/receive.ts';
import { err, ok } from '../../../src/lib/result.ts';
import type { WithTimeout } from '../../../src/lib/wait.ts';
import { turn } from '../../eventually.ts';
import { requestWith } from '../support.ts';

const bytes = (...sizes: readonly number[]): Uint8Array[] =>
  sizes.map((size, i) => new Uint8Array(size).fill(i + 1));

/** A request whose body comes in these chunks, and then ends or breaks off. */
function chunked(chunks: readonly Uint8Array[], length?: string, end: 'close' | 'break' = 'close') {
  const state = { pulls: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[state.pulls];
        state.pulls += 1;
        if (chunk !== undefined) controller.enqueue(chunk);
        else if (end === 'close') controller.close();
        else controller.error(new Error('Network connection lost.'));
      },
    },
    { highWaterMark: 0 },
  );
  return { state, request: requestWith(body, length === undefined ? {} : { 'content-length': length }) };
}

const tooLarge = (limit: number) =>
  err({
    status: 413,
    type: 'body-too-large',
    title: 'Body too large',
    detail: expect.stringMatching(
      new RegExp(`^The body may have at most ${limit} bytes, and this one has (at least )?\\d+\\.$`),
    ) as unknown,
  });

const proven = () => Object.assign(new BodyMemory(0), { isOpen: false });

it('readBody is the bytes as they came, or none', async () => {
  const sent = new Uint8Array([0xef, 0xbb, 0xbf, 0x00, 0xff, 0x0d, 0x0a]);
  expect(await readBody(requestWith(sent), 100)).toEqual(ok(sent));
  for (const none of [new Request('https://hook.example/'), requestWith('')])
    expect(await readBody(none, 100)).toEqual(ok(new Uint8Array()));
  expect(await readBody(chunked(bytes(2, 0, 1)).request, 100)).toEqual(ok(new Uint8Array([1, 1, 3])));
  const declared = chunked(bytes(2, 3), '5').request;
  expect(await readBody(declared, 100)).toEqual(ok(new Uint8Array([1, 1, 2, 2, 2])));
});

it('readBody takes a body of exactly the limit and refuses one byte more, whatever length it declares', async () => {
  expect((await readBody(chunked(bytes(60, 40)).request, 100)).ok).toBe(true);
  for (const length of [undefined, '1', '', 'x', '-5'])
    expect(await readBody(chunked(bytes(60, 41), length).request, 100)).toEqual(tooLarge(100));
});

it('readBody refuses by the declared length before reading anything', async () => {
  const { state, request } = chunked(bytes(10), '101');
  expect(await readBody(request, 100)).toEqual(tooLarge(100));
  expect(state.pulls).toBe(0);
});

it('readBody drops what comes after the limit, so that its sender reads the answer', async () => {
  const { state, request } = chunked(bytes(60, 60, 60, 60));
  expect(await readBody(request, 100)).toEqual(tooLarge(100));
  expect(state.pulls).toBe(5);
  const long = chunked(bytes(60_000, 60_000, 60_000), '70000');
  expect(await readBody(long.request, 80_000)).toEqual(tooLarge(80_000));
  expect(long.state.pulls).toBe(4);
});

it('readBody refuses an upload that breaks off, and throws nothing', async () => {
  expect(await readBody(chunked(bytes(60), undefined, 'break').request, 100)).toEqual(
    err({
      status: 400,
      type: 'body-cut-off',
      title: 'Body cut off',
      detail: 'The body ended early or stalled, after 60 bytes. Send it again.',
    }),
  );
  const cut = chunked(bytes(2), '5', 'break').request;
  expect(await readBody(cut, 100)).toMatchObject(err({ status: 400, type: 'body-cut-off' }));
});

it('readBody reads a large one only while there is memory for it, and a small one beside it', async () => {
  const MIB = 1_048_576;
  const large = (length?: string) => chunked(bytes(MIB, MIB, 1), length);
  const first = proven();
  expect((await readBody(large().request, 4 * MIB, first)).ok).toBe(true);
  for (const length of [undefined, String(2 * MIB + 1)]) {
    const { state, request } = large(length);
    expect(await readBody(request, 4 * MIB, proven())).toMatchObject(
      err({ status: 503, headers: { 'retry-after': '5' } }),
    );
    if (length !== undefined) expect(state.pulls).toBe(0);
  }
  const small = proven();
  expect((await readBody(chunked(bytes(MIB)).request, 4 * MIB, small)).ok).toBe(true);
  expect(small.reserve(MIB)).toBe(true);
  for (const one of [first, small]) one.release();
  const again = proven();
  expect((await readBody(large().request, 4 * MIB, again)).ok).toBe(true);
  again.release();
});

it('readBody refuses an upload that has not ended before its memory is forgotten', async () => {
  const waits: number[] = [];
  const atOnce: WithTimeout = (ms, work) => {
    waits.push(ms);
    const late = new AbortController();
    void turn().then(() => late.abort());
    return work(late.signal);
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(70_000)),
  });
  const request = requestWith(body, { 'content-length': '80000' });
  expect(await readBody(request, 100_000, proven(), atOnce)).toMatchObject(
    err({
      status: 400,
      type: 'body-cut-off',
      detail: expect.stringContaining('stalled, after 70000 bytes') as unknown,
    }),
  );
  expect(waits[0]).toBeLessThan(60_000);
});

it('uploads that stall leave memory for others, and give theirs back', async () => {
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<null>();
  const stalled = Array.from({ length: 100 }, () => {
    const memory = proven();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of bytes(60_000, 900_000)) controller.enqueue(chunk);
        void goesOn.then(() => controller.close());
      },
    });
    const request = requestWith(body, { 'content-length': '1000000' });
    return { memory, read: readBody(request, 4_194_304, memory) };
  });
  const small = proven();
  expect(small.reserve(60_000)).toBe(true);
  goOn(null);
  const ends = await Promise.all(stalled.map(({ read }) => read));
  expect(ends.filter(({ ok: isRead }) => isRead).length).toBeLessThan(60);
  for (const { memory } of [...stalled, { memory: small }]) memory.release();
  const again = proven();
  expect((await readBody(chunked(bytes(960_000), '960000').request, 4_194_304, again)).ok).toBe(true);
  again.release();
});

it('readBody is all of the bytes or a refusal, however they are cut into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 }), async (chunks) => {
      const whole = new Uint8Array(chunks.flatMap((chunk) => [...chunk]));
      expect(await readBody(chunked(chunks).request, 100)).toEqual(
        whole.length > 100 ? tooLarge(100) : ok(whole),
      );
    }),
  );
});
