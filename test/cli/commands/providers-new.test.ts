import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readProvider } from '../../../src/config/documents/provider-file.ts';
import { providerFileErrors } from '../../../src/ingest/provider-files.ts';
import { expectRefused, expectSays, folderWith, hookbell, shown } from '../offline.ts';

const SECRET = 'the-real-secret-0451';
const SECONDS = '1767601800';
const MS = `${SECONDS}000`;
const BODY = '{"type":"post.published","id":"p_17","post":{"title":"A new day"}}';

const hmac = (
  text: string,
  encoding: 'hex' | 'base64' = 'hex',
  hash = 'sha256',
  key: string | Uint8Array = SECRET,
) => createHmac(hash, key).update(text).digest(encoding);

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

const hexOf = (text: string): string =>
  [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** A request as a tool captures it. */
const captured = (headers: Readonly<Record<string, string>>, body = BODY, path = '/hooks/x', eol = '\r\n') =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: relay.example',
    'Content-Type: application/json',
    'Cookie: session=abc',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join(eol);

const form = (fields: Readonly<Record<string, string>>, sign = '-') =>
  captured({ 'X-Sign': sign }, new URLSearchParams(fields).toString()).replace(
    'application/json',
    'application/x-www-form-urlencoded',
  );

const WHSEC = `whsec_${btoa('a key of twenty-four byte')}`;
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const PUBLIC = publicKey.export({ format: 'der', type: 'spki' }).toString('base64').slice(-44);
const pem = generateKeyPairSync('rsa', { modulusLength: 2_048 });

it('providers new finds how a request is signed, and writes a file that passes and has no secret', async () => {
  for (const [request, says, secret = SECRET, facts = {}] of [
    [
      captured({ 'X-Ghost-Signature': `sha256=${hmac(BODY + MS)}, t=${MS}` }),
      'X-Ghost-Signature: hmac sha256 hex over body + t: matches',
    ],
    [
      captured(
        { 'X-CIO-Timestamp': SECONDS, 'X-CIO-Signature': hmac(`v0:${SECONDS}:${BODY}`) },
        BODY,
        '/',
        '\n',
      ),
      'X-CIO-Signature: hmac sha256 hex over X-CIO-Timestamp + body: matches',
    ],
    [
      captured({ 'X-Sign': hmac(BODY) }).replace(/^.*\r\n/, ':method: POST\r\n:path: /hooks/x\r\n'),
      'X-Sign: hmac sha256 hex over body: matches',
    ],
    [captured({ 'X-Tawk-Signature': hmac(BODY, 'hex', 'sha1') }), 'hmac sha1 hex over body: matches'],
    [captured({ 'X-Sign': hmac(BODY, 'hex', 'md5') }), 'hmac md5 hex over body: matches'],
    [captured({ 'X-Sign': hmac(BODY, 'base64', 'sha512') }), 'hmac sha512 base64 over body: matches'],
    [captured({ 'X-Sign': hash(SECRET + BODY) }), 'X-Sign: hash sha256 hex over secret + body: matches'],
    [captured({ 'X-Sign': hash(`${BODY}.${SECRET}`) }), 'hash sha256 hex over body + secret: matches'],
    [
      captured({ 'X-Time': SECONDS, 'X-Sign': hash(`${SECRET}:${SECONDS}.${BODY}`) }),
      'X-Sign: hash sha256 hex over secret + X-Time + body: matches',
    ],
    [
      form({ data: `{"event_id":"e_1","type":"Donation","verification_token":"${SECRET}"}` }),
      'body field `verification_token`: the secret itself, as a token: matches',
      SECRET,
      { body: { json_field: 'data' }, event: { id: '{{ payload.event_id }}', type: '{{ payload.type }}' } },
    ],
    [
      form({ data: '{"type":"\\"","token":"a\\"quoted\\"secret","again":"a\\"quoted\\"secret"}' }),
      'body field `token`: the secret itself, as a token: matches',
      'a"quoted"secret',
      { body: { json_field: 'data' } },
    ],
    [
      form({ events: '[{"event":"open"}]' }, hmac('https://relay.example/hooks/xevents[{"event":"open"}]')),
      'X-Sign: hmac sha256 hex over url + form_sorted: matches',
    ],
    // Neither a header that shows the secret, nor what nobody can read, hides the signature.
    [
      captured(
        {
          'X-Api-Key': SECRET,
          'X-Debug': hexOf(SECRET),
          'X-Trace': btoa(SECRET).replace(/=+$/, ''),
          'X-Name': 'Jürgen 🎉',
          'X-Sign': hmac(BODY),
        },
        BODY,
        '/hooks/%zz',
      ),
      /^✓ X-Sign: hmac sha256 hex over body: matches/,
    ],
    [
      captured({ 'X-Request-Timestamp': MS, 'X-Front-Signature': hmac(`${MS}:${BODY}`, 'base64') }),
      'hmac sha256 base64 over X-Request-Timestamp + body: matches',
    ],
    [
      captured({ 'X-Crisp-Signature': hmac(`[${MS};${BODY}]`), 'X-Crisp-Request-Timestamp': MS }),
      'over X-Crisp-Request-Timestamp + body: matches',
    ],
    [
      captured({
        'webhook-id': 'msg_1',
        'webhook-timestamp': SECONDS,
        'webhook-signature': `v1,${hmac(`msg_1.${SECONDS}.${BODY}`, 'base64', 'sha256', new TextEncoder().encode('a key of twenty-four byte'))}`,
      }),
      'hmac sha256 (key in base64 after whsec_) base64 over webhook-id + webhook-timestamp + body: matches',
      WHSEC,
    ],
    [
      captured({
        'x-time': SECONDS,
        'x-signature': sign(null, new TextEncoder().encode(`${SECONDS}|${BODY}`), privateKey).toString(
          'base64',
        ),
      }),
      'x-signature: ed25519 base64 over x-time + body: matches',
      PUBLIC,
    ],
    [
      captured({
        'X-Signature': sign('sha256', new TextEncoder().encode(BODY), pem.privateKey).toString('base64'),
      }),
      'X-Signature: rsa base64 over body: matches',
      pem.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    ],
    [
      captured({ Authorization: `Bearer ${SECRET}` }),
      'Authorization: the secret itself, as a token: matches',
    ],
    [captured({}, BODY, `/hooks/x/${SECRET}`), 'the path: the secret itself, as a token: matches'],
    [
      captured({}, `{"token":"${SECRET}","id":1}`),
      'body field `token`: the secret itself, as a token: matches',
    ],
    [
      captured({ Authorization: `Basic ${btoa(`ada:${SECRET}`)}` }),
      'basic, user:password: matches',
      `ada:${SECRET}`,
    ],
    [
      JSON.stringify({ headers: { 'X-Sign': [hmac(BODY)] }, body: BODY }),
      'X-Sign: hmac sha256 hex over body: matches',
    ],
  ] as const) {
    const cwd = folderWith({ 'request.http': request });
    const args = ['providers', 'new', 'mine', '--from', 'request.http', '--secret-env', 'MINE'];
    const printed = await shown(args, { cwd, env: { MINE: secret } });
    expectSays(printed, says, 'look for names and numbers before you share it', 'hookbell check');
    const text = readFileSync(join(cwd, 'hookbell/providers/mine.yaml'), 'utf8');
    const file: unknown = parse(text);
    expect([says, await providerFileErrors({ mine: file }), readProvider('mine', file).ok]).toEqual([
      says,
      [],
      true,
    ]);
    expect(file).toMatchObject(facts);
    expect(text).not.toMatch(/session=abc/);
    for (const form of [secret, btoa(secret).replace(/=+$/, ''), hexOf(secret)])
      expect(text).not.toContain(form);
  }
});

it('providers new proposes no id of a thing as that of its event, which would lose the next event about it', async () => {
  for (const [body, id] of [
    ['{"event":"order.paid","order":{"id":7,"type":"online"}}', undefined],
    ['{"event":"order.paid","lines":[{"id":7,"type":"book"}]}', undefined],
    ['{"type":"ticket.sold","ticket":{"event_id":7}}', undefined],
    ['{"webhook_id":7,"type":"ticket.sold"}', undefined],
    ['{"events":[{"id":7,"type":"ticket.sold"},{"id":8,"type":"ticket.sold"}]}', undefined],
    ['{"event_id":7,"data":{"type":"ticket.sold"}}', '{{ payload.event_id }}'],
    ['{"meta":{"event_id":7,"event":"sold"},"data":{"id":8}}', '{{ payload.meta.event_id }}'],
  ] as const) {
    const cwd = folderWith({ 'request.http': captured({}, body) });
    await hookbell(['providers', 'new', 'gazette', '--from', 'request.http'], { cwd });
    const file = readFileSync(join(cwd, 'hookbell/providers/gazette.yaml'), 'utf8');
    expect(/^ {2}id: '(.*)'$/m.exec(file)?.[1], body).toBe(id);
  }
});

it('providers new says why nothing matches, and leaves the secret in the path', async () => {
  const pretty = JSON.stringify(JSON.parse(BODY), null, 2);
  const signed = { 'X-Sign': hmac(BODY), 'X-Foo': 'bar' };
  for (const [request, secret, ...says] of [
    [
      captured(signed, pretty),
      SECRET,
      /X-Sign: no scheme of \d+ matches this secret/,
      'Capture the raw body',
    ],
    [
      captured(signed),
      '',
      'X-Sign: looks like hmac sha256 in hex',
      'Without the secret nothing can be tried',
    ],
  ] as const) {
    const cwd = folderWith({ 'request.http': request });
    const option = secret === '' ? [] : ['--secret', '-'];
    const run = await hookbell(['providers', 'new', 'mine', '--from', 'request.http', ...option], {
      cwd,
      input: `${secret}\n`,
    });
    expectSays(run.stdout, ...says);
    const text = readFileSync(join(cwd, 'hookbell/providers/mine.yaml'), 'utf8');
    expectSays(text, '# No scheme is known yet', 'in: path');
    expect(await providerFileErrors({ mine: parse(text) })).toEqual([]);
  }
});

it('providers new refuses what is no captured request, and never overwrites', async () => {
  const cwd = folderWith({
    'text.http': 'Dear Sir or Madam',
    'empty.http': '',
    'bare.http': captured({}, ''),
    'get.http': captured({}, '').replace('POST', 'GET'),
    'long.http': captured({}, JSON.stringify({ text: 'x'.repeat(300_000) })),
    'token.http': captured({}, String.raw`{"text":"by a\/b\/c\/d\/e"}`),
    'har.json': '{"log":{"entries":[{},{}]}}',
    'json.json': BODY,
    'big.http': 'x'.repeat(2_000_000),
    'right.http': captured({}),
    'hookbell/providers/mine.yaml': 'name: Mine',
  });
  writeFileSync(join(cwd, 'latin.http'), captured({}, '{"name":"Grüße"}'), 'latin1');
  await expectRefused(
    [
      ['providers new x --from latin.http', 1, 'latin.http is not UTF-8'],
      ['providers new x --from text.http', 1, 'text.http is not an HTTP request in line 1'],
      ['providers new x --from empty.http', 1, 'empty.http is empty'],
      ['providers new x --from bare.http', 1, 'bare.http has no body'],
      ['providers new x --from get.http', 1, 'get.http is a GET without a body, by which a sender checks'],
      ['providers new x --from long.http', 1, 'this request makes no file that passes the check'],
      ['providers new x --from token.http --secret a/b/c/d/e', 1, 'has the secret in more places'],
      ['providers new x --from har.json', 1, 'har.json is a HAR of 2 requests'],
      ['providers new x --from json.json', 1, 'json.json is JSON without `headers`'],
      ['providers new x --from big.http', 1, 'big.http has 2 megabytes'],
      ['providers new x --from none.http', 1, 'there is no file none.http'],
      ['providers new mine --from right.http', 1, 'mine.yaml exists'],
      ['providers new a/b --from right.http', 2, 'cannot be the name of a file'],
      ['providers new x', 2, 'give either --from <file>'],
      ['providers new x --from right.http --secret-env NONE', 2, 'there is no variable NONE'],
    ],
    () => ({ cwd }),
  );
});
