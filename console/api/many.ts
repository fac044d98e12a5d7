import { get, Refused } from './client.ts';
import type { ProblemAnswer } from './types.ts';

/** One part of what `GET /many` answers: as its own request would have been answered. */
interface Part {
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

/** The responses of several paths, by the caller's names. */
type NamedAnswers<Wanted extends Readonly<Record<string, unknown>>> = {
  readonly [Name in keyof Wanted]: Wanted[Name] | null;
};

/**
 * Reads several things in one request. A part that was refused is null; a session that has ended is an error, as it is
 * for any request.
 */
export async function many<Wanted extends Readonly<Record<string, unknown>>>(
  paths: Readonly<Record<keyof Wanted & string, string>>,
  signal?: AbortSignal,
): Promise<NamedAnswers<Wanted>> {
  const { items } = await get<{ readonly items: readonly Part[] }>(
    '/many',
    { paths: Object.values<string>(paths).join(' ') },
    signal,
  );
  const ended = items.find(({ status }) => status === 401);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a problem, by its status
  if (ended !== undefined) throw new Refused(401, ended.body as Partial<ProblemAnswer>);
  const named = Object.keys(paths).map((name, index) => {
    const part = items[index];
    return [name, part?.status === 200 ? part.body : null] as const;
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each by its path, in their order
  return Object.fromEntries(named) as NamedAnswers<Wanted>;
}
