import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ok } from '../../../src/lib/result.ts';
import type { ParsedBody, SignedRequest } from '../../../src/signature/basics/request.ts';
import { signedBytes } from '../../../src/signature/signed/signed-bytes.ts';
import { parseSigned } from '../../../src/signature/signed/signed-options.ts';
import { bytesOf, outcomeInFull, requestOf } from '../support.ts';

interface Extra {
  readonly timestamp?: string;
  readonly url?: string;
  readonly item?: unknown;
  readonly parsed?: ParsedBody;
}

const PARSED: ParsedBody = { format: 'json', sent: null, payload: { a: { b: 'é' }, id: 9 } };

function join(template: string, request: SignedRequest, extra: Extra = {}) {
  const parts = parseSigned(template);
  if (!parts.ok) throw new Error(parts.error);
  const { timestamp = null, url = '', item, parsed = PARSED } = extra;
  const params = new Map([
    ['t', ['012']],
    ['twice', ['1', '2']],
  ]);
  const content = signedBytes(parts.value, { request, params, timestamp, url, item, parsed });
  return content.ok ? ok(content.value(bytesOf('s3cret'))) : content;
}

const textOf = (joined: ReturnType<typeof join>) =>
  joined.ok ? new TextDecoder().decode(joined.value) : outcomeInFull(joined);
const at = (query: string, headers: Record<string, string> = {}) =>
  requestOf({ url: `https://hooks.example.com/${query}`, headers, body: '{}' });

it('joins the body as the bytes that came, text or not', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
      const joined = join('é.{raw_body}.', requestOf({ body }));
      expect(joined).toEqual({ ok: true, value: Uint8Array.of(0xc3, 0xa9, 0x2e, ...body, 0x2e) });
    }),
  );
});

it('joins texts exactly as they were sent, the address as it is given, and the secret where it belongs', () => {
  const url = 'https://hooks.example.com/hooks/shop?data.id=%C3%A9&name=ORD01';
  const request = requestOf({ method: 'post', url, headers: { 'X-Id': 'msg_1' }, body: '{"a":1}' });
  const template = '{method} {header:x-id} {sig.t} {ts} {query:data.id} {body:a.b} {body:id} {raw_body}';
  const joined = textOf(join(template, request, { timestamp: '0017' }));
  expect(joined).toBe('POST msg_1 012 0017 é é 9 {"a":1}');
  const given = 'https://hooks.example.com/x?a=%20b';
  expect(textOf(join('{url}{raw_body}', request, { url: given }))).toBe(`${given}{"a":1}`);
  expect(textOf(join('{method}{secret}{raw_body}', request))).toBe('POSTs3cret{"a":1}');
  expect(textOf(join('{query_lower:name}', request))).toBe('ord01');
  const fields = { b: '2', a: '1' };
  const parsed = { format: 'form', sent: fields, payload: fields } as const;
  expect(textOf(join('{form_sorted}', request, { parsed }))).toBe('a1b2');
});

it('joins values of an element, and nothing for one that is absent', () => {
  const item = { amount: { value: 1000, currency: 'EUR' }, success: true, reference: null };
  const absent = '{item:reference}:{item:nothing}';
  const template = `{item:amount.value}:${absent}:{item:amount.currency}:{item:success}`;
  expect(textOf(join(template, at(''), { item }))).toBe('1000:::EUR:true');
  const object = 'malformed: body field amount is not a text, number or boolean';
  expect(textOf(join('{item:amount}', at(''), { item }))).toBe(object);
});

it.each([
  ['{header:X-Id,X-A}', 'missing_header: header X-Id or X-A is missing'],
  ['{query:id}', 'missing_field: query parameter id is missing'],
  ['{query:twice}', 'malformed: query parameter twice appears more than once'],
  ['{body:none}', 'missing_field: body field none is missing, or not a text or number'],
  ['{sig.v}', 'missing_field: signature parameter v is missing'],
  ['{sig.twice}', 'malformed: signature parameter twice appears more than once'],
  ['{ts}', 'misconfigured: '],
])('refuses %s when it is not there: an empty piece would be a weaker signature', (template, problem) => {
  expect(textOf(join(`${template}{raw_body}`, at('?twice=1&twice=2')))).toContain(problem);
});

it('has an optional segment whole or not at all', () => {
  const template = '[id:{query:data.id};][request-id:{header:x-request-id};]ts:{sig.t};';
  const text = (query: string, headers = {}) => textOf(join(template, at(query, headers)));
  const id = { 'x-request-id': 'r' };
  expect(text('?data.id=7', id)).toBe('id:7;request-id:r;ts:012;');
  expect(text('', id)).toBe('request-id:r;ts:012;');
  expect(text('?data.id=7')).toBe('id:7;ts:012;');
  for (const query of ['', '?data.id=']) expect(text(query)).toBe('ts:012;');
  // It does not vanish because its value is given twice.
  const twice = 'malformed: query parameter data.id appears more than once';
  expect(text('?data.id=7&data.id=8')).toBe(twice);
  expect(textOf(join('[{query:a}-{query:b}]!', at('?a=1&b=2')))).toBe('1-2!');
  expect(textOf(join('[{query:a}-{query:b}]!', at('?a=1')))).toBe('!');
  // Brackets of the text begin none.
  expect(textOf(join('{[}{query:a}{]}', at('?a=1')))).toBe('[1]');
});
