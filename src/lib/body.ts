import { aborted, withTimeout, type WithTimeout } from './wait.ts';

/** The beginning of an answer. `complete` is false if it was cut off, timed out, or was longer than the limit. */
type AnswerText = Readonly<{ text: string; complete: boolean }>;

/** Cancels the rest. Never throws: returns what was received, or nothing of a short answer that broke off. */
export async function readAnswer(response: Response, maxBytes: number): Promise<AnswerText> {
  const length = Number(response.headers.get('content-length'));
  // A compressed answer may have any length once it is unpacked.
  const isShort = length > 0 && length <= maxBytes && !response.headers.has('content-encoding');
  if (!isShort) return readPieces(response, maxBytes);
  try {
    // In one step, which takes half the time of a reader. HTTP never delivers more than the declared length.
    const text = await response.text();
    return { text: text.slice(0, maxBytes), complete: text.length <= maxBytes };
  } catch {
    return { text: '', complete: false };
  }
}

async function readPieces({ body }: Response, maxBytes: number): Promise<AnswerText> {
  const decoder = new TextDecoder();
  let text = '';
  let left = maxBytes;
  const pieces: AsyncIterable<Uint8Array> | readonly never[] = body ?? [];
  try {
    for await (const piece of pieces) {
      text += decoder.decode(piece.subarray(0, left), { stream: true });
      left -= piece.byteLength;
      // Leaving the loop cancels the rest.
      if (left < 0) return { text, complete: false };
    }
    return { text: text + decoder.decode(), complete: true };
  } catch {
    // The answer was cut off or timed out.
    return { text, complete: false };
  }
}

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
      const stopped = aborted(signal);
      for (let bytes = 0; bytes < MAX_DRAINED_BYTES;) {
        const read = await Promise.race([reader.read(), stopped]);
        if (read?.value === undefined) break;
        bytes += read.value.byteLength;
      }
    });
    await reader.cancel();
  } catch {
    // The sender is gone.
  }
}

export async function drainUnread(request: Request): Promise<void> {
  const body: ReadableStream<Uint8Array> | null = request.body;
  if (body !== null && !request.bodyUsed && !body.locked) await drain(body.getReader());
}
