import type { IncomingHttpHeaders } from 'node:http';
import { decodeUtf8 } from '../src/lib/encoding.ts';
import { err, ok, type Result } from '../src/lib/result.ts';
import { findEndpoint, type Endpoint, CREDENTIALS } from './endpoints.ts';

/** The answer to a refused call. The gateway's document shows no failure bodies, so these are the simulator's own. */
export interface GatewayRefusal {
  readonly status: number;
  /** One word for filters and badges, e.g. `unknown_parameter`. */
  readonly reason: string;
  /** The error, its place and its fix, without values that the caller sent. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A caller's name, if safe to show: anything long or unusual could be a secret in the wrong place. */
const showName = (name: string): string =>
  /^[\w.[\]-]{1,32}$/.test(name) ? `\`${name}\`` : 'with a name that is not shown';

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
  if (!endpoint) {
    const message = 'The gateway has no such endpoint. Check the path below /api.';
    return err({ status: 404, reason: 'unknown_endpoint', message });
  }
  if (head.method !== 'POST') {
    const message = `${endpoint.path} takes POST only.`;
    return err({ status: 405, reason: 'wrong_method', message, headers: { allow: 'POST' } });
  }
  const refusal = checkPlaces(head);
  return refusal ? err(refusal) : ok(endpoint);
}

function checkPlaces({ query, headers }: RequestHead): GatewayRefusal | null {
  const [name] = query.keys();
  if (name !== undefined)
    return bad(
      'parameter_in_query',
      `A parameter is in the URL: ${showName(name)}. URLs end up in logs: send all parameters, credentials above all, in the form body.`,
    );
  const credential = CREDENTIAL_HEADERS.find((one) => headers[one] !== undefined);
  if (credential !== undefined)
    return bad(
      'credentials_in_header',
      `Credentials are in the header \`${credential}\`. Send them as email, api_key and app_key in the form body.`,
    );
  const wrongType = { status: 415, reason: 'wrong_content_type' };
  if (headers['content-encoding'] !== undefined)
    return { ...wrongType, message: 'The body is compressed. Send it uncompressed.' };
  const message =
    'The body must be a URL-encoded form: Content-Type application/x-www-form-urlencoded, UTF-8.';
  return FORM.test(headers['content-type'] ?? '') ? null : { ...wrongType, message };
}

const FORM = /^application\/x-www-form-urlencoded(?:\s*;\s*charset="?utf-8"?)?\s*$/i;

/** The login of the simulated account. Without `appKey`, any app key is wrong. */
export type Credentials = Readonly<{ email: string; apiKey: string; appKey?: string }>;

type Fields = ReadonlyMap<string, string>;

/** Checks whether the fields are exactly what `endpoint` takes: nothing unknown, nothing missing, every value well formed. */
export function checkParameters(endpoint: Endpoint, fields: Fields): GatewayRefusal | null {
  const required = [...CREDENTIALS.required, ...endpoint.required];
  const known = [
    ...endpoint.required,
    ...endpoint.optional,
    ...CREDENTIALS.required,
    ...CREDENTIALS.optional,
  ];
  const unknown = [...fields.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const taken = known.map((name) => `\`${name}\``).join(', ');
    const message = `${endpoint.path} has no parameter ${showName(unknown)}. It takes ${taken}.`;
    return bad('unknown_parameter', message);
  }
  const missing = required.find((name) => (fields.get(name) ?? '') === '');
  if (missing !== undefined) {
    const state = fields.has(missing) ? 'is empty' : 'is missing';
    return bad('missing_parameter', `The required parameter \`${missing}\` of ${endpoint.path} ${state}.`);
  }
  const wrong = [...fields].find(([name, value]) => RULES[name]?.accepts(value) === false)?.[0] ?? '';
  const rule = RULES[wrong];
  return rule === undefined ? null : bad('invalid_parameter', `\`${wrong}\` must be ${rule.shape}.`);
}

/** Checks whether the fields are this account's login. Names the wrong field, never its value. */
export function checkCredentials(credentials: Credentials, fields: Fields): GatewayRefusal | null {
  const { email, apiKey: api_key, appKey: app_key = '' } = credentials;
  const wrong = Object.entries({ email, api_key, app_key }).find(
    ([name, value]) => (fields.get(name) ?? '') !== value,
  );
  const message = `The account does not know this ${wrong?.[0]}.`;
  return wrong === undefined ? null : { status: 401, reason: 'wrong_credentials', message };
}

/** The documented fields without the credentials: all that may be kept or shown of a call. */
export function withoutCredentials(endpoint: Endpoint, fields: Fields): Record<string, string> {
  const names = [...endpoint.required, ...endpoint.optional];
  return Object.fromEntries(
    names.filter((name) => fields.has(name)).map((name) => [name, fields.get(name) ?? '']),
  );
}

interface Rule {
  readonly shape: string;
  accepts(value: string): boolean;
}

const WEB_ADDRESS: Rule = {
  shape: 'a public http or https URL',
  accepts: (value) =>
    !/\s/.test(value) && URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol),
};

/** The values that have a shape; looked up by known names. */
const RULES: Readonly<Record<string, Rule>> = {
  email: { shape: 'an e-mail address', accepts: (value) => /^[^\s@]+@[^\s@]+$/.test(value) },
  // E.164: at most 15 digits, and no country code starts with 0.
  phone: {
    shape: '7 to 15 digits that start with the country code: no +, no 00, no spaces',
    accepts: (value) => /^[1-9]\d{6,14}$/.test(value),
  },
  image_url: WEB_ADDRESS,
  audio_url: WEB_ADDRESS,
  url: WEB_ADDRESS,
  options: {
    shape: 'a comma-separated list of at least 2 options, none of them empty',
    accepts: (value) => {
      const options = value.split(',');
      return options.length >= 2 && options.every((option) => option.trim() !== '');
    },
  },
};

const bad = (reason: string, message: string): GatewayRefusal => ({ status: 400, reason, message });

/** The gateway's largest call has 7 parameters; far more is a fault of the client. */
const MAX_PAIRS = 64;

/**
 * Stricter than a browser or PHP: broken percent or UTF-8 sequences, pairs without `=`, empty pairs and repeated names
 * are bugs of the client that a lenient gateway would turn into a wrong message.
 */
export function decodeForm(body: Uint8Array): Result<ReadonlyMap<string, string>, GatewayRefusal> {
  const text = decodeUtf8(body);
  if (text === null) return malformed('the body is not valid UTF-8');
  const fields = new Map<string, string>();
  if (text === '') return ok(fields);

  const pairs = text.split('&');
  if (pairs.length > MAX_PAIRS) return malformed(`the body has more than ${MAX_PAIRS} parameters`);
  for (const [index, pair] of pairs.entries()) {
    const equals = pair.indexOf('=');
    // The pair itself is not quoted: a JSON body sent as a form is one such pair, credentials and all.
    if (equals < 1) return malformed(`pair ${index + 1} is not written as name=value`);
    const name = decodeComponent(pair.slice(0, equals));
    const value = decodeComponent(pair.slice(equals + 1));
    if (name === null || value === null) return malformed(`pair ${index + 1} has a broken percent-encoding`);
    if (fields.has(name)) return repeated(name);
    fields.set(name, value);
  }
  return ok(fields);
}

function decodeComponent(text: string): string | null {
  try {
    // Unlike URLSearchParams, this throws on `%zz` and on bytes that are not UTF-8.
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

const malformed = (what: string) =>
  err(bad('malformed_form', `The form cannot be read: ${what}. Encode the body with URLSearchParams.`));

const repeated = (name: string) =>
  err(
    bad(
      'repeated_parameter',
      `A parameter is given more than once: ${showName(name)}. Send each parameter once.`,
    ),
  );
