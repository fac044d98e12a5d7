import type * as z from 'zod/mini';
import { ok } from '../src/lib/result.ts';
import { failed, type CommandResult } from './failure.ts';
import { explainError, explainRefusal } from './relay/explain.ts';
import type { Profile } from './relay/profile.ts';
import { maybeJson } from '../src/lib/json.ts';

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

/**
 * A client of the admin API of one relay. Every failure is a value that says what to do. `find`: looks for the relay, once, when
 * it is first needed.
 */
export function createClient(find: () => CommandResult<Profile>) {
  let found: CommandResult<Profile> | undefined;
  const relay = (): CommandResult<Profile> => (found ??= find());
  const request = async <T>(
    method: string,
    path: string,
    shape: z.ZodMiniType<T>,
    options: RequestOptions = {},
  ): Promise<CommandResult<ApiAnswer<T>>> => {
    const profile = relay();
    if (!profile.ok) return profile;
    const { url } = profile.value;
    const { timeout = TIMEOUT_MS } = options;
    try {
      const response = await call(profile.value, method, path, options, timeout);
      const body = maybeJson(await response.text());
      if (!response.ok)
        return explainRefusal({
          url,
          status: response.status,
          headers: response.headers,
          body: isJson(response.headers) ? body : undefined,
        });
      const data = shape.safeParse(body);
      if (data.success) return ok({ json: body, data: data.data, headers: response.headers });
      return failed(
        body === undefined
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

function call(
  { url, token }: Profile,
  method: string,
  path: string,
  { query = {}, body, headers }: RequestOptions,
  timeout: number,
): Promise<Response> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
  return fetch(`${url}/admin/api/v1${path}${search}`, {
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
}

const isJson = (headers: Headers): boolean => /[/+]json\b/.test(headers.get('content-type') ?? '');
