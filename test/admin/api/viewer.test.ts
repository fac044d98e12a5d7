import { expect, it } from 'vitest';
import { seenAnswer } from '../../../src/admin/api/serve.ts';
import { publicRoute, type ApiRoute } from '../../../src/admin/api/route.ts';
import { envWith } from '../../platform/env.ts';

const PHONE = '4915112345678';
const env = envWith();

const routeOf = (view: unknown): ApiRoute => ({
  ...publicRoute('GET /x/{id}', { handle: async () => null }),
  role: 'viewer',
  view,
});

const seen = async (view: unknown, body: unknown): Promise<unknown> =>
  (await seenAnswer(Response.json(body), routeOf(view), env)).json();

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
