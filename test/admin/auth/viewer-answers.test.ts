import { describe, expect, it } from 'vitest';
import { sealOf } from '../../../src/admin/auth/seal.ts';
import { openedRequest, pathOf, seenAnswer } from '../../../src/admin/auth/viewer-answers.ts';
import { incidentId } from '../../../src/outbox/incidents/incident-id.ts';
import { bindings } from '../../config/support.ts';

const PHONE = '4915112345678';
const API = 'https://relay.example/admin/api/v1';
const env = bindings();

const seen = async (path: string, body: unknown): Promise<unknown> =>
  (await seenAnswer(Response.json(body), path, env))?.json();
const opened = async (address: string): Promise<string> =>
  (await openedRequest(new Request(`${API}${address}`), env)).url.replace(API, '');

describe('an answer to a viewer', () => {
  it.each([
    '/sources',
    '/sources/shop',
    '/config',
    '/config/versions',
    '/accounts/default',
    '/doctor',
    '/rejections',
  ])('in our own words loses its numbers alone: %s', async (path) => {
    expect(await seen(path, { note: `to ${PHONE}` })).toEqual({ note: 'to +4915•••••78' });
  });

  it.each([
    '/events',
    '/messages/x',
    '/incidents',
    '/accounts/a/status',
    '/new',
    '/sources/a/new',
    '/config/files',
    '',
  ])('of any other route hides what is not known: %s', async (path) => {
    expect(await seen(path, { note: `to ${PHONE}`, state: 'sent' })).toEqual({
      note: 'hidden',
      state: 'sent',
    });
  });

  it('about its own login is as it is: a code in it is used', async () => {
    expect(await seen('/session/link', { code: '1234567890' })).toEqual({ code: '1234567890' });
    expect(await seen('/sessions', { code: '1234567890' })).toEqual({ code: 'hidden' });
  });

  it('that is a problem says what is wrong, without numbers', async () => {
    const headers = { 'content-type': 'application/problem+json' };
    const problem = new Response(JSON.stringify({ detail: `no ${PHONE}` }), { status: 404, headers });
    const answer = await seenAnswer(problem, '/events/x', env);
    expect([answer?.status, await answer?.json()]).toEqual([404, { detail: 'no +4915•••••78' }]);
  });

  it('of metrics loses numbers in labels, and keeps its values', async () => {
    const text = `hookbell_x{source="shop-${PHONE}",reason="a \\" b"} 1234567890\n`;
    const answer = await seenAnswer(new Response(text), '/metrics', env);
    expect(await answer?.text()).toBe(`hookbell_x{source="shop-+4915•••••78",reason="a \\" b"} 1234567890\n`);
  });

  it('of any other type is none, and one without a body stays', async () => {
    const html = new Response('<p>', { headers: { 'content-type': 'text/html' } });
    expect(await seenAnswer(html, '/events', env)).toBeNull();
    expect((await seenAnswer(new Response(null, { status: 204 }), '/events', env))?.status).toBe(204);
  });
});

describe('ids and cursors of a viewer', () => {
  const id = incidentId({ source: 'alerts', route: 'all', key: PHONE });

  it('lead back to what they were sealed of', async () => {
    const answer = await seen('/incidents', { items: [{ id }], next_cursor: 'a cursor' });
    const { seal } = await sealOf(env);
    const own = { id: `inc_${await seal(id)}`, cursor: await seal('a cursor') };
    expect(answer).toEqual({ items: [{ id: own.id }], next_cursor: own.cursor });
    expect(await opened(`/incidents/${own.id}`)).toBe(`/incidents/${id}`);
    expect(await opened(`/incidents?limit=1&cursor=${own.cursor}`)).toBe(
      '/incidents?limit=1&cursor=a+cursor',
    );
  });

  it('that it made up name nothing', async () => {
    expect(await opened(`/incidents/${id}`)).toBe('/incidents/inc_');
    expect(await opened(`/events?cursor=abc`)).toBe('/events?cursor=hidden');
  });

  it('of lists in our own words are as everybody has them', async () => {
    expect(await opened('/rejections?cursor=17')).toBe('/rejections?cursor=17');
    expect(await opened('/events?limit=2')).toBe('/events?limit=2');
  });
});

describe('the path of a route', () => {
  it.each([
    ['/admin/api/v1/events', '/events'],
    ['/metrics', '/metrics'],
    ['/admin/api/v1', '/admin/api/v1'],
  ])('of %s is %s', (pathname, path) => expect(pathOf(pathname)).toBe(path));
});
