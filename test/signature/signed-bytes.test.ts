import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyFields } from '../../src/signature/body-fields.ts';
import type { SignedRequest } from '../../src/signature/request.ts';
import { signedBytes } from '../../src/signature/signed-bytes.ts';
import { parseSigned } from '../../src/signature/signed-template.ts';
import { requestOf } from './support.ts';

interface Extra {
  readonly timestamp?: string;
  readonly url?: string;
}

function join(template: string, request: SignedRequest, { timestamp, url }: Extra = {}) {
  const parts = parseSigned(template);
  if (!parts.ok) throw new Error(parts.error);
  const params = new Map([['t', ['012']]]);
  const input = {
    request,
    fields: bodyFields(request),
    params,
    timestamp: timestamp ?? null,
    url: url ?? null,
  };
  return signedBytes(parts.value, input);
}

const textOf = (joined: ReturnType<typeof join>) =>
  joined.ok ? new TextDecoder().decode(joined.value) : joined.error;

describe('signedBytes', () => {
  it('joins the body as the bytes that came, text or not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
        const joined = join('é.{raw_body}.', requestOf({ body }));
        expect(joined).toEqual({ ok: true, value: Uint8Array.of(0xc3, 0xa9, 0x2e, ...body, 0x2e) });
      }),
    );
  });

  it('joins texts exactly as they were sent', () => {
    const request = requestOf({
      method: 'post',
      url: 'https://hooks.example.com/hooks/shop?data.id=%C3%A9&x=1',
      headers: { 'X-Id': 'msg 1' },
      body: '{"a":{"b":"é"}}',
    });
    const template = '{method} {header:X-Id} {sig.t} {ts} {query:data.id} {body:a.b} {raw_body}';
    expect(textOf(join(template, request, { timestamp: '0017' }))).toBe(
      'POST msg 1 012 0017 é é {"a":{"b":"é"}}',
    );
  });

  it('takes the request’s own URL, unless the sender was given another', () => {
    const request = requestOf({ url: 'https://worker.example.dev/hooks/shop?a=%20b' });
    expect(textOf(join('{url}', request))).toBe('https://worker.example.dev/hooks/shop?a=%20b');
    expect(textOf(join('{url}', request, { url: 'https://hooks.example.com/x' }))).toBe(
      'https://hooks.example.com/x',
    );
  });

  it.each([
    ['{header:X-Id}', 'missing_header'],
    ['{query:id}', 'missing_field'],
    ['{body:id}', 'missing_field'],
    ['{sig.v}', 'missing_field'],
    ['{ts}', 'misconfigured'],
  ])('refuses %s when it is not there: an empty piece would be a weaker signature', (template, reason) => {
    expect(join(`${template}{raw_body}`, requestOf({ body: '{}' }))).toMatchObject({
      ok: false,
      error: { reason },
    });
  });
});
