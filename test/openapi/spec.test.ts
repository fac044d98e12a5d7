import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { described } from '../../openapi/spec.ts';
import { apiRoute } from '../../src/admin/api/route.ts';

const routes = {
  read: apiRoute({
    method: 'GET',
    path: '/cards/{id}',
    role: 'operator',
    handle: async ({
      params: { id },
    }): Promise<{ readonly card: string; readonly by?: string } | Response> =>
      id === 'none' ? new Response(null, { status: 404 }) : { card: id, by: 'ann' },
  }),
};

const prose = { tag: 'operations', summary: 'Read a card' } as const;
const answerOf = <Schema extends z.core.$ZodType>(schema: Schema) => ({ description: 'A card.', schema });

const card = z.string();
const by = z.string().optional();

/** The first one compiles, the others do not. */
const specs = [
  described(routes, { read: { ...prose, answer: answerOf(z.object({ card, by })) } }),
  // @ts-expect-error -- the route returns a field that the schema lacks
  described(routes, { read: { ...prose, answer: answerOf(z.object({ card })) } }),
  // @ts-expect-error -- the schema has a field that the route never returns
  described(routes, { read: { ...prose, answer: answerOf(z.object({ card, by, at: card })) } }),
  // @ts-expect-error -- the route may leave out a field that the schema requires
  described(routes, { read: { ...prose, answer: answerOf(z.object({ card, by: card })) } }),
  // @ts-expect-error -- the field has another type
  described(routes, { read: { ...prose, answer: answerOf(z.object({ card: z.number(), by })) } }),
  // @ts-expect-error -- a route that answers with JSON has a schema
  described(routes, { read: { ...prose, answer: { description: 'A card.' } } }),
];

describe('the schema of an answer', () => {
  it('that is not the one that the route returns does not compile', () => {
    expect(specs).toHaveLength(6);
  });
});
