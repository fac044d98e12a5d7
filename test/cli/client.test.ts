import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { explainError } from '../../cli/client.ts';
import { freePort } from '../../cli/dev/workerd/workerd.ts';
import { answering, expectRefused, folderWith, hookbell, refused, serving, shown } from './offline.ts';

const problem = (status: number, detail: string, type = 'about:blank'): RequestListener =>
  answering(status, 'application/problem+json', JSON.stringify({ type, title: 'Title', status, detail }));

const moved = (status: number, location: string) => answering(status, 'text/html', '', { location });

const json = (body: string) => answering(200, 'application/json', body);
const page = (status: number) => answering(status, 'text/html', 'no');
const late = answering(429, 'application/problem+json', '{"title":"x"}', { 'retry-after': '7' });
const hangUp: RequestListener = (request) => request.socket.destroy();
const half: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{', () => response.destroy());
};
const REQUIRED = 'This needs the role editor; yours is viewer.';
const role = problem(403, REQUIRED, 'urn:hookbell:problem:role-required');

const FAULTS: readonly (readonly [listener: RequestListener, why: RegExp])[] = [
  [page(200), /did not answer with JSON/],
  [json('{"a":1}'), /does not understand; use the relay’s version\n/],
  [page(404), /answered 404 with something that is not hookbell's/],
  [page(500), /answered 500 without saying why; look at its log/],
  [problem(503, 'Could not be handled just now.'), /503: could not be handled just now\n/],
  [page(403), /something in front of it refuses/],
  [role, /this needs the role editor; yours is viewer; put the token of that role into/],
  [problem(403, 'No ADMIN_TOKEN is set.'), /hookbell: no ADMIN_TOKEN is set\n/],
  [problem(401, 'No.'), /refuses the token in HOOKBELL_TOKEN/],
  [late, /try again in 7 s/],
  [moved(301, 'https://new.example/x'), /redirects to https:\/\/new\.example/],
  [moved(302, 'https://t.cloudflareaccess.com/x'), /is behind Cloudflare Access/],
  [hangUp, /the connection to http:\/\/localhost:\d+ broke/],
  [half, /the connection to http:\/\/localhost:\d+ broke/],
];

it('a relay that cannot be talked to is reported in one line', async () => {
  for (const [listener, why] of FAULTS) {
    const url = await serving(listener);
    await expectRefused([['events', 1, why]], () => ({ env: { HOOKBELL_URL: url } }));
  }
});

it('a relay that is not there, or speaks no TLS, is reported in one line', async () => {
  const url = await serving(answering(200, 'text/plain'));
  const nowhere =
    /^hookbell: cannot reach http:\/\/localhost:\d+: nothing listens there; start the relay \(`npm start`\), or .*\n$/;
  await expectRefused([
    [`events --url http://localhost:${await freePort()}`, 1, nowhere],
    [`events --url ${url.replace('http', 'https')}`, 1, /^hookbell: TLS with .*\n$/],
  ]);
});

it('what a relay masks for a viewer is neither written into a folder nor compared with one', async () => {
  const config = {
    sources: {},
    templates: {},
    recipients: { a: { numbers: ['+4915•••••78'] } },
    accounts: {},
    silences: {},
    providers: {},
  };
  for (const [role, code] of [
    ['viewer', 1],
    ['editor', 0],
  ] as const) {
    const url = await serving(({ url: path = '' }, response) => {
      response.setHeader('content-type', 'application/json').setHeader('hookbell-config-version', '1');
      response.end(
        JSON.stringify(
          path.endsWith('/config')
            ? config
            : { role, items: [], next_cursor: null, managed: null, taken_over: null },
        ),
      );
    });
    for (const command of ['pull --missing', 'diff', ...(code === 0 ? [] : ['push'])]) {
      const folder = folderWith({ 'recipients/b.yaml': "numbers: ['4915112345678']\n" });
      const run = await hookbell(`${command} ${folder}`, { env: { HOOKBELL_URL: url } });
      expect([command, run.code, run.stderr]).toEqual([
        command,
        code,
        code === 0
          ? ''
          : expect.stringMatching(
              `a viewer’s, for whom numbers are masked: put the token of an ${command === 'push' ? 'editor' : 'operator or'} `,
            ),
      ]);
      expect(existsSync(join(folder, 'recipients/a.yaml'))).toBe(command !== 'diff' && code === 0);
    }
  }
});

it('a relay never gets the token that is meant for another address', async () => {
  let got: string | undefined = 'nothing';
  const other = await serving(({ headers }, response) => {
    got = headers.authorization;
    response.end();
  });
  const first = await serving(moved(307, `${other}/admin/api/v1/events`));
  await refused('events', { env: { HOOKBELL_URL: first } });
  expect(got).toBe('nothing');
});

it('the profile that cannot be used is refused', async () => {
  for (const [env, args, exit, why] of [
    [{ HOOKBELL_TOKEN: '' }, '', 1, /HOOKBELL_TOKEN is not set: .*demo-admin-token/],
    [{ HOOKBELL_TOKEN: 'a b' }, '', 1, /HOOKBELL_TOKEN has characters/],
    [{ HOOKBELL_URL: 'localhost:8787' }, '', 2, /HOOKBELL_URL must be the relay's address/],
    [{}, '--url nonsense', 2, /--url must be the relay's address/],
    [{}, '--url https://user:pass@example.com', 2, /--url must not contain a login/],
  ] as const)
    await expectRefused([[`events ${args}`, exit, why]], () => ({ env }));
});

it('the profile takes an address with a slash, or with the path of the API, and options on both sides of a command', async () => {
  const paths: (string | undefined)[] = [];
  const url = await serving((request, response) => {
    paths.push(request.url);
    answering(200, 'application/json', '{"items":[],"next_cursor":null}')(request, response);
  });
  const run = ['--json', 'events', '--url', `${url}/admin/api/v1/`];
  const events = await shown(run, { env: { HOOKBELL_URL: 'http://nowhere.invalid' } });
  expect(JSON.parse(events)).toMatchObject({ items: [] });
  expect(paths).toEqual([expect.stringMatching(/^\/admin\/api\/v1\/events/)]);
});

it('the profile is warned of a token that goes out unencrypted, and not on this machine', async () => {
  // RFC 2606: a name that no machine has, so nothing is sent to anybody.
  const far = 'http://relay.invalid';
  const warning = `the token is sent to ${far} unencrypted: use https`;
  expect(await refused(`--url ${far} events`)).toContain(warning);
  expect((await hookbell('--url http://localhost:9 events')).stderr).not.toContain('unencrypted');
});

const because = (code: string, message = ''): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });

const said = (thrown: unknown, url = 'https://relay.example') => explainError(url, thrown, 30_000).error;

it('why no answer came is said by what the error is', () => {
  for (const [code, message, expected] of [
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed', /cannot trust .*self-signed.*NODE_EXTRA_CA_CERTS/],
    ['CERT_HAS_EXPIRED', 'certificate has expired', /cannot trust .*expired/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify', /cannot trust/],
    ['ENOTFOUND', '', /cannot reach .*there is no such host; check the address/],
  ] as const)
    expect(said(because(code, message)).message).toMatch(expected);
  const both = new AggregateError([Object.assign(new Error('no'), { code: 'ECONNREFUSED' })]);
  expect(said(new TypeError('fetch failed', { cause: both }), 'http://localhost:1').message).toMatch(
    /nothing listens there; start the relay/,
  );
});

it('what is said of an error is unsure of the outcome of a request that went out, and only of that', () => {
  expect(said(because('ECONNRESET')).unsure).toBe(true);
  expect(said(new DOMException('late', 'TimeoutError')).unsure).toBe(true);
  expect(said(because('ECONNREFUSED')).unsure).toBeUndefined();
});
