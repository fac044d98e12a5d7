import type { IncomingHttpHeaders } from 'node:http';
import { err, ok } from '../src/lib/result.ts';
import type { Result } from '../src/lib/result.ts';
import { findEndpoint } from './endpoints.ts';
import type { Endpoint } from './endpoints.ts';
import { showName } from './refusal.ts';
import type { GatewayRefusal } from './refusal.ts';

/** The part of a call that is known before its body. */
export interface RequestHead {
  readonly method: string;
  /** Below `/api`, without the query, e.g. `/send-message.php`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

/** The headers in which clients for other gateways put their credentials. */
const CREDENTIAL_HEADERS = [
  'authorization',
  'email',
  'api_key',
  'api-key',
  'x-api-key',
  'app_key',
  'app-key',
  'x-app-key',
];

/** Checks whether the call may be read at all: endpoint, method, all parameters in the body, a form. */
export function checkRequest(head: RequestHead): Result<Endpoint, GatewayRefusal> {
  const endpoint = findEndpoint(head.path);
  if (!endpoint)
    return refuse(404, 'unknown_endpoint', 'The gateway has no such endpoint. Check the path below /api.');
  if (head.method !== 'POST') {
    return err({
      status: 405,
      reason: 'wrong_method',
      message: `${endpoint.path} takes POST only.`,
      headers: { allow: 'POST' },
    });
  }
  const refusal = checkQuery(head.query) ?? checkHeaders(head.headers);
  return refusal ? err(refusal) : ok(endpoint);
}

function checkQuery(query: URLSearchParams): GatewayRefusal | null {
  const [name] = query.keys();
  if (name === undefined) return null;
  const message = `A parameter is in the URL: ${showName(name)}. URLs end up in logs: send all parameters, credentials above all, in the form body.`;
  return { status: 400, reason: 'parameter_in_query', message };
}

function checkHeaders(headers: IncomingHttpHeaders): GatewayRefusal | null {
  const credential = CREDENTIAL_HEADERS.find((name) => headers[name] !== undefined);
  if (credential !== undefined) {
    const message = `Credentials are in the header \`${credential}\`. Send them as email, api_key and app_key in the form body.`;
    return { status: 400, reason: 'credentials_in_header', message };
  }
  if (headers['content-encoding'] !== undefined) {
    return {
      status: 415,
      reason: 'wrong_content_type',
      message: 'The body is compressed. Send it uncompressed.',
    };
  }
  if (
    /^application\/x-www-form-urlencoded(?:\s*;\s*charset="?utf-8"?)?\s*$/i.test(
      headers['content-type'] ?? '',
    )
  )
    return null;
  const message =
    'The body must be a URL-encoded form: Content-Type application/x-www-form-urlencoded, UTF-8.';
  return { status: 415, reason: 'wrong_content_type', message };
}

const refuse = (status: number, reason: string, message: string) => err({ status, reason, message });
