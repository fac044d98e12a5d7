import type { Problem, ProblemKind } from '../../lib/problem.ts';
import { drain } from '../../lib/drain.ts';
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

/** The reason why a body was not read: it is over the limit, or the sender stopped before its end. */
type BodyRefusal = Problem & (typeof BODY_TOO_LARGE | typeof BODY_CUT_OFF);

/**
 * Reads the request's body, at most `limitBytes` of it. If the declared length is over the limit, nothing is read.
 * Without a declared length (chunked), everything beyond the limit is dropped.
 */
export async function readBody(
  request: Request,
  limitBytes: number,
): Promise<Result<Uint8Array, BodyRefusal>> {
  const declared = Number(request.headers.get('content-length'));
  if (declared > limitBytes) return err(tooLarge(limitBytes));
  return declared > 0 && declared <= MAX_AT_ONCE
    ? readWhole(request, limitBytes)
    : readPieces(request, limitBytes);
}

/** Nearly every webhook is shorter. A longer one is read in pieces, so that a sender that stalls holds less memory. */
const MAX_AT_ONCE = 65_536;

/** In one step, which takes half the time of a reader: HTTP hands over no more than the declared length. */
async function readWhole(request: Request, limitBytes: number): Promise<Result<Uint8Array, BodyRefusal>> {
  try {
    const body = new Uint8Array(await request.arrayBuffer());
    return body.byteLength > limitBytes ? err(tooLarge(limitBytes)) : ok(body);
  } catch {
    return err(cutOff());
  }
}

async function readPieces(request: Request, limitBytes: number): Promise<Result<Uint8Array, BodyRefusal>> {
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
  await drain(reader);
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
  detail: `The body may have at most ${limitBytes} bytes.`,
});

/** `bytes`: the number of bytes that came; unknown for a body that is read in one step. */
export const cutOff = (bytes?: number): BodyRefusal => ({
  ...BODY_CUT_OFF,
  detail: `The body ended ${bytes === undefined ? 'early' : `early, after ${bytes} bytes`}. Send it again.`,
});
