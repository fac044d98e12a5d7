import { beforeEach, expect, it } from 'vitest';
import { open, PROMISED } from '../config/support.ts';
import { admin } from '../integration/relay.ts';
import { raw, type ProblemJson } from './support.ts';

let version: number;

beforeEach(async () => {
  const { body } = await admin<{ version: number }>('POST', '/config', PROMISED);
  ({ version } = body);
});

const list = JSON.stringify({ numbers: ['4930123456'] });

/** Everything that publishes. */
const changes = (n: number): readonly (readonly [method: string, path: string, body?: string])[] => [
  ['PUT', '/recipients/new', list],
  ['DELETE', '/sources/open'],
  ['POST', '/config', JSON.stringify({ sources: { open: open() } })],
  ['POST', `/config/versions/${n}/activate`],
];

const send = (condition: string, [method, path, body]: readonly [string, string, string?]) =>
  raw(method, path, { headers: { 'if-match': condition }, ...(body !== undefined && { body }) });

const inForce = async (): Promise<number> =>
  Number((await raw('GET', '/config')).headers.get('hookbell-config-version'));

it('an ETag names the version in force, or the earlier one that is asked for', async () => {
  for (const path of ['config', 'sources', 'sources/open', 'templates/picture', 'accounts/sales'])
    expect((await raw('GET', `/${path}`)).headers.get('etag')).toBe(`"${version}"`);
  await admin('DELETE', '/sources/open');
  const { headers } = await raw('GET', `/config?version=${version}`);
  expect(headers.get('etag')).toBe(`"${version}"`);
  expect(headers.get('hookbell-config-version')).toBe(String(version));
});

it('a change with If-Match is made while that version is in force', async () => {
  for (const change of changes(version)) {
    const { body } = await admin<{ version: number }>('POST', '/config', PROMISED);
    expect([change, (await send(`"${body.version}"`, change)).status]).toEqual([change, 200]);
  }
});

it('a change with If-Match that was overtaken is refused, and names who was first', async () => {
  await admin('PUT', '/recipients/other', { numbers: ['4930123456'] });
  for (const change of changes(version)) {
    const answer = await send(`"${version}"`, change);
    expect([change, answer.status]).toEqual([change, 412]);
    expect(answer.headers.get('etag')).toBe(`"${version + 1}"`);
    const problem = await answer.json<ProblemJson>();
    expect(problem.type).toBe('urn:hookbell:problem:precondition-failed');
    expect(problem.detail).toContain(`Version ${version + 1}, published by token at 20`);
  }
  expect(await inForce()).toBe(version + 1);
});

it('a change with If-Match goes by what is in force after a rollback, not by what was published last', async () => {
  await admin('PUT', '/recipients/other', { numbers: ['4930123456'] });
  await admin('POST', `/config/versions/${version}/activate`);
  const put = changes(version)[0] ?? ['', ''];
  expect((await send(`"${version + 1}"`, put)).status).toBe(412);
  expect((await send(`"${version}"`, put)).status).toBe(200);
  expect(await inForce()).toBe(version + 2);
});

it('a change with If-Match is looked at by a dry run, too', async () => {
  await admin('PUT', '/recipients/other', { numbers: ['4930123456'] });
  expect((await send(`"${version}"`, ['PUT', '/recipients/new?dry_run=true', list])).status).toBe(412);
  expect((await send(`"${version + 1}"`, ['PUT', '/recipients/new?dry_run=true', list])).status).toBe(200);
  expect((await send(`"${version}"`, ['POST', '/config?dry_run=true', '{}'])).status).toBe(412);
});

it('a change with If-Match of many at once is made once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => send(`"${version}"`, ['PUT', `/recipients/list-${n}`, list])),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 412)).toHaveLength(9);
  expect(await inForce()).toBe(version + 1);
});
