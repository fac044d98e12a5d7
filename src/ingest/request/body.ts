import type { Problem, ProblemKind } from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';

export const BODY_TOO_LARGE = {
  status: 413,
  type: 'body-too-large',
  title: 'Body too large',
} as const satisfies ProblemKind;

export const BODY_CUT_OFF = {
  status: 400,
  type: 'body-cut-off',
  title: 'Body cut off',
} as const satisfies ProblemKind;

/** Why a body was not read: it is over the limit, or the sender stopped before its end. */
type BodyRefusal = Problem & (typeof BODY_TOO_LARGE | typeof BODY_CUT_OFF);

/**
 * The request's body, at most `limitBytes` of it. A declared length over the limit is refused before anything is read;
 * without one (chunked) reading stops with the chunk that passes the limit, and the rest is never read.
 */
export async function readBody(
  request: Request,
  limitBytes: number,
): Promise<Result<Uint8Array, BodyRefusal>> {
  if (Number(request.headers.get('content-length')) > limitBytes) return err(tooLarge(limitBytes));
  const body: ReadableStream<Uint8Array> | null = request.body;
  if (body === null) return ok(new Uint8Array());
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return ok(joined(chunks, size));
      size += value.byteLength;
      if (size > limitBytes) break;
      chunks.push(value);
    }
  } catch {
    return err(cutOff(size));
  }
  // The refusal does not depend on whether the cancellation succeeds.
  await reader.cancel().catch(() => undefined);
  return err(tooLarge(limitBytes));
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  // Nearly every webhook comes in one piece.
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0];
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

export const tooLarge = (limitBytes: number): BodyRefusal => ({
  ...BODY_TOO_LARGE,
  detail: `The body may have ${limitBytes} bytes at most.`,
});

export const cutOff = (bytes: number): BodyRefusal => ({
  ...BODY_CUT_OFF,
  detail: `The body broke off after ${bytes} bytes. Send it again.`,
});
