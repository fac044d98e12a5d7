import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../openapi/routes.ts';
import { ROLES, mayAct } from '../../../src/admin/auth/role.ts';
import { isGuess, roleFor, roleForRequest } from '../../../src/admin/auth/route-roles.ts';
import { app } from '../../../src/app.ts';

const guarded = ROUTES.filter(({ isPublic }) => isPublic !== true);
const names = (path: string): number => (path.match(/\{\w+\}/g) ?? []).length;
const named = (path: string, values: readonly string[]): string => {
  let at = 0;
  return path.replaceAll(/\{\w+\}/g, () => values[at++] ?? 'x');
};

const of = (query: string) => roleForRequest('GET', '/messages', new URLSearchParams(query));

/** What operators may do besides looking; whatever else changes something is for editors. */
const OPERATIONS = [
  'POST /accounts/{name}/pause',
  'POST /accounts/{name}/resume',
  'POST /doctor',
  'POST /events/replay',
  'POST /events/{id}/replay',
  'POST /incidents/{id}/acknowledge',
  'POST /incidents/{id}/resolve',
  'POST /messages',
  'POST /messages/cancel',
  'POST /messages/retry',
  'POST /messages/{id}/cancel',
  'POST /messages/{id}/retry',
  'POST /silences',
  'PUT /silences/{id}',
  'DELETE /silences/{id}',
  'POST /sources/{id}/preview',
];

describe('the role of a route', () => {
  it('is that of a viewer for whatever reads', () => {
    for (const { method, path } of guarded)
      if (method === 'get' && path !== '/sessions')
        expect([path, roleFor('GET', path)]).toEqual([path, 'viewer']);
    expect(roleFor('HEAD', '/events')).toBe('viewer');
    expect(roleFor('GET', '/metrics')).toBe('viewer');
  });

  it('is that of an operator for exactly what operates', () => {
    const found = guarded
      .map(({ method, path }) => [method.toUpperCase(), path] as const)
      .filter(([method, path]) => roleFor(method, path) === 'operator')
      .map(([method, path]) => `${method} ${path}`);
    expect(found.toSorted()).toEqual(OPERATIONS.toSorted());
  });

  it('is that of an editor for every other change, also for what there is not yet', () => {
    for (const { method, path } of guarded) {
      const name = `${method.toUpperCase()} ${path}`;
      if (method !== 'get' && !OPERATIONS.includes(name) && !path.startsWith('/session'))
        expect([name, roleFor(method.toUpperCase(), path)]).toEqual([name, 'editor']);
    }
    for (const path of ['/', '', '/new', '/messagesX', '/config/takeover', '/x/messages'])
      expect(roleFor('POST', path)).toBe('editor');
    for (const method of ['PATCH', 'OPTIONS', 'TRACE', 'QUERY', 'getx'])
      expect(roleFor(method, '/config')).toBe('editor');
  });

  it('does not depend on what documents are called', () => {
    const words = ['preview', 'pause', 'resume', 'close', 'doctor', 'messages', 'events', 'session', '%2F'];
    const name = fc.oneof(fc.constantFrom(...words), fc.stringMatching(/^[a-z0-9-]{1,20}$/));
    fc.assert(
      fc.property(
        fc.constantFrom(...guarded),
        fc.array(name, { minLength: 3 }),
        ({ method, path }, values) => {
          const role = roleFor(method.toUpperCase(), named(path, values));
          expect(role).toBe(roleFor(method.toUpperCase(), path));
        },
      ),
    );
    expect(guarded.some(({ path }) => names(path) > 0)).toBe(true);
  });

  it('of one’s own session is any; of all sessions that of an editor', () => {
    for (const [method, path, role] of [
      ['POST', '/session', 'viewer'],
      ['DELETE', '/session', 'viewer'],
      ['POST', '/session/link', 'viewer'],
      ['GET', '/sessions', 'editor'],
      ['DELETE', '/sessions/ses_1', 'editor'],
    ] as const)
      expect([path, roleFor(method, path)]).toEqual([path, role]);
  });

  it('is at least an operator’s for a search by what a viewer could guess', () => {
    expect(of('phone=49151')).toBe('operator');
    expect(of('state=sent&text=')).toBe('operator');
    expect(of('state=sent')).toBe('viewer');
    expect(roleForRequest('POST', '/config', new URLSearchParams('phone=1'))).toBe('editor');
  });

  it('covers every filter by a number or a text that there is', () => {
    const suspicious = ROUTES.flatMap(({ query = [] }) => query.map(({ name }) => name)).filter((name) =>
      /phone|number|text|search|^q$|key|payload/.test(name),
    );
    expect(suspicious.filter((name) => !isGuess(name))).toEqual([]);
  });

  it('stands for all routes that are behind a login', () => {
    const all = app.routes.filter(({ path }) => path.startsWith('/admin/api/v1/') && !path.includes('*'));
    for (const { method, path } of all)
      expect(ROLES).toContain(roleFor(method, path.replace('/admin/api/v1', '')));
  });
});

describe('a role', () => {
  it('may do what the lesser ones may, and nothing of the greater', () => {
    for (const [at, role] of ROLES.entries())
      for (const [other, needed] of ROLES.entries()) expect(mayAct(role, needed)).toBe(at >= other);
  });
});
