import { expect, it } from 'vitest';
import { opened, seenAnswer } from '../../../src/admin/api/viewer.ts';
import { publicRoute, type ApiRoute } from '../../../src/admin/api/route.ts';
import { sealOf } from '../../../src/admin/auth/seal.ts';
import { incidentId } from '../../../src/outbox/incidents/incident-id.ts';
import { envWith } from '../../platform/env.ts';

const PHONE = '4915112345678';
const env = envWith();

const routeOf = (view: unknown, change: Pick<ApiRoute, 'isIdSealed'> = {}): ApiRoute => ({
  ...publicRoute({ method: 'GET', path: '/x/{id}', handle: async () => null }),
  role: 'viewer',
  view,
  ...change,
});

const seen = async (view: unknown, body: unknown): Promise<unknown> =>
  (await seenAnswer(Response.json(body), routeOf(view), env)).json();

const INCIDENTS = { items: { id: 'incident' }, next_cursor: 'cursor' };

const openedWith = async (route: ApiRoute, search: string, id = 'x') => {
  const request = new Request('https://relay.example/');
  const asked = await opened(route, { env, request, params: { id }, search: new URLSearchParams(search) });
  return [asked.params['id'], asked.search.toString()];
};
const openedId = async (id: string): Promise<string | undefined> =>
  (await openedWith(routeOf('words', { isIdSealed: true }), '', id))[0];
const openedQuery = async (view: unknown, search: string): Promise<string | undefined> =>
  (await openedWith(routeOf(view), search))[1];

const html = (): Response => new Response('<p>', { headers: { 'content-type': 'text/html' } });

it('an answer to a viewer is what its view shows, and of its own login as it is: a code in it is used', async () => {
  expect(await seen('words', { note: `to ${PHONE}` })).toEqual({ note: 'to +4915•••••78' });
  const shown = await seen({ state: 'words', note: 'quoted' }, { note: 'a', state: 'sent' });
  expect(shown).toEqual({ note: 'hidden', state: 'sent' });
  expect(await seen('own', { code: '1234567890' })).toEqual({ code: '1234567890' });
});

it('an answer to a viewer that is a problem says what is wrong, without numbers', async () => {
  const headers = { 'content-type': 'application/problem+json' };
  const problem = new Response(JSON.stringify({ detail: `no ${PHONE}` }), { status: 404, headers });
  const answer = await seenAnswer(problem, routeOf('empty'), env);
  expect([answer.status, await answer.json()]).toEqual([404, { detail: 'no +4915•••••78' }]);
});

it('an answer to a viewer of metrics loses numbers in labels, and keeps its values', async () => {
  const text = `hookbell_x{source="shop-${PHONE}",reason="a \\" b"} 1234567890\n`;
  const answer = await seenAnswer(new Response(text), routeOf('labels'), env);
  expect(await answer.text()).toBe(`hookbell_x{source="shop-+4915•••••78",reason="a \\" b"} 1234567890\n`);
});

it('an answer to a viewer of any other type is none, and one without a body stays', async () => {
  for (const view of ['words', 'empty'])
    await expect(seenAnswer(html(), routeOf(view), env)).rejects.toThrow('cannot be masked');
  expect((await seenAnswer(new Response(null, { status: 204 }), routeOf('empty'), env)).status).toBe(204);
});

const place = { source: 'alerts', route: 'all' };
const id = incidentId({ ...place, key: PHONE });

it('ids and cursors of a viewer lead back to what they were sealed of', async () => {
  const answer = await seen(INCIDENTS, { items: [{ id }], next_cursor: 'a cursor' });
  const [ids, cursors] = await Promise.all([sealOf(env, 'incident'), sealOf(env, 'cursor')]);
  const own = { id: `inc_${await ids.seal(id)}`, cursor: await cursors.seal('a cursor') };
  expect(answer).toEqual({ items: [{ id: own.id }], next_cursor: own.cursor });
  expect(await openedId(own.id)).toBe(id);
  expect(await openedQuery(INCIDENTS, `limit=1&cursor=${own.cursor}`)).toBe('limit=1&cursor=a+cursor');
});

it('ids and cursors of a viewer that it made up, or changed, name nothing, whatever they would have been opened to', async () => {
  const [ids, cursors] = await Promise.all([sealOf(env, 'incident'), sealOf(env, 'cursor')]);
  const sealed = await ids.seal(id);
  for (const text of [id, `inc_${sealed}x`, `INC_${sealed}`, sealed, 'inc_%41', `x${id}`, 'inc_'])
    expect(await openedId(text)).toBe('inc_');
  const cursor = await cursors.seal('a cursor');
  for (const text of ['abc', sealed, `${cursor}x`])
    expect(await openedQuery(INCIDENTS, new URLSearchParams({ cursor: text }).toString())).toBe(
      'cursor=hidden',
    );
});

it('ids and cursors of a viewer of lists in our own words are as everybody has them, and so is a name that looks like an id', async () => {
  expect(await openedQuery('words', 'cursor=17')).toBe('cursor=17');
  expect(await openedQuery(INCIDENTS, 'limit=2')).toBe('limit=2');
  expect(await openedWith(routeOf('words'), '', 'inc_shop')).toEqual(['inc_shop', '']);
});
