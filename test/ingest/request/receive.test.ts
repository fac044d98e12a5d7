import { expect, it } from 'vitest';
import { BodyMemory, maxBodyBytes, receive } from '../../../src/ingest/request/receive.ts';
import { configOf, NOW, requestWith, sourceOf } from '../support.ts';
import { bindings } from '../../bindings.ts';

const CONFIG = configOf({
  shop: { verify: { scheme: 'none' } },
  secret: { verify: { scheme: 'token', in: 'path' }, secrets: ['HOOK_SECRET'] },
});

const requestOf = (init: RequestInit = {}, path = 'shop') =>
  new Request(`https://relay.example/hooks/${path}`, { method: 'POST', body: '{}', ...init });

const take = (request: Request, sourceId = 'shop', pathToken?: string) =>
  receive(
    request,
    { sourceId, pathToken },
    { config: CONFIG, env: bindings({}), memory: new BodyMemory(NOW), now: NOW },
  );

it.each(['POST', 'PUT'])('what a source receives: takes a %s for a source that exists', async (method) => {
  const received = await take(requestOf({ method, headers: { 'x-a': '1' }, body: 'raw' }, 'shop?lang=de'));
  expect(received).toMatchObject({
    ok: true,
    value: { method, pathToken: undefined, receivedAt: NOW, source: { id: 'shop' } },
  });
  if (!received.ok) return;
  const { url, headers, body } = received.value;
  expect(url.searchParams.get('lang')).toBe('de');
  expect(headers.get('x-a')).toBe('1');
  expect(new TextDecoder().decode(body)).toBe('raw');
});

it('what a source receives: a second segment of the path is a token, where the source has one', async () => {
  expect(await take(requestOf({}, 'secret/t'), 'secret', 't')).toMatchObject({
    ok: true,
    value: { pathToken: 't' },
  });
  expect(await take(requestOf({}, 'secret'), 'secret')).toMatchObject({ ok: true });
});

it('what a source receives: a second segment for any other source is no address, and says which one would be', async () => {
  const received = await take(requestOf({}, 'shop/t'), 'shop', 't');
  expect(received).toMatchObject({
    ok: false,
    error: { problem: { status: 404 }, arrival: { source: { id: 'shop' } } },
  });
  expect(received.ok || received.error.problem.detail).toContain('Post to `/hooks/shop`');
});

it('what a source receives: another method is refused with what would be taken, before anything of the body is read', async () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH'])
    expect(await take(new Request('https://relay.example/hooks/shop', { method }))).toMatchObject({
      ok: false,
      error: { problem: { status: 405, headers: { allow: 'POST, PUT' } }, arrival: { method } },
    });
  const request = requestOf({ method: 'DELETE' });
  expect((await take(request)).ok).toBe(false);
  expect(request.bodyUsed).toBe(false);
});

it('what a source receives: takes 4 MiB from a sender that proves itself, and 1 MiB from anybody else', () => {
  const [secrets, header] = [['HOOK_SECRET'], { scheme: 'token', in: 'header', name: 'x-t' }];
  for (const [mib, verify] of [
    [1, { scheme: 'none' }],
    [1, { scheme: 'token', in: 'query', name: 't' }],
    [1, { scheme: 'token', in: 'path' }],
    [1, { scheme: 'any', of: [header, { scheme: 'token', in: 'path' }] }],
    [4, header],
    [4, { scheme: 'basic' }],
    [4, { scheme: 'hmac', header: 'x-s', algorithm: 'sha256', encoding: 'hex', signed: '{raw_body}' }],
  ] as const)
    expect(
      maxBodyBytes(sourceOf({ verify, ...(verify.scheme !== 'none' && { secrets }) })) / 1_048_576,
      JSON.stringify(verify),
    ).toBe(mib);
});

it('what a source receives: takes of a form what its fields can need, and 1 MiB where it may have files', () => {
  for (const [fields, more, kib] of [
    [{ name: {}, message: {} }, {}, 64],
    [{ letter: { max: 10_234 } }, {}, 90],
    [{ name: {}, cv: { kind: 'file' } }, {}, 1_024],
    [{ name: {} }, { other_fields: 'keep' }, 1_024],
    [Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, { max: 20_000 }])), {}, 1_024],
  ] as const) {
    const form = { provider: 'html-form', verify: undefined, origins: 'any', fields, ...more };
    expect([fields, maxBodyBytes(sourceOf(form)) / 1_024]).toEqual([fields, kib]);
  }
});

it('what a source receives: a body that breaks off is the sender’s to send again', async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
  expect(await take(requestWith(body))).toMatchObject({
    ok: false,
    error: { problem: { status: 400, type: 'body-cut-off' }, arrival: { source: { id: 'shop' } } },
  });
});
