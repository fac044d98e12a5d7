import type { LoadedConfig, Source } from '../../config/config.ts';
import { secretsSet } from '../../config/secret-names.ts';
import type { Problem } from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { VerifyScheme } from '../../signature/scheme.ts';
import { readBody } from './body.ts';
import type { RawRequest } from './event.ts';
import { parseBody } from '../parse/parse.ts';

/** The cap on a body. An event's row must hold its payload as JSON (see `accept.ts`), so no option can raise it. */
export const MAX_BODY_BYTES = 1_048_576;

/** The method of an event; a handshake may have another one. */
export const EVENT_METHODS: readonly string[] = ['POST', 'PUT'];

/** The path of a webhook, in percent-decoded parts. */
export interface Address {
  readonly sourceId: string;
  readonly pathToken: string | undefined;
}

/** Finds the source and reads the body. Nothing is trusted yet; only the size is bounded. */
export async function receive(
  request: Request,
  address: Address,
  config: LoadedConfig,
  env: Env,
  now: number,
): Promise<Result<RawRequest, Problem>> {
  const source = config.sources.get(address.sourceId);
  if (source === undefined) return err(UNKNOWN_SOURCE);
  if (!expectsPath(source, address)) return err(unexpectedPath(source.id));
  const url = new URL(request.url);
  const methods = allowedMethods(source);
  if (!methods.includes(request.method)) return err(wrongMethod(request.method, methods));
  const body = await readBody(request, MAX_BODY_BYTES);
  if (!body.ok) return body;
  const { method, headers } = request;
  return ok({
    source,
    method,
    url,
    headers,
    body: body.value,
    pathToken: address.pathToken,
    parsed: once(() => parseBody(headers.get('content-type'), body.value, source.provider.body)),
    registeredUrl: source.url,
    secrets: secretsSet(source.secrets, env),
    receivedAt: now,
  });
}

/** Calls `make` once, and gives the same answer each time. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** A second segment is the source's token. If the source has no token, the address does not belong to it. */
const expectsPath = ({ verify }: Source, { pathToken }: Address): boolean =>
  pathToken === undefined || (verify.scheme === 'any' ? verify.of : [verify]).some(isInPath);

const isInPath = (scheme: VerifyScheme): boolean => scheme.scheme === 'token' && scheme.in === 'path';

/** `GET`, `HEAD` and `OPTIONS` only where the provider's handshake uses one of them. */
export const allowedMethods = ({ provider }: Source): readonly string[] => [
  ...new Set([...EVENT_METHODS, ...(provider.handshakes ?? []).map(({ match }) => match.method)]),
];

/** The address is not repeated: it may hold a token, even where none is expected. */
const UNKNOWN_SOURCE: Problem = {
  status: 404,
  type: 'unknown-source',
  title: 'Unknown source',
  detail: 'There is no such source here. Check the address, or publish a source with that name.',
};

const unexpectedPath = (id: string): Problem => ({
  ...UNKNOWN_SOURCE,
  detail: `The source \`${id}\` takes no token in its address. Post to \`/hooks/${id}\`.`,
});

/** `allowed` becomes the `Allow` header (RFC 9110 §15.5.6). */
export const wrongMethod = (method: string, allowed: readonly string[]): Problem => ({
  status: 405,
  type: 'method-not-allowed',
  title: 'Method not allowed',
  detail: `Webhooks are sent with ${allowed.join(' or ')}; this was a ${method}.`,
  headers: { allow: allowed.join(', ') },
});
