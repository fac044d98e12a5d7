import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/lib/result.ts';
import { bodyFields } from '../../../src/signature/signed/body-fields.ts';
import type { ParsedBody, SignedRequest } from '../../../src/signature/basics/request.ts';
import { signedBytes } from '../../../src/signature/signed/signed-bytes.ts';
import { parseSigned } from '../../../src/signature/signed/signed-template.ts';
import { requestOf } from '../support.ts';

interface Extra {
  readonly timestamp?: string;
  readonly url?: string;
  readonly item?: unknown;
  readonly parsed?: ParsedBody;
}

const SECRET = new TextEncoder().encode('s3cret');

function join(template: string, request: SignedRequest, { timestamp, url, item, parsed }: Extra = {}) {
  const parts = parseSigned(template);
  if (!parts.ok) throw new Error(parts.error);
  const params = new Map([['t', ['012']]]);
  const input = {
    request,
    fields: bodyFields(jsonOf(request.body)),
    params,
    timestamp: timestamp ?? null,
    url: url ?? '',
    item,
    parsed: parsed ?? null,
  };
  const content = signedBytes(parts.value, input);
  return content.ok ? ok(content.value(SECRET)) : content;
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
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
      headers: { 'X-Id': 'msg_1' },
      body: '{"a":{"b":"é"}}',
    });
    const template = '{method} {header:X-Id} {sig.t} {ts} {query:data.id} {body:a.b} {raw_body}';
    expect(textOf(join(template, request, { timestamp: '0017' }))).toBe(
      'POST msg_1 012 0017 é é {"a":{"b":"é"}}',
    );
  });

  it('takes the address as it is given', () => {
    const url = 'https://hooks.example.com/x?a=%20b';
    expect(textOf(join('{url}{raw_body}', requestOf({ body: '{}' }), { url }))).toBe(`${url}{}`);
  });

  it('puts the secret where the template has it', () => {
    expect(textOf(join('{secret}{raw_body}', requestOf({ body: '{}' })))).toBe('s3cret{}');
    expect(textOf(join('{method}{secret}', requestOf()))).toBe('POSTs3cret');
  });

  it('joins the parameters of a form by name', () => {
    const fields = { b: '2', a: '1' };
    const parsed = { format: 'form', sent: fields, payload: fields } as const;
    expect(textOf(join('{form_sorted}', requestOf(), { parsed }))).toBe('a1b2');
  });

  it('writes query values in lower case where the sender does', () => {
    const request = requestOf({ url: 'https://hooks.example.com/?data.id=ORD01AB' });
    expect(textOf(join('{query_lower:data.id}', request))).toBe('ord01ab');
  });

  it('joins values of an element, and nothing for one that is absent', () => {
    const item = { amount: { value: 1000, currency: 'EUR' }, success: true, reference: null };
    const template =
      '{item:amount.value}:{item:reference}:{item:nothing}:{item:amount.currency}:{item:success}';
    expect(textOf(join(template, requestOf(), { item }))).toBe('1000:::EUR:true');
    expect(join('{item:amount}', requestOf(), { item })).toMatchObject({
      ok: false,
      error: { reason: 'malformed', detail: 'body field amount is not a text, number or boolean' },
    });
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

const at = (query: string, headers: Record<string, string> = {}) =>
  requestOf({ url: `https://hooks.example.com/${query}`, headers });

describe('an optional segment', () => {
  const TEMPLATE = '[id:{query:data.id};][request-id:{header:x-request-id};]ts:{sig.t};';

  it.each([
    [at('?data.id=7', { 'x-request-id': 'r' }), 'id:7;request-id:r;ts:012;'],
    [at('', { 'x-request-id': 'r' }), 'request-id:r;ts:012;'],
    [at('?data.id=7'), 'id:7;ts:012;'],
    [at(''), 'ts:012;'],
    [at('?data.id='), 'ts:012;'],
  ])('stands whole or not at all: %#', (request, text) => {
    expect(textOf(join(TEMPLATE, request))).toBe(text);
  });

  it('vanishes when one of its values is absent', () => {
    const template = '[{query:a}-{query:b}]!';
    expect(textOf(join(template, at('?a=1&b=2')))).toBe('1-2!');
    expect(textOf(join(template, at('?a=1')))).toBe('!');
  });

  it('does not vanish because its value is given twice', () => {
    expect(join(TEMPLATE, at('?data.id=7&data.id=8'))).toMatchObject({
      ok: false,
      error: { reason: 'malformed', detail: 'query parameter data.id appears more than once' },
    });
  });

  it('is not what a bracket of the text begins', () => {
    expect(textOf(join('{[}{query:a}{]}', at('?a=1')))).toBe('[1]');
  });
});
