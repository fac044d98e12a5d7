import * as z from 'zod/mini';
import { isLoopback } from '../src/lib/url.ts';
import { ok } from '../src/lib/result.ts';
import { startCommand } from './built.ts';
import { failed, misused, type CommandResult, type Failure } from './failure.ts';
import type { Env } from './io.ts';
import type { Output } from './output.ts';
import { maybeJson } from '../src/lib/json.ts';
import { oneLine } from './text.ts';

export interface Profile {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
}

/** The address that `npm start` serves. */
export const DEFAULT_URL = 'http://localhost:8787';

/** The token of a relay that `npm start` serves, unless somebody has set one. */
export const DEMO_TOKEN = 'demo-admin-token';

const API_PATH = '/admin/api/v1';

/** The relay's address: `--url`, else `HOOKBELL_URL`, else this machine. */
export function relayUrl(option: string | undefined, fromEnv: string | undefined): CommandResult<string> {
  const [from, text] = option === undefined ? ['HOOKBELL_URL', fromEnv || DEFAULT_URL] : ['--url', option];
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol))
    return misused(`${from} must be the relay's address, such as https://hookbell.example.workers.dev`);
  if (url.username !== '' || url.password !== '')
    return misused(`${from} must not contain a login; put the token into HOOKBELL_TOKEN`);
  const path = url.pathname.replace(/\/+$/, '');
  return ok(url.origin + (path.endsWith(API_PATH) ? path.slice(0, -API_PATH.length) : path));
}

/** The relay to call. The token comes only from the environment: everybody on the machine can read arguments. */
export function readProfile(option: string | undefined, env: Env, out: Output): CommandResult<Profile> {
  const url = relayUrl(option, env['HOOKBELL_URL']);
  if (!url.ok) return url;
  const token = env['HOOKBELL_TOKEN']?.trim() ?? '';
  if (token === '') {
    const demo = isThisMachine(url.value)
      ? ` (after \`${startCommand()}\`: export HOOKBELL_TOKEN=${DEMO_TOKEN})`
      : '';
    return failed(
      `HOOKBELL_TOKEN is not set: give it the value of the relay's ADMIN_TOKEN, OPERATOR_TOKEN or VIEWER_TOKEN${demo}`,
    );
  }
  if (!/^[\u0021-\u007e]+$/.test(token))
    return failed('HOOKBELL_TOKEN has characters that a token cannot have: copy it again');
  if (!url.value.startsWith('https:') && !isThisMachine(url.value))
    out.note(out.styleNote('yellow', `the token is sent to ${url.value} unencrypted: use https`));
  return ok({ url: url.value, token });
}

export const isThisMachine = (url: string): boolean => isLoopback(new URL(url).hostname);

/** The parameters of a query; those without a value are left out. */
export type QueryParameters = Readonly<Record<string, string | number | null | undefined>>;

interface RequestOptions {
  readonly query?: QueryParameters;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** ms. */
  readonly timeout?: number;
}

/** A success. `json`: the whole answer; `data`: the part of it that commands read. */
export interface ApiAnswer<T> {
  readonly json: unknown;
  readonly data: T;
  readonly headers: Headers;
}

export type Client = ReturnType<typeof createClient>;

/** Longer than any call of the admin API takes. */
const TIMEOUT_MS = 30_000;

/** A client of the admin API of one relay. `find`: looks for the relay, once, when it is first needed. */
export function createClient(find: () => CommandResult<Profile>) {
  let found: CommandResult<Profile> | undefined;
  const relay = (): CommandResult<Profile> => (found ??= find());
  const request = async <T>(
    method: string,
    path: string,
    shape: z.ZodMiniType<T>,
    { query = {}, body, headers, timeout = TIMEOUT_MS }: RequestOptions = {},
  ): Promise<CommandResult<ApiAnswer<T>>> => {
    const profile = relay();
    if (!profile.ok) return profile;
    const { url, token } = profile.value;
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, String(value)]],
    );
    const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
    try {
      const response = await fetch(url + API_PATH + path + search, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // The token is for this address only.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      });
      const json = maybeJson(await response.text());
      if (!response.ok) return explainRefusal(url, response, json);
      const data = shape.safeParse(json);
      if (data.success) return ok({ json, data: data.data, headers: response.headers });
      return failed(
        json === undefined
          ? `${url} did not answer with JSON; check the address in --url or HOOKBELL_URL`
          : `${url} sent an answer that this version of hookbell does not understand; use the relay’s version`,
      );
    } catch (thrown) {
      return explainError(url, thrown, timeout);
    }
  };
  return {
    /** The relay; fails without a token, and then every call does. */
    relay,
    /** Its address; empty if it is not known. */
    get url(): string {
      const profile = relay();
      return profile.ok ? profile.value.url : '';
    },
    request,
    get: <T>(path: string, shape: z.ZodMiniType<T>, query: QueryParameters = {}) =>
      request('GET', path, shape, { query }),
    post: <T>(path: string, shape: z.ZodMiniType<T>, body?: unknown) =>
      request('POST', path, shape, { body }),
  };
}

const isJson = (headers: Headers): boolean => /[/+]json\b/.test(headers.get('content-type') ?? '');

/** The used part of a problem (RFC 9457). Any other answer is not from a relay. */
const problemSchema = z.object({
  type: z.optional(z.string()),
  title: z.string(),
  detail: z.optional(z.string()),
  errors: z._default(
    z.array(z.object({ path: z.string(), code: z.optional(z.string()), message: z.string() })),
    [],
  ),
});

/** With these errors the request was never sent. With any other it may have been carried out. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name could not be looked up',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no network',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
};

export function explainError(url: string, thrown: unknown, timeoutMs: number) {
  const { name, code, message } = rootCause(thrown);
  if (name === 'TimeoutError')
    return failed(`${url} did not answer within ${timeoutMs / 1_000} s; try again, or look at its log`, {
      unsure: true,
    });
  const why = UNREACHABLE[code];
  if (why !== undefined) {
    const fix = isThisMachine(url)
      ? `start the relay (\`${startCommand()}\`), or give another address in --url or HOOKBELL_URL`
      : 'check the address in --url or HOOKBELL_URL';
    return failed(`cannot reach ${url}: ${why}; ${fix}`);
  }
  if (/CERT|SIGNED|SIGNATURE|^ERR_TLS/.test(code))
    return failed(
      `cannot trust ${url}: ${oneLine(message)} (${code}); check the address, or name your own CA in NODE_EXTRA_CA_CERTS`,
    );
  if (/^(ERR_SSL|EPROTO)/.test(code))
    return failed(`TLS with ${url} failed; should it be http:// instead of https://?`);
  return failed(`the connection to ${url} broke: ${oneLine(code === '' ? message : code)}; try again`, {
    unsure: true,
  });
}

/** The reason for `fetch failed`: it is in the error's causes, or in the first of several errors. */
function rootCause(thrown: unknown): { name: string; code: string; message: string } {
  let found = { name: '', code: '', message: String(thrown) };
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; depth += 1) {
    const code: unknown = Reflect.get(error, 'code');
    found = { name: error.name, code: typeof code === 'string' ? code : found.code, message: error.message };
    error = error instanceof AggregateError ? error.errors[0] : error.cause;
  }
  return found;
}

function explainRefusal(url: string, { status, headers }: Response, body: unknown) {
  const problem = problemSchema.safeParse(isJson(headers) ? body : undefined);
  const refusal = (message: string, more: Partial<Failure> = {}) => failed(message, { status, ...more });
  if (status >= 300 && status < 400) return refusal(redirected(url, headers.get('location')));
  if (!problem.success) return refusal(notARelay(url, status));
  const { type, title, detail, errors } = problem.data;
  const said = sentence(detail ?? title);
  if (status === 401)
    return refusal(
      `${url} refuses the token in HOOKBELL_TOKEN; it must be the value of its secret ADMIN_TOKEN, OPERATOR_TOKEN or VIEWER_TOKEN`,
    );
  if (status === 403 && type === 'urn:hookbell:problem:role-required')
    return refusal(`${said}; put the token of that role into HOOKBELL_TOKEN`);
  if (status === 429)
    return refusal(
      `${url} accepts no more requests now; try again in ${headers.get('retry-after') ?? '60'} s`,
    );
  if (status >= 500) return refusal(`${url} answered ${status}: ${said}`, { unsure: true });
  if (status !== 400 && status !== 422) return refusal(said);
  const details = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const [first = '', ...more] = details;
  return first !== '' && more.length === 0
    ? refusal(`${said}: ${first}`, { errors })
    : refusal(said, { errors, details });
}

/** The relay's sentence, in a form that can follow `hookbell:`. */
const sentence = (text: string): string =>
  text
    .trim()
    .replace(/\.$/, '')
    .replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase());

function redirected(url: string, location: string | null): string {
  const to = location === null ? null : URL.parse(location, url);
  if (to === null) return `${url} redirects to nowhere; check the address in --url or HOOKBELL_URL`;
  return to.hostname.endsWith('.cloudflareaccess.com')
    ? `${url} is behind Cloudflare Access, which requires a login; let the path /admin/api through for tokens`
    : `${url} redirects to ${to.origin}; use that address in --url or HOOKBELL_URL`;
}

function notARelay(url: string, status: number): string {
  if (status === 403)
    return `${url} answered 403, but not from hookbell: something in front of it refuses requests`;
  if (status >= 500) return `${url} answered ${status} without saying why; look at its log`;
  return `${url} answered ${status} with something that is not hookbell's; check the address in --url or HOOKBELL_URL`;
}
