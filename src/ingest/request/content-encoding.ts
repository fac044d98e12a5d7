import { err, ok, type Result } from '../../lib/result.ts';
import { joined, NO_MEMORY, tooLarge } from './body.ts';
import { SMALL_BODY_BYTES, type BodyMemory } from './under-way.ts';
import type { RejectedProblem } from './verify.ts';

/** Encodings that change nothing. A charset is none, but some senders put it there. */
const PLAIN: ReadonlySet<string> = new Set(['', 'identity', 'utf-8', 'utf8']);

/**
 * Undoes the `Content-Encoding` of a body, which may then have at most `limitBytes`. A body without one is returned as
 * it is.
 */
export async function withoutEncoding(
  body: Uint8Array,
  header: string | null,
  limitBytes: number,
  memory?: BodyMemory,
): Promise<Result<Uint8Array, RejectedProblem>> {
  const encoding = (header ?? '').trim().toLowerCase();
  if (PLAIN.has(encoding) || body.length === 0) return ok(body);
  const format = FORMATS.get(encoding);
  return format === undefined ? err(unsupported(encoding)) : decompressed(body, format, limitBytes, memory);
}

type Format = 'gzip' | 'deflate';

/**
 * RFC 9110 §8.4.1: `deflate` has the header of zlib. Without it, almost any bytes could be compressed ones, and a signed
 * body could be shown as another.
 */
const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
]);

/**
 * A byte may become a thousand, and the platform decompresses all that it is given before it hands anything over. So it
 * gets this many bytes at a time, and no more once the limit is passed.
 */
const PIECE_BYTES = 1_024;

async function decompressed(
  body: Uint8Array,
  format: Format,
  limitBytes: number,
  memory?: BodyMemory,
): Promise<Result<Uint8Array, RejectedProblem>> {
  let at = 0;
  const pieces = new ReadableStream<BufferSource>({
    pull(controller) {
      if (at >= body.length) return controller.close();
      controller.enqueue(body.slice(at, at + PIECE_BYTES));
      at += PIECE_BYTES;
    },
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of pieces.pipeThrough(new DecompressionStream(format))) {
      size += chunk.byteLength;
      if (size > limitBytes) return err(tooLarge(limitBytes, `at least ${size}`));
      if (size > SMALL_BODY_BYTES && memory?.reserve(limitBytes) === false) return err(NO_MEMORY);
      chunks.push(chunk);
    }
  } catch {
    return err(damaged(format));
  }
  return ok(joined(chunks, size));
}

const unsupported = (encoding: string): RejectedProblem => ({
  status: 415,
  type: 'unsupported-type',
  title: 'Unsupported media type',
  detail: `Bodies with the Content-Encoding ${NAME.test(encoding) ? `\`${encoding}\`` : '…'} are not accepted. Send gzip, deflate, or none.`,
});

/** A header's value that may be shown: whole or not at all, since redaction does not recognise a part of a secret. */
const NAME = /^[\w.-]{1,20}$/;

const damaged = (format: Format): RejectedProblem => ({
  status: 400,
  type: 'malformed-body',
  title: 'Malformed body',
  detail: `The body is not what its Content-Encoding says: it cannot be decompressed as ${format}. Send it again.`,
});
