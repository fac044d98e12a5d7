import { expect, it } from 'vitest';
import { drain, drainUnread } from '../../src/lib/body.ts';
import type { WithTimeout } from '../../src/lib/wait.ts';
import { turn } from '../eventually.ts';

const KIB_64 = 65_536;

/** A body of N chunks; `stalls`: it never ends. */
function body(chunks: number, stalls = false) {
  const state = { pulls: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        state.pulls += 1;
        if (state.pulls <= chunks) controller.enqueue(new Uint8Array(KIB_64));
        else if (stalls) return new Promise<void>(() => undefined);
        else controller.close();
        return undefined;
      },
      cancel() {
        state.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { state, stream };
}

it('a refused body is read to its end', async () => {
  const { state, stream } = body(10);
  await drain(stream.getReader());
  expect(state.pulls).toBe(11);
});

it('a refused body is read up to eight MiB, and cancelled then', async () => {
  const { state, stream } = body(1_000);
  await drain(stream.getReader());
  expect(state).toEqual({ pulls: 128, cancelled: true });
});

it('a refused body of a sender that stalls is given up after its time', async () => {
  const { state, stream } = body(3, true);
  const controller = new AbortController();
  const timeout: WithTimeout = async (ms, work) => {
    expect(ms).toBe(3_000);
    const done = work(controller.signal);
    void turn().then(() => controller.abort());
    return done;
  };
  await drain(stream.getReader(), timeout);
  expect(state).toEqual({ pulls: 4, cancelled: true });
});

it('a refused body that breaks off is no fault of the answer', async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new Error('Network connection lost.'));
    },
  });
  await expect(drain(broken.getReader())).resolves.toBeUndefined();
});

it('a refused body is drained only where nobody has read it', async () => {
  const { state, stream } = body(2);
  // Node asks for `duplex` with a stream, which workerd does not know.
  const init = { method: 'POST', body: stream, duplex: 'half' };
  const request = new Request('https://hook.example/', init);
  await request.arrayBuffer();
  const { pulls } = state;
  await drainUnread(request);
  await drainUnread(new Request('https://hook.example/'));
  expect(state.pulls).toBe(pulls);
});
