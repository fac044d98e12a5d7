import type { LoadedConfig, Source } from '../../config/compiled/config.ts';
import { secretsSet } from '../../config/secrets/named-secrets.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { isOpen } from '../../config/compiled/source-limit.ts';
import type { VerifyScheme } from '../../signature/scheme.ts';
import { SMALL_BODY_BYTES, type BodyMemory, NO_MEMORY, readBody, withoutEncoding } from './body.ts';
import type { Arrival, RawRequest } from './event.ts';
import type { RejectedProblem } from './verify.ts';
import { parseBody } from '../parse/parse.ts';

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
  pathToken === undefined || (verify.scheme === 'any' ? verify.of : [verify]).some(isInPath);

const isInPath = (scheme: VerifyScheme): boolean => scheme.scheme === 'token' && scheme.in === 'path';

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
