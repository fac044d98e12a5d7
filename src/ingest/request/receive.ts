import type { LoadedConfig, Source } from '../../config/compiled/config.ts';
import { secretsSet } from '../../config/secrets/named-secrets.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { isOpen } from '../../config/compiled/source-limit.ts';
import type { Arrival, RawRequest } from './event.ts';
import { UNSUPPORTED_TYPE, type RejectedProblem } from './verify.ts';
import { parseBody } from '../parse/parse.ts';
import { drain } from '../../lib/body.ts';
import { concatenated } from '../../lib/encoding.ts';
import { MEMORY } from '../../lib/shares.ts';
import { aborted, withTimeout, type WithTimeout } from '../../lib/wait.ts';

/** The size of a body that is taken whatever the sender is. A larger one must leave memory for those. */
export const SMALL_BODY_BYTES = 1_048_576;

/** Of a sender that proves itself. No option raises it: an event's row must hold its payload (see `accept.ts`). */
const MAX_PROVEN_BYTES = 4 * SMALL_BODY_BYTES;

/** The cap on a body of this source. That of a form without files is what its fields can need, or a little more. */
export function maxBodyBytes({ verify, form }: Pick<Source, 'form' | 'verify'>): number {
  if (!isOpen(verify)) return MAX_PROVEN_BYTES;
  if (form === null || form.keepsOthers || form.fields.some(({ kind }) => kind === 'file'))
    return SMALL_BODY_BYTES;
  const bytes = form.fields.reduce((sum, { name, max }) => sum + MAX_UNIT_BYTES * (name.length + max), 0);
  return Math.min(SMALL_BODY_BYTES, Math.max(LEAST_FORM_BYTES, bytes));
}

/** A UTF-16 unit of a URL-encoded form, as `%E2%82%AC`. */
const MAX_UNIT_BYTES = 9;

/** Leaves room for fields that are dropped, and for texts that are too long, whose visitors read which they are. */
const LEAST_FORM_BYTES = 65_536;

/** The method of an event; a handshake may have another one. */
export const EVENT_METHODS: readonly string[] = ['POST', 'PUT'];

/** The path of a webhook, in percent-decoded parts. */
export type Address = Readonly<{ sourceId: string; pathToken: string | undefined }>;

/** The surroundings of a request. `now`: when it came in (ms). */
export type Receiving = Readonly<{ config: LoadedConfig; env: Env; memory: BodyMemory; now: number }>;

/** The reason why a request was not received. `arrival`: what came; null if there is no such source. */
type NotReceived = Readonly<{ problem: RejectedProblem; arrival: Arrival | null }>;

/** Finds the source and reads the body. Nothing is trusted yet; only the size is bounded. */
export async function receive(
  request: Request,
  address: Address,
  { config, env, memory, now }: Receiving,
): Promise<Result<RawRequest, NotReceived>> {
  const source = config.sources.get(address.sourceId);
  if (source === undefined) return err({ problem: UNKNOWN_SOURCE, arrival: null });
  const { method, headers } = request;
  const arrival = arrivalOf(request, address, source, { env, now });
  if (!expectsPath(source, address)) return err({ problem: unexpectedPath(source.id), arrival });
  const methods = allowedMethods(source);
  if (!methods.includes(method)) return err({ problem: wrongMethod(method, methods), arrival });
  memory.isOpen = source.isOpen;
  const sent = await readBody(request, maxBodyBytes(source), memory);
  if (!sent.ok) return err({ problem: sent.error, arrival });
  const encoding = headers.get('content-encoding');
  const body = await withoutEncoding(sent.value, encoding, maxBodyBytes(source), memory);
  if (!body.ok) return err({ problem: body.error, arrival });
  if (!memory.reserve(body.value.byteLength)) return err({ problem: NO_MEMORY, arrival });
  let made: ReturnType<RawRequest['parsed']> | undefined;
  const parsed = () => (made ??= parseBody(headers.get('content-type'), body.value, source.provider.body));
  const compressed = sent.value === body.value ? undefined : sent.value;
  return ok({ ...arrival, body: body.value, compressed, parsed });
}

export const arrivalOf = (
  { method, url, headers }: Request,
  { pathToken }: Address,
  source: Source,
  { env, now }: Pick<Receiving, 'env' | 'now'>,
): Arrival => ({
  source,
  method,
  url: new URL(url),
  sentUrl: url,
  headers,
  pathToken,
  registeredUrl: source.url,
  secrets: secretsSet(source.secrets, env),
  receivedAt: now,
});

/** A second segment is the source's token. If the source has no token, the address does not belong to it. */
const expectsPath = ({ verify }: Source, { pathToken }: Address): boolean =>
  pathToken === undefined ||
  (verify.scheme === 'any' ? verify.of : [verify]).some((one) => one.scheme === 'token' && one.in === 'path');

/** `GET`, `HEAD` and `OPTIONS` only where the provider's handshake uses one of them. */
export const allowedMethods = ({ provider }: Source): readonly string[] => [
  ...new Set([...EVENT_METHODS, ...(provider.handshakes ?? []).map(({ match }) => match.method)]),
];

/** The address is not repeated: it may hold a token, even where none is expected. */
const UNKNOWN_SOURCE: RejectedProblem = {
  status: 404,
  type: 'unknown-source',
  detail: 'There is no such source here. Check the address, or publish a source with that name.',
};

const unexpectedPath = (id: string): RejectedProblem => ({
  ...UNKNOWN_SOURCE,
  detail: `The source \`${id}\` takes no token in its address. Post to \`/hooks/${id}\`.`,
});

/** `allowed` becomes the `Allow` header (RFC 9110 §15.5.6). */
export const wrongMethod = (method: string, allowed: readonly string[]): RejectedProblem => ({
  status: 405,
  type: 'method-not-allowed',
  detail: `Webhooks are sent with ${allowed.join(' or ')}; this was a ${method}.`,
  headers: { allow: allowed.join(', ') },
});

export const BODY_TOO_LARGE = { status: 413, type: 'body-too-large', title: 'Body too large' } as const;
export const BODY_CUT_OFF = { status: 400, type: 'body-cut-off', title: 'Body cut off' } as const;

const NO_MEMORY = {
  status: 503,
  type: 'not-accepted',
  detail: 'There is no memory for a body of this size at the moment. Send it again.',
  headers: { 'retry-after': '5' },
} as const satisfies RejectedProblem;

/** Nothing is read of what is declared too large. Memory for a large body is reserved before it is read. */
export async function readBody(
  request: Request,
  limitBytes: number,
  memory?: BodyMemory,
  timeout: WithTimeout = withTimeout,
): Promise<Result<Uint8Array, RejectedProblem>> {
  const declared = Number(request.headers.get('content-length'));
  if (declared > limitBytes) return err(tooLarge(limitBytes, declared));
  if (declared > SMALL_BODY_BYTES && memory?.reserve(declared) === false) return err(NO_MEMORY);
  if (declared > 0 && declared <= MAX_AT_ONCE)
    try {
      // In one step, which takes half the time of a reader: HTTP hands over no more than the declared length.
      const body = new Uint8Array(await request.arrayBuffer());
      return body.byteLength > limitBytes ? err(tooLarge(limitBytes, body.byteLength)) : ok(body);
    } catch {
      return err(cutOff());
    }
  const body: ReadableStream<Uint8Array> | null = request.body;
  if (body === null) return ok(new Uint8Array());
  const reader = body.getReader();
  const growing = declared > SMALL_BODY_BYTES ? undefined : memory;
  const read = await timeout(MAX_UPLOAD_MS, (signal) => {
    const late = aborted(signal).then(() => Promise.reject(new Error('the upload takes too long')));
    return readPieces({ read: () => Promise.race([reader.read(), late]) }, limitBytes, growing, cutOff);
  });
  if (!read.ok) await drain(reader, timeout);
  return read;
}

/** Nearly every webhook is shorter. A longer one is read in pieces, so that a sender that stalls holds less memory. */
const MAX_AT_ONCE = 65_536;

/** An upload in pieces ends before its memory is forgotten (ms), or others could be added without end. */
const MAX_UPLOAD_MS = 50_000;

/** The whole of what is read. `broken`: the refusal of a body that breaks off after so many bytes. */
async function readPieces(
  reader: Pick<ReadableStreamDefaultReader<Uint8Array>, 'read'>,
  limitBytes: number,
  memory: BodyMemory | undefined,
  broken: (size: number) => RejectedProblem,
): Promise<Result<Uint8Array, RejectedProblem>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return ok(concatenated(chunks));
      size += value.byteLength;
      if (size > limitBytes) return err(tooLarge(limitBytes, `at least ${size}`));
      // A body whose length was not declared may become as large as its limit.
      const hasRoom = size > SMALL_BODY_BYTES ? memory?.reserve(limitBytes) : memory?.arrive(size);
      if (hasRoom === false) return err(NO_MEMORY);
      chunks.push(value);
    }
  } catch {
    return err(broken(size));
  }
}

/** `bytes`: the number that it has, as a person writes it. */
export const tooLarge = (limitBytes: number, bytes: number | string): RejectedProblem => ({
  ...BODY_TOO_LARGE,
  detail: `The body may have at most ${limitBytes} bytes, and this one has ${bytes}.`,
});

/** `bytes`: the number of bytes that came; unknown for a body that is read in one step. */
const cutOff = (bytes?: number): RejectedProblem => ({
  ...BODY_CUT_OFF,
  detail: `The body ended early or stalled${bytes === undefined ? '' : `, after ${bytes} bytes`}. Send it again.`,
});

/** Encodings that change nothing. A charset is none, but some senders put it there. */
const PLAIN: ReadonlySet<string> = new Set(['', 'identity', 'utf-8', 'utf8']);

/** A body with a `Content-Encoding` may have at most `limitBytes` without it. */
export async function withoutEncoding(
  body: Uint8Array,
  header: string | null,
  limitBytes: number,
  memory?: BodyMemory,
): Promise<Result<Uint8Array, RejectedProblem>> {
  const encoding = (header ?? '').trim().toLowerCase();
  if (PLAIN.has(encoding) || body.length === 0) return ok(body);
  const format = encoding.replace(/^x-gzip$/, 'gzip');
  // RFC 9110 §8.4.1: `deflate` has zlib's header. Without it, almost any signed bytes could be read as compressed.
  if (format !== 'gzip' && format !== 'deflate') return err(unsupported(encoding));
  let at = 0;
  const pieces = new ReadableStream<BufferSource>({
    pull(controller) {
      if (at >= body.length) return controller.close();
      controller.enqueue(body.slice(at, at + PIECE_BYTES));
      at += PIECE_BYTES;
    },
  });
  const reader = pieces.pipeThrough(new DecompressionStream(format)).getReader();
  const detail = `The body is not what its Content-Encoding says: it cannot be decompressed as ${format}. Send it again.`;
  const broken = () => ({ status: 400, type: 'malformed-body', detail }) as const;
  const read = await readPieces(reader, limitBytes, memory, broken);
  if (!read.ok) await reader.cancel().catch(() => undefined);
  return read;
}

/** A byte may become a thousand, and the platform decompresses all that it is given: so it gets little at a time. */
const PIECE_BYTES = 1_024;

const unsupported = (encoding: string): RejectedProblem => ({
  ...UNSUPPORTED_TYPE,
  detail: `Bodies with the Content-Encoding ${NAME.test(encoding) ? `\`${encoding}\`` : '…'} are not accepted. Send gzip, deflate, or none.`,
});

/** A header's value that may be shown: whole or not at all, since redaction does not recognise a part of a secret. */
const NAME = /^[\w.-]{1,20}$/;

/** The maximum memory that one byte of a body needs once it is parsed: `[[[]]]` becomes lists in lists. */
const MEMORY_PER_BODY_BYTE = 12;

/**
 * Whose a body is: a source that cannot prove its sender, or another one, whose large bodies leave memory for small ones,
 * as do those that have yet to come as a whole.
 */
type Kind = 'open' | 'large' | 'small' | 'arriving';

/** A cancelled request may never report that it is done, so it is forgotten after this (ms). */
const FORGOTTEN_AFTER_MS = 60_000;

export class UnderWay {
  /** What gives the bytes back, and the time when they are forgotten. */
  readonly #held = new Map<() => void, number>();
  readonly #bytes: Record<Kind, number> = { open: 0, large: 0, small: 0, arriving: 0 };

  /** Returns a function that releases the bytes; null if too much is under way. `now` in ms. */
  take(bytes: number, now: number, kind: Kind): (() => void) | null {
    for (const [giveBack, until] of this.#held) {
      if (until > now) break;
      giveBack();
    }
    const { open, large, small, arriving } = this.#bytes;
    if (open + large + small + arriving + bytes > MEMORY.all) return null;
    if (kind !== 'small' && this.#bytes[kind] + bytes > MEMORY[kind]) return null;
    const giveBack = (): void => {
      if (this.#held.delete(giveBack)) this.#bytes[kind] -= bytes;
    };
    this.#held.set(giveBack, now + FORGOTTEN_AFTER_MS);
    this.#bytes[kind] += bytes;
    return giveBack;
  }
}

export const underWay = new UnderWay();

/** The memory of one webhook's body, from the time when its size is known until the webhook is answered. */
export class BodyMemory {
  /** True if its source cannot prove its sender, or is not known yet. */
  isOpen = true;
  readonly #now: number;
  #bytes = 0;
  #done: (() => void) | null = null;

  constructor(now: number) {
    this.#now = now;
  }

  /** Reserves memory for a body of this size. False if there is too little. */
  reserve(bytes: number): boolean {
    if (this.#done !== null && bytes <= this.#bytes) return true;
    this.#bytes = bytes;
    return this.#take(MEMORY_PER_BODY_BYTE * bytes, bytes > SMALL_BODY_BYTES ? 'large' : 'small');
  }

  /** The same for what has come of a body so far: its sender may stall, and it leaves memory for those that are short. */
  arrive(bytes: number): boolean {
    return this.#bytes > 0 || bytes <= MAX_AT_ONCE || this.#take(bytes, 'arriving');
  }

  #take(bytes: number, kind: Kind): boolean {
    this.release();
    this.#done = underWay.take(bytes, this.#now, this.isOpen ? 'open' : kind);
    return this.#done !== null;
  }

  release(): void {
    this.#done?.();
    this.#done = null;
  }
}
