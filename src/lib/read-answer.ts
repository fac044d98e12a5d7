/** The beginning of an answer. `complete`: false when it was cut off, timed out, or was longer than this. */
interface AnswerText {
  readonly text: string;
  readonly complete: boolean;
}

/** Reads at most `maxBytes` of the body and cancels the rest. Never throws: returns what was received. */
export async function readAnswer(response: Response, maxBytes: number): Promise<AnswerText> {
  const decoder = new TextDecoder();
  let text = '';
  let left = maxBytes;
  const body: ReadableStream<Uint8Array> | null = response.body;
  if (body === null) return { text, complete: true };
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { text: text + decoder.decode(), complete: true };
      text += decoder.decode(value.subarray(0, left), { stream: true });
      left -= value.byteLength;
      if (left < 0) break;
    }
    await reader.cancel();
  } catch {
    // Cut off or timed out: the connection ended before the answer did.
  }
  return { text, complete: false };
}
