import { maskNumbers } from '../../lib/mask-numbers.ts';
import { seen, type View } from '../../registry/view.ts';
import { sightOf } from '../auth/viewer-sees.ts';
import type { ApiRoute } from './route.ts';

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
  const value = await answer.json<unknown>();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a route's view is of what it answers: `Access`
  return new Response(JSON.stringify(seen(value, view as View<unknown>, sightOf(env))), answer);
}
