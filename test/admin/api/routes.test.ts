import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { admin, ROUTES as BY_ID } from '../../../src/admin/admin.ts';
import { apiRoute, publicRoute, type ApiRoute } from '../../../src/admin/api/route.ts';
import { ROLES, mayAct, type Role } from '../../../src/admin/auth/tokens.ts';
import { asViewer } from '../support.ts';

const ROUTES: readonly ApiRoute[] = Object.values(BY_ID);

const nameOf = ({ method, path }: Pick<ApiRoute, 'method' | 'path'>): string => `${method} ${path}`;

const ofRole = (role: Role | undefined): readonly string[] =>
  ROUTES.filter((route) => route.role === role)
    .map(nameOf)
    .toSorted();

/** What only editors may change: documents, versions, keys, and who may come in. */
const FOR_EDITORS =
  /^\w+ \/(config|templates|sessions|invitations)|pair|^(PUT|DELETE) \/(sources|accounts|recipients)\/\{\w+\}$/;

/** True if some path matches both. */
function overlap(one: string, other: string): boolean {
  const [ours, theirs] = [one.split('/'), other.split('/')];
  return (
    ours.length === theirs.length &&
    ours.every((part, at) => part === theirs[at] || part.startsWith('{') || theirs[at]?.startsWith('{'))
  );
}

it('the routes are such that no request is for two of them, in whatever order they are mounted', () => {
  const twice = ROUTES.flatMap((one, at) =>
    ROUTES.slice(at + 1)
      .filter((other) => other.method === one.method && overlap(other.path, one.path))
      .map((other) => [nameOf(one), nameOf(other)]),
  );
  expect(twice).toEqual([]);
});

it('the routes are all that is mounted', () => {
  const mounted = admin.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  expect(mounted.toSorted()).toEqual(ROUTES.map(nameOf).toSorted());
});

it('the role of a route is none only for signing in, the description, and what asks for a login in its parts', () => {
  expect(ofRole(undefined)).toEqual(['GET /openapi.json', 'POST /session']);
});

it('the role of a route is that of a viewer for whatever reads, and for one’s own session', () => {
  expect(ofRole('viewer').filter((name) => !name.startsWith('GET '))).toEqual([
    'DELETE /session',
    'POST /session/link',
  ]);
  const others = [...ofRole('operator'), ...ofRole('editor')];
  expect(others.filter((name) => name.startsWith('GET '))).toEqual([
    'GET /suppressions/{phone}',
    'GET /sessions',
  ]);
});

it('the role of a route is that of an editor for what changes the configuration, and lets people in', () => {
  expect(ofRole('operator').filter((name) => FOR_EDITORS.test(name))).toEqual([]);
  expect(ofRole('editor').filter((name) => FOR_EDITORS.test(name)).length).toBeGreaterThan(10);
});

it('the role of a route does not depend on what documents are called', async () => {
  for (const name of ['preview', 'pause', 'resume', 'doctor', 'messages', 'events', 'session', '%2F'])
    for (const method of ['PUT', 'DELETE'])
      expect([name, (await asViewer(`/sources/${name}`, method)).status]).toEqual([name, 403]);
  // `..` is not a name: it leads to the list.
  expect((await asViewer('/sources/..', 'PUT')).status).toBe(404);
});

it('the role of a route covers every filter by a number or a text that there is', () => {
  const open = ROUTES.filter(({ role }) => role === 'viewer').flatMap(({ query = {}, guesses = [] }) =>
    Object.keys(query).filter((name) => !guesses.includes(name)),
  );
  expect(open.filter((name) => /phone|number|text|search|^q$|key|payload/.test(name))).toEqual([]);
});

it('a role may do what the lesser ones may, and nothing of the greater', () => {
  for (const [at, role] of ROLES.entries())
    for (const [other, needed] of ROLES.entries()) expect(mayAct(role, needed)).toBe(at >= other);
});

/** The first three routes compile, the others do not. */
const AT = 'GET /x';
const handle = async () => ({ id: 'a', phone: '49151' });
const answers: readonly ApiRoute[] = [
  apiRoute(AT, 'viewer', { view: { id: 'words', phone: 'phone' }, handle }),
  apiRoute(AT, 'operator', { handle }),
  publicRoute(AT, { handle }),
  // @ts-expect-error -- it has no role
  apiRoute(AT, { handle }),
  // @ts-expect-error -- it does not say what viewers see
  apiRoute(AT, 'viewer', { handle }),
  // @ts-expect-error -- nor what they see of a number
  apiRoute(AT, 'viewer', { view: { id: 'words' }, handle }),
  // @ts-expect-error -- only viewers are kept from guessing
  apiRoute(AT, 'editor', { guesses: ['phone'], query: { phone: z.string() }, handle }),
  // @ts-expect-error -- there is no such parameter
  apiRoute(AT, 'viewer', { view: 'words', guesses: ['phone'], handle }),
  // @ts-expect-error -- nothing declares it, so it would be answered without a login
  { method: 'GET', path: '/x', handle },
];

it('a declaration without a role, or without a view of each field of its answer, does not compile', () => {
  expect(answers).toHaveLength(9);
});
