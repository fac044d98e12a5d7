import { maskNumbers } from '../../lib/mask-numbers.ts';
import { HIDDEN, SEALED_SORTS, seen, type Sight, type View } from '../../registry/view.ts';
import { sealOf } from '../auth/seal.ts';
import { sightOf } from '../auth/viewer-sees.ts';
import type { RequestScope } from './answer.ts';
import type { ApiRoute } from './route.ts';

/** Replaces an id that was not sealed here. */
const NO_ID = 'inc_';

/** A viewer's request, with the id and the cursor unsealed. One that no viewer got from an answer matches nothing. */
export async function opened(route: ApiRoute, asked: RequestScope): Promise<RequestScope> {
  const { env } = asked;
  const { id } = asked.params;
  const cursor = asked.search.get('cursor');
  const search = new URLSearchParams(asked.search);
  if (cursor !== null && sealsCursor(route))
    search.set('cursor', (await (await sealOf(env, 'cursor')).open(cursor)) ?? HIDDEN);
  return route.isIdSealed && id !== undefined
    ? { ...asked, search, params: { ...asked.params, id: await openedId(id, env) } }
    : { ...asked, search };
}

const sealsCursor = ({ view }: ApiRoute): boolean =>
  typeof view === 'object' && view !== null && Reflect.get(view, 'next_cursor') === 'cursor';

async function openedId(id: string, env: Env): Promise<string> {
  if (!id.startsWith(NO_ID)) return NO_ID;
  const { open } = await sealOf(env, 'incident');
  return (await open(id.slice(NO_ID.length))) ?? NO_ID;
}

/** Masks an answer for a viewer, by the view of its route. Throws if its type cannot be masked. */
export async function seenAnswer(answer: Response, { view }: ApiRoute, env: Env): Promise<Response> {
  if (answer.body === null || view === 'own') return answer;
  const type = answer.headers.get('content-type') ?? '';
  if (type.includes('problem')) return masked(answer, 'words', env);
  if (view === 'labels') return new Response(maskLabels(await answer.text()), answer);
  if (view !== 'empty' && type.startsWith('application/json')) return masked(answer, view, env);
  throw new Error(`the answer to a viewer is ${type}, which cannot be masked`);
}

/**
 * Masks the labels of metrics; the values are only counts. A label without an end is read once, to the end of the text.
 */
const maskLabels = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*(?:"|$)/g, (label) => maskNumbers(label));

async function masked(answer: Response, view: unknown, env: Env): Promise<Response> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a route's view is of what it answers: `Access`
  const text = await seenJson(await answer.json<unknown>(), view as View<unknown>, env);
  return new Response(text, answer);
}

async function seenJson(value: unknown, view: View<unknown>, env: Env): Promise<string> {
  const sight: Sight = sightOf(env);
  const sealed = { incident: new Map<string, string>(), cursor: new Map<string, string>() };
  const found = seen(value, view, {
    sight,
    seal: (text, sort) => {
      sealed[sort].set(text, HIDDEN);
      return HIDDEN;
    },
  });
  if (sealed.incident.size + sealed.cursor.size === 0) return JSON.stringify(found);
  for (const sort of SEALED_SORTS) {
    const { seal } = await sealOf(env, sort);
    const prefix = sort === 'incident' ? NO_ID : '';
    for (const text of sealed[sort].keys()) sealed[sort].set(text, `${prefix}${await seal(text)}`);
  }
  return JSON.stringify(seen(value, view, { sight, seal: (text, sort) => sealed[sort].get(text) ?? HIDDEN }));
}
