import * as z from 'zod/mini';
import { failed, type Failure } from '../failure.ts';
import { oneLine } from '../text.ts';
import { startCommand } from '../built.ts';
import { isThisMachine } from './profile.ts';

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

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name could not be looked up',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no network',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
};

/** With these errors the request was never sent. With any other it may have been carried out. */
const NEVER_SENT = new Set(Object.keys(UNREACHABLE));

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
    unsure: !NEVER_SENT.has(code),
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

/** An answer that is not a success. */
interface RefusedRequest {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** The body as JSON; undefined when it is not JSON. */
  readonly body: unknown;
}

/** Explains a refusal to the person who ran the command, and says what to do. */
export function explainRefusal({ url, status, headers, body }: RefusedRequest) {
  const problem = problemSchema.safeParse(body);
  const refusal = (message: string, more: Partial<Failure> = {}) => failed(message, { status, ...more });
  if (status >= 300 && status < 400) return refusal(redirected(url, headers.get('location')));
  if (!problem.success) return refusal(notARelay(url, status));
  const { type, title, detail, errors } = problem.data;
  const said = sentence(detail ?? title);
  switch (status) {
    case 401:
      return refusal(
        `${url} refuses the token in HOOKBELL_TOKEN; it must be the value of its secret ADMIN_TOKEN, OPERATOR_TOKEN or VIEWER_TOKEN`,
      );
    case 403:
      return refusal(
        type === 'urn:hookbell:problem:role-required'
          ? `${said}; put the token of that role into HOOKBELL_TOKEN`
          : said,
      );
    case 429:
      return refusal(
        `${url} accepts no more requests now; try again in ${headers.get('retry-after') ?? '60'} s`,
      );
    case 400:
    case 422: {
      const [first, ...more] = errors.map(({ path, message }) => at(path, message));
      return more.length === 0 && first !== undefined
        ? refusal(`${said}: ${first}`, { errors })
        : refusal(said, { errors, details: first === undefined ? [] : [first, ...more] });
    }
    default:
      return status >= 500 ? refusal(`${url} answered ${status}: ${said}`, { unsure: true }) : refusal(said);
  }
}

const at = (path: string, message: string): string => (path === '' ? message : `${path}: ${message}`);

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
