import * as z from 'zod/mini';
import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import {
  check,
  checkQuery,
  moment,
  readJson,
  numberedPage,
  pageOr,
  pageParams,
} from '../../../src/admin/request/input.ts';
import { oneOf, strictDocument } from '../../../src/schema/parts.ts';
import { type ProblemJson, lines } from '../support.ts';
import type { Page } from '../../../src/outbox/read/read.ts';

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

it.each(['', '{', '{"a":1}}', 'a=1', '{"a":undefined}'])(
  'a JSON body is not %j: 400, as a problem',
  async (text) => {
    const read = await readJson(request(text));
    const response = read.ok ? new Response() : read.error;
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect((await response.json<ProblemJson>()).detail).toMatch(/^The body is not valid JSON: \S/);
  },
);

it('a JSON body is UTF-8', async () => {
  const read = await readJson(request(new Uint8Array([0x22, 0xff, 0x22])));
  expect(read).toMatchObject({ ok: false, error: { status: 400 } });
});

it('a JSON body over two megabytes is 413', async () => {
  const read = await readJson(request(`"${'x'.repeat(3_000_000)}"`));
  expect(read).toMatchObject({ ok: false, error: { status: 413 } });
  expect(await readJson(request(`"${'x'.repeat(1_999_998)}"`))).toMatchObject({ ok: true });
});

it('a JSON body that breaks off is 400, and not called too large', async () => {
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('gone')) });
  expect(await readJson(request(body))).toMatchObject({ ok: false, error: { status: 400 } });
});

it('checked input is refused with paths as a person writes them', async () => {
  const schema = strictDocument({ list: z.array(z.string({ error: 'must be text' })) });
  const checked = check(schema, { list: ['a', 5], lst: 1 });
  const errors = checked.ok ? [] : lines(await checked.error.json<ProblemJson>());
  expect(errors).toEqual(['list[1]: must be text', 'lst: unknown key `lst`; did you mean `list`?']);
});

it('a query has a limit of 50 unless it says otherwise', async () => {
  expect((await query('')).body).toEqual({ limit: 50 });
  const given = { limit: 200, cursor: 'abc', state: 'dead' };
  expect((await query('limit=200&cursor=abc&state=dead')).body).toEqual(given);
});

it('a query is refused where it is misspelt, said twice or out of range', async () => {
  const since = 'since: must be a time such as 2026-01-31T12:00:00Z, or a duration ago such as 2h';
  for (const [text, error] of [
    ['sate=dead', 'sate: unknown key `sate`; did you mean `state`?'],
    ['Limit=5', 'Limit: unknown key `Limit`; did you mean `limit`?'],
    ['state=deed', 'state: must be one of sent, dead; did you mean `dead`?'],
    ['state=', 'state: must be one of sent, dead'],
    ['state=sent&state=dead', 'state: must be given once'],
    ['limit=0', 'limit: must be a whole number from 1 to 200'],
    ['limit=201', 'limit: must be a whole number from 1 to 200'],
    [`cursor=${'x'.repeat(15_001)}`, 'cursor: must have at most 15000 characters'],
    ['since=yesterday', since],
    ['since=5', since],
    ['since=2026-13-01', since],
    ['since=2026-02-30', since],
  ] as const)
    expect(await refusal(text)).toEqual([error]);
  for (const limit of ['1.5', '-1', '', '1e2', 'many'])
    expect(await refusal(`limit=${limit}`)).toHaveLength(1);
  for (const name of ['constructor', 'toString', '__defineGetter__'])
    expect(await refusal(`${name}=1`)).toHaveLength(1);
});

it('a moment is a date, a time with its zone, or so long ago', () => {
  expect(moment.parse('2026-01-31')).toBe(Date.UTC(2026, 0, 31));
  expect(moment.parse('2026-01-31T12:00:00Z')).toBe(Date.UTC(2026, 0, 31, 12));
  expect(moment.parse('2026-01-31T12:00:00+01:00')).toBe(Date.UTC(2026, 0, 31, 11));
  vi.useFakeTimers({ toFake: ['Date'] });
  expect(moment.parse('2h')).toBe(Date.now() - 7_200_000);
  vi.useRealTimers();
});

const identity = (n: number): number => n;

/** Numbers from `last` down to 1, read like a list of them: one more than asked for. */
const read = (last: number, limit: number, cursor: number | null): readonly number[] => {
  const from = Math.min(last, (cursor ?? Infinity) - 1);
  return Array.from({ length: Math.max(0, Math.min(from, limit + 1)) }, (_, n) => from - n);
};

const page = (limit: number, cursor: number | null = null) =>
  numberedPage(read(5, limit, cursor), limit, identity);

it('a page of numbered things leads to every thing once, whatever the limit is', () => {
  fc.assert(
    fc.property(fc.nat({ max: 40 }), fc.integer({ min: 1, max: 9 }), (last, limit) => {
      const seen: number[] = [];
      for (let cursor: number | null = null, pages = 0; pages <= last; pages += 1) {
        const page: Page<number> = numberedPage(read(last, limit, cursor), limit, identity);
        seen.push(...page.items);
        if (page.next_cursor === null) break;
        cursor = Number(page.next_cursor);
      }
      expect(seen).toEqual(read(last, last, null));
    }),
  );
});

it('a list refuses a cursor of another one', async () => {
  const refused = pageOr<Page<number>>(null);
  const errors = [{ path: 'cursor', message: 'must be the `next_cursor` of the previous response' }];
  expect(refused instanceof Response && (await refused.json())).toMatchObject({ status: 422, errors });
  expect(pageOr(page(3))).toEqual(page(3));
});
