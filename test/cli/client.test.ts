import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { hookbell, relayUrl } from './support.ts';

/** Something that listens where a relay should. */
async function serving(listener: RequestListener): Promise<{ url: string; close: () => void }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const answering =
  (
    status: number,
    type: string,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);

const problem = (status: number, detail: string): RequestListener =>
  answering(status, 'application/problem+json', JSON.stringify({ title: 'Title', status, detail }));

const FAULTS: readonly (readonly [name: string, listener: RequestListener, message: RegExp])[] = [
  ['a web page', answering(200, 'text/html', '<html>'), /did not answer with JSON/],
  [
    'JSON of another kind',
    answering(200, 'application/json', '{"a":1}'),
    /does not understand; use the relay’s version\n/,
  ],
  [
    '404 of another server',
    answering(404, 'text/html', 'no'),
    /answered 404 with something that is not hookbell's/,
  ],
  [
    '500 without a word',
    answering(500, 'text/plain', 'oops'),
    /answered 500 without saying why; look at its log/,
  ],
  [
    '503 with a word',
    problem(503, 'Could not be handled just now.'),
    /answered 503: could not be handled just now\n/,
  ],
  ['403 of something before it', answering(403, 'text/html', 'no'), /something in front of it refuses/],
  [
    '403 for a role',
    answering(
      403,
      'application/problem+json',
      '{"type":"urn:hookbell:problem:role-required","title":"x","detail":"This needs the role editor; yours is viewer."}',
    ),
    /hookbell: this needs the role editor; yours is viewer; put the token of that role into HOOKBELL_TOKEN\n/,
  ],
  ['403 with a word', problem(403, 'No ADMIN_TOKEN is set.'), /hookbell: no ADMIN_TOKEN is set\n/],
  [
    '429',
    answering(429, 'application/problem+json', '{"title":"x"}', { 'retry-after': '7' }),
    /try again in 7 s/,
  ],
  [
    'a redirect',
    answering(301, 'text/html', '', { location: 'https://new.example/x' }),
    /redirects to https:\/\/new\.example/,
  ],
  [
    'the login of Access',
    answering(302, 'text/html', '', { location: 'https://t.cloudflareaccess.com/x' }),
    /is behind Cloudflare Access/,
  ],
  ['a hang-up', (request) => request.socket.destroy(), /the connection to http:\/\/127\.0\.0\.1:\d+ broke/],
  [
    'half an answer',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{', () => response.destroy());
    },
    /the connection to http:\/\/127\.0\.0\.1:\d+ broke/,
  ],
];

describe('a relay that cannot be talked to', () => {
  it.each(FAULTS)('is reported in one line: %s', async (_, listener, message) => {
    const server = await serving(listener);
    const { code, stdout, stderr } = await hookbell(['events'], { env: { HOOKBELL_URL: server.url } });
    server.close();
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  it('is not there at all', async () => {
    const server = await serving(answering(200, 'text/plain', ''));
    server.close();
    const { code, stderr } = await hookbell(['events'], { env: { HOOKBELL_URL: server.url } });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^hookbell: cannot reach http:\/\/127\.0\.0\.1:\d+: nothing listens there; start the relay \(`npm start`\), or .*\n$/,
    );
  });

  it('speaks no TLS', async () => {
    const { code, stderr } = await hookbell(['events', '--url', relayUrl().replace('http', 'https')]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^hookbell: TLS with .*\n$/);
  });

  it('never gets the token that is meant for another address', async () => {
    let got: string | undefined = 'nothing';
    const other = await serving((request, response) => {
      got = request.headers.authorization;
      response.end();
    });
    const first = await serving(
      answering(307, 'text/html', '', { location: `${other.url}/admin/api/v1/events` }),
    );
    await hookbell(['events'], { env: { HOOKBELL_URL: first.url } });
    first.close();
    other.close();
    expect(got).toBe('nothing');
  });
});

describe('the profile', () => {
  it.each([
    [{ HOOKBELL_TOKEN: '' }, [], 1, /HOOKBELL_TOKEN is not set: .*demo-admin-token/],
    [{ HOOKBELL_TOKEN: 'a b' }, [], 1, /HOOKBELL_TOKEN has characters/],
    [{ HOOKBELL_TOKEN: 'not-the-token-at-all' }, [], 1, /refuses the token in HOOKBELL_TOKEN/],
    [{ HOOKBELL_URL: 'localhost:8787' }, [], 2, /HOOKBELL_URL must be the relay's address/],
    [{}, ['--url', 'nonsense'], 2, /--url must be the relay's address/],
    [{}, ['--url', 'https://user:pass@example.com'], 2, /--url must not contain a login/],
  ])('refuses %j %j', async (env, args, exit, message) => {
    const { code, stderr } = await hookbell(['events', ...args], { env: { ...env } });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(exit);
  });

  it('takes an address with a slash, or with the path of the API, and options on both sides of a command', async () => {
    const url = `${relayUrl()}/admin/api/v1/`;
    const run = await hookbell(['--json', 'versions', '--url', url], {
      env: { HOOKBELL_URL: 'http://nowhere.invalid' },
    });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toHaveProperty('items');
  });
});
