import { describe, expect, it } from 'vitest';
import { sealOf } from '../../../src/admin/auth/seal.ts';
import { openedRequest, pathOf, seenAnswer } from '../../../src/admin/auth/viewer-answers.ts';
import { incidentId } from '../../../src/outbox/incidents/incident-id.ts';
import { bindings } from '../../config/support.ts';
import { forged } from './forged.ts';

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
  const place = { source: 'alerts', route: 'all' };
  const id = incidentId({ ...place, key: PHONE });

  it('lead back to what they were sealed of', async () => {
    const answer = await seen('/incidents', { items: [{ id }], next_cursor: 'a cursor' });
    const [ids, cursors] = await Promise.all([sealOf(env, 'incident'), sealOf(env, 'cursor')]);
    const own = { id: `inc_${await ids.seal(id)}`, cursor: await cursors.seal('a cursor') };
    expect(answer).toEqual({ items: [{ id: own.id }], next_cursor: own.cursor });
    expect(await opened(`/incidents/${own.id}`)).toBe(`/incidents/${id}`);
    expect(await opened(`/incidents/${own.id}/resolve`)).toBe(`/incidents/${id}/resolve`);
    expect(await opened(`/incidents?limit=1&cursor=${own.cursor}`)).toBe(
      '/incidents?limit=1&cursor=a+cursor',
    );
  });

  it('that it made up, or changed, name nothing, whatever they would have been opened to', async () => {
    const [ids, cursors] = await Promise.all([sealOf(env, 'incident'), sealOf(env, 'cursor')]);
    const sealed = await ids.seal(id);
    for (const text of [id, `inc_${sealed}x`, `INC_${sealed}`, sealed, 'inc_%41', `x${id}`, 'inc_'])
      expect(await opened(`/incidents/${text}`)).toBe('/incidents/inc_');
    for (const text of forged(sealed, await ids.seal('another')))
      expect(await opened(`/incidents/inc_${text}`)).toBe('/incidents/inc_');
    const cursor = await cursors.seal('a cursor');
    for (const text of ['abc', sealed, ...forged(cursor, await cursors.seal('another'))])
      expect(await opened(`/events?cursor=${text}`)).toBe('/events?cursor=hidden');
  });

  it('of lists in our own words are as everybody has them, and so is a name that looks like an id', async () => {
    expect(await opened('/rejections?cursor=17')).toBe('/rejections?cursor=17');
    expect(await opened('/events?limit=2')).toBe('/events?limit=2');
    expect(await opened('/sources/inc_shop')).toBe('/sources/inc_shop');
  });

  it('are not made of a text of a sender, who could have a guess sealed, and compare', async () => {
    const sent = {
      event_type: id,
      type: id,
      subject: id,
      next_cursor: id,
      payload: { id, next_cursor: 'x' },
    };
    for (const own of [env, bindings({ VIEWER_SEES: 'payloads' })]) {
      const answer = await seenAnswer(Response.json({ items: [sent] }), '/events', own);
      const text = (await answer?.text()) ?? '';
      for (const kind of ['incident', 'cursor'] as const) {
        const { seal } = await sealOf(own, kind);
        for (const made of [id, 'x']) expect(text).not.toContain(await seal(made));
      }
    }
  });
});

describe('the path of a route', () => {
  it.each([
    ['/admin/api/v1/events', '/events'],
    ['/metrics', '/metrics'],
    ['/admin/api/v1', '/admin/api/v1'],
  ])('of %s is %s', (pathname, path) => expect(pathOf(pathname)).toBe(path));
});
