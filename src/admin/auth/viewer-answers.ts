import { maskNumbers } from '../../lib/mask-numbers.ts';
import { HIDDEN, SEALED_KINDS, seen, type Sight } from '../../registry/viewer-sight.ts';
import { sealOf } from './seal.ts';
import { sightOf } from './viewer-sees.ts';

/** Answers in the words of this deployment's people and of hookbell; any other, also a new one, shows facts alone. */
const OWN_WORDS =
  /^\/(?:(?:sources|templates|recipients|accounts|silences|providers)(?:\/[^/]+)?|sources\/[^/]+\/pair|config(?:\/versions)?|rejections|doctor|stats(?:\/.*)?)$/;

/** About nobody but the one who asks; a code in it must stay as it is. */
const OWN_LOGIN = /^\/session(?:\/|$)/;

const SEALED_ID = /\/incidents\/([^/]+)/;

/** In the place of an id that was not sealed here. */
const NO_ID = 'inc_';

/** A viewer's request, with ids and cursors as everybody else has them. Those that no answer gave it name nothing. */
export async function openedRequest(request: Request, env: Env): Promise<Request> {
  const url = new URL(request.url);
  const id = SEALED_ID.exec(url.pathname)?.[1];
  const cursor = url.searchParams.get('cursor');
  const isOurs = cursor === null || OWN_WORDS.test(pathOf(url.pathname));
  if (id === undefined && isOurs) return request;
  if (id !== undefined)
    url.pathname = url.pathname.replace(SEALED_ID, `/incidents/${await openedId(id, env)}`);
  if (!isOurs) url.searchParams.set('cursor', (await (await sealOf(env, 'cursor')).open(cursor)) ?? HIDDEN);
  return new Request(url, request);
}

async function openedId(id: string, env: Env): Promise<string> {
  if (!id.startsWith(NO_ID)) return NO_ID;
  const { open } = await sealOf(env, 'incident');
  return (await open(id.slice(NO_ID.length))) ?? NO_ID;
}

/** The path below `/admin/api/v1`. */
export const pathOf = (pathname: string): string => pathname.replace(/^\/admin\/api\/v\d+(?=\/)/, '');

/**
 * An answer as a viewer may see it: the one place for all of them. What is neither JSON nor a list of metrics is not
 * answered at all.
 */
export async function seenAnswer(answer: Response, path: string, env: Env): Promise<Response | null> {
  if (answer.body === null || OWN_LOGIN.test(path)) return answer;
  const type = answer.headers.get('content-type') ?? '';
  if (/^application\/(problem\+)?json/.test(type)) {
    const sight = type.includes('problem') || OWN_WORDS.test(path) ? 'words' : sightOf(env);
    return new Response(await seenJson(await answer.json(), sight, env), answer);
  }
  if (!type.startsWith('text/plain')) return null;
  // Labels: values are counts. One that has no end is read once, to the end of the text.
  const labels = (await answer.text()).replaceAll(/"(?:[^"\\]|\\.)*(?:"|$)/g, maskNumbers);
  return new Response(labels, answer);
}

async function seenJson(value: unknown, sight: Sight, env: Env): Promise<string> {
  const sealed = { incident: new Map<string, string>(), cursor: new Map<string, string>() };
  const found = seen(value, sight, (text, kind) => {
    sealed[kind].set(text, HIDDEN);
    return HIDDEN;
  });
  if (sealed.incident.size + sealed.cursor.size === 0) return JSON.stringify(found);
  for (const kind of SEALED_KINDS) {
    const { seal } = await sealOf(env, kind);
    const prefix = kind === 'incident' ? NO_ID : '';
    for (const text of sealed[kind].keys()) sealed[kind].set(text, `${prefix}${await seal(text)}`);
  }
  return JSON.stringify(seen(value, sight, (text, kind) => sealed[kind].get(text) ?? HIDDEN));
}
