import { withTimeout, type WithTimeout } from './timeout.ts';

/** The maximum number of bytes of a refused body that are read and dropped. */
const MAX_DRAINED_BYTES = 8 * 1_024 * 1_024;
/** The maximum time for that (ms): a sender that stalls must not keep a request open. */
const MAX_DRAIN_MS = 3_000;

/**
 * Reads the rest of a body and drops it, within limits. If a connection is closed while the sender is still writing,
 * the sender sees a reset in place of the answer (RFC 9112 §9.6). Never throws: the answer does not depend on it.
 */
export async function drain(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  timeout: WithTimeout = withTimeout,
): Promise<void> {
  try {
    await timeout(MAX_DRAIN_MS, async (signal) => {
      const stopped = new Promise<{ readonly done: true }>((resolve) => {
        signal.addEventListener('abort', () => resolve({ done: true }), { once: true });
      });
      for (let bytes = 0; bytes < MAX_DRAINED_BYTES;) {
        const read = await Promise.race([reader.read(), stopped]);
        if (read.done) break;
        bytes += read.value.byteLength;
      }
    });
    await reader.cancel();
  } catch {
    // The sender is gone.
  }
}

/** Drains a request whose body nobody has read. */
export async function drainUnread(request: Request): Promise<void> {
  const body: ReadableStream<Uint8Array> | null = request.body;
  if (body !== null && !request.bodyUsed && !body.locked) await drain(body.getReader());
}
