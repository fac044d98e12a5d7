import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  check,
  checkQuery,
  moment,
  notFound,
  readJson,
  versionNumber,
} from '../../../src/admin/request/input.ts';
import { numberCursor, pageParams } from '../../../src/admin/request/pages.ts';
import { oneOf, strictDocument } from '../../../src/schema/parts.ts';
import { lines, type ProblemJson } from '../support.ts';

const request = (body: BodyInit) => new Request('https://relay.example/', { method: 'POST', body });

const LIST = { ...pageParams, state: z.optional(oneOf(['sent', 'dead'])), since: z.optional(moment) };

/** The response of a list to a query: its parameters as they were understood, or the problem. */
async function query(
  text: string,
  shape: z.core.$ZodShape = LIST,
): Promise<{ status: number; body: unknown }> {
  const checked = checkQuery(shape, new URLSearchParams(text));
  const response = checked.ok ? Response.json(checked.value) : checked.error;
  return { status: response.status, body: await response.json() };
}

async function refusal(text: string, shape?: z.core.$ZodShape): Promise<readonly string[]> {
  const { status, body } = await query(text, shape);
  expect(status).toBe(422);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the status says that it is one
  return lines(body as ProblemJson);
}

describe('a JSON body', () => {
  it('is read', async () => {
    expect(await readJson(request('{"a":[1,"ä"]}'))).toEqual({ ok: true, value: { a: [1, 'ä'] } });
  });

  it.each(['', '{', '{"a":1}}', 'a=1', '{"a":undefined}'])('is not %j: 400, as a problem', async (text) => {
    const read = await readJson(request(text));
    const response = read.ok ? new Response() : read.error;
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect((await response.json<ProblemJson>()).detail).toMatch(/^The body is not valid JSON: \S/);
  });

  it('is UTF-8', async () => {
    const read = await readJson(request(new Uint8Array([0x22, 0xff, 0x22])));
    expect(read).toMatchObject({ ok: false, error: { status: 400 } });
  });

  it('over two megabytes is 413', async () => {
    const read = await readJson(request(`"${'x'.repeat(3_000_000)}"`));
    expect(read).toMatchObject({ ok: false, error: { status: 413 } });
    expect(await readJson(request(`"${'x'.repeat(1_999_998)}"`))).toMatchObject({ ok: true });
  });

  it('that breaks off is 400, and not called too large', async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('gone')),
    });
    expect(await readJson(request(body))).toMatchObject({ ok: false, error: { status: 400 } });
  });
});

describe('checked input', () => {
  it('is refused with paths as a person writes them', async () => {
    const schema = strictDocument({ list: z.array(z.string({ error: 'must be text' })) });
    const checked = check(schema, { list: ['a', 5], lst: 1 });
    expect(checked.ok ? [] : lines(await checked.error.json<ProblemJson>())).toEqual([
      'list[1]: must be text',
      'lst: unknown key `lst`; did you mean `list`?',
    ]);
  });
});

describe('a query', () => {
  it('has a limit of 50 unless it says otherwise', async () => {
    expect((await query('')).body).toEqual({ limit: 50 });
    expect((await query('limit=200&cursor=abc&state=dead')).body).toEqual({
      limit: 200,
      cursor: 'abc',
      state: 'dead',
    });
  });

  it.each([
    ['sate=dead', 'sate: unknown key `sate`; did you mean `state`?'],
    ['Limit=5', 'Limit: unknown key `Limit`; did you mean `limit`?'],
    ['state=deed', 'state: must be one of sent, dead; did you mean `dead`?'],
    ['state=', 'state: must be one of sent, dead'],
    ['state=sent&state=dead', 'state: must be given once'],
    ['limit=0', 'limit: must be a whole number from 1 to 200'],
    ['limit=201', 'limit: must be a whole number from 1 to 200'],
    ['limit=1.5', 'limit: must be a whole number from 1 to 200'],
    ['limit=-1', 'limit: must be a whole number from 1 to 200'],
    ['limit=', 'limit: must be a whole number from 1 to 200'],
    ['limit=1e2', 'limit: must be a whole number from 1 to 200'],
    ['limit=many', 'limit: must be a whole number from 1 to 200'],
    [`cursor=${'x'.repeat(15_001)}`, 'cursor: must have at most 15000 characters'],
    ['since=yesterday', 'since: must be a time such as 2026-01-31T12:00:00Z, or a duration ago such as 2h'],
    ['since=5', 'since: must be a time such as 2026-01-31T12:00:00Z, or a duration ago such as 2h'],
    ['since=2026-13-01', 'since: must be a time such as 2026-01-31T12:00:00Z, or a duration ago such as 2h'],
  ])('%s is refused', async (text, error) => {
    expect(await refusal(text)).toEqual([error]);
  });

  it.each(['constructor', 'toString', '__defineGetter__'])('has no parameter %s', async (name) => {
    expect(await refusal(`${name}=1`)).toHaveLength(1);
  });
});

describe('a moment', () => {
  it('is a date, or a time with its zone', () => {
    expect(moment.parse('2026-01-31')).toBe(Date.UTC(2026, 0, 31));
    expect(moment.parse('2026-01-31T12:00:00Z')).toBe(Date.UTC(2026, 0, 31, 12));
    expect(moment.parse('2026-01-31T12:00:00+01:00')).toBe(Date.UTC(2026, 0, 31, 11));
  });

  it('may be so long ago', () => {
    const before = Date.now();
    const then = moment.parse('2h') + 7_200_000;
    expect(then).toBeGreaterThanOrEqual(before);
    expect(then).toBeLessThanOrEqual(Date.now());
  });
});

describe('numbers in addresses', () => {
  it.each(['1', '42', '999999999999999'])('%s is one', (text) => {
    expect(versionNumber.parse(text)).toBe(Number(text));
    expect(numberCursor.parse(text)).toBe(Number(text));
  });

  it.each(['0', '-1', '1.5', 'abc', '', '0x1', '9999999999999999', 'constructor'])('%j is none', (text) => {
    expect(versionNumber.safeParse(text).success).toBe(false);
    expect(numberCursor.safeParse(text).success).toBe(false);
  });
});

describe('what is not there', () => {
  it('is a 404 problem that names it', async () => {
    const response = notFound('version 7');
    expect(response.status).toBe(404);
    expect(await response.json<ProblemJson>()).toMatchObject({
      title: 'Not found',
      detail: 'There is no version 7.',
    });
  });
});
