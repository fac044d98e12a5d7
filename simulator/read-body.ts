import type { IncomingMessage } from 'node:http';
import { concatenated } from '../src/lib/encoding.ts';
import { err, ok, type Result } from '../src/lib/result.ts';

/** `too_large`: the rest is discarded, so that the client gets the answer. `aborted`: nobody gets one. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Result<Uint8Array, 'too_large' | 'aborted'>> {
  const { promise, resolve } = Promise.withResolvers<Result<Uint8Array, 'too_large' | 'aborted'>>();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  request.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else resolve(err('too_large'));
  });
  request.on('end', () => resolve(ok(concatenated(chunks))));
  request.on('error', () => resolve(err('aborted')));
  request.on('close', () => resolve(err('aborted')));
  return promise;
}
