import type { ChangeReceipt, DocumentSet, PreviewAnswer, ProblemAnswer } from './types.ts';

const BASE = '/admin/api/v1';

/** The parameters of a query; empty and missing values are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | undefined | null>>;

/** An answer that is not a success. Its message is the API's own, which says how to go on. */
export class Refused extends Error {
  readonly status: number;
  readonly problem: Partial<ProblemAnswer>;

  constructor(status: number, problem: Partial<ProblemAnswer>) {
    super(problem.detail ?? problem.title ?? `HTTP ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

let ended = (): void => undefined;

/** Calls the listener when a session has ended: every page then shows the sign-in. */
export function onSignedOut(listener: () => void): void {
  ended = listener;
}

export function withQuery(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search === '' ? path : `${path}?${search}`;
}

interface Options {
  readonly query?: Query | undefined;
  readonly body?: unknown;
  /** The version that is changed: it is refused if there is another one by now. Null: whatever is there. */
  readonly tag?: string | null;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the admin API. `Answer` is what its description promises for this route (`types.ts`); it is not checked again
 * here, since both are deployed together.
 * @throws {Refused} for an answer that is not a success; {TypeError} when there was none.
 */
export const ask = async <Answer>(method: string, path: string, options?: Options): Promise<Answer> =>
  (await askTagged<Answer>(method, path, options)).value;

export type Tagged<Answer> = { readonly value: Answer; readonly tag: string | null };

export const getTagged = <Answer>(path: string, query?: Query, signal?: AbortSignal) =>
  askTagged<Answer>('GET', path, { query, signal });

async function askTagged<Answer>(
  method: string,
  path: string,
  { query, body, tag = null, signal }: Options = {},
): Promise<Tagged<Answer>> {
  const response = await fetch(withQuery(BASE + path, query), {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(tag !== null && { 'if-match': tag }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  });
  const text = await response.text();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API's own answer, deployed with this page
  const value = (): Answer => (text === '' ? undefined : JSON.parse(text)) as Answer;
  if (response.ok) return { value: value(), tag: response.headers.get('etag') };
  if (response.status === 401) ended();
  throw new Refused(response.status, problemIn(text));
}

function problemIn(text: string): Partial<ProblemAnswer> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return { detail: text.slice(0, 300) };
  }
}

export const get = <Answer>(path: string, query?: Query, signal?: AbortSignal): Promise<Answer> =>
  ask<Answer>('GET', path, { query, signal });

export const post = <Answer>(path: string, body: unknown = {}): Promise<Answer> =>
  ask<Answer>('POST', path, { body });

export const put = <Answer = ChangeReceipt>(
  path: string,
  body: unknown,
  tag?: string | null,
  query?: Query,
) => ask<Answer>('PUT', path, { body, query, ...(tag !== undefined && { tag }) });

export const sourcePath = (id: string): string => `/sources/${encodeURIComponent(id)}`;

export const readSet = (signal?: AbortSignal) => getTagged<DocumentSet>('/config', {}, signal);

export const preview = <Answer = PreviewAnswer>(source: string, body: object): Promise<Answer> =>
  post<Answer>(`${sourcePath(source)}/preview`, body);

/** Asks for several things at once. One that is refused is null, but a session that has ended is an error. */
export async function getEach<Wanted extends object>(
  paths: { readonly [Name in keyof Wanted]: string },
  signal?: AbortSignal,
): Promise<{ readonly [Name in keyof Wanted]: Wanted[Name] | null }> {
  const each = Object.entries<string>(paths).map(async ([name, path]) => {
    const answer = await get(path, {}, signal).catch((thrown: unknown) => {
      if (thrown instanceof Refused && thrown.status !== 401) return null;
      throw thrown;
    });
    return [name, answer] as const;
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each by its path
  return Object.fromEntries(await Promise.all(each)) as { [Name in keyof Wanted]: Wanted[Name] | null };
}

/** A static asset that is deployed with this page; null: there is none. */
export async function asset<Content>(path: string, signal?: AbortSignal): Promise<Content | null> {
  try {
    const response = await fetch(path, signal && { signal });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- deployed with this page
    return response.ok ? ((await response.json()) as Content) : null;
  } catch {
    return null;
  }
}

const HIDDEN = 'hidden';

/** A text that this person sees; undefined: there is none, or it is hidden. A text that is this word says nothing, either. */
export const visibleText = (text: string | undefined): string | undefined =>
  text === HIDDEN ? undefined : text;
