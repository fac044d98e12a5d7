import { describe, expect, it } from 'vitest';
import { checkShape } from '../../../src/config/gateway-spec.ts';
import { httpSchema } from '../../../src/config/gateway-schema.ts';
import { classifyHttp } from '../../../src/gateway/http-answer.ts';
import { MAKERS } from '../../../src/gateway/makers/makers.ts';
import type { HttpShape, Maker } from '../../../src/gateway/shape.ts';
import { BY_HAND } from './by-hand.ts';
import * as z from 'zod/mini';

/** An answer of the original, and what it has to mean. */
interface Fixture {
  readonly answer: string;
  readonly status: number;
  readonly body: unknown;
  readonly outcome: string;
  readonly says?: string;
  readonly retry_after_ms?: number;
}

const files = import.meta.glob<readonly Fixture[]>('./fixtures/*.json', { eager: true, import: 'default' });
const fixturesOf = (id: string): readonly Fixture[] => files[`./fixtures/${id}.json`] ?? [];

/** Each maker, and a gateway that a document declares. */
const ALL: readonly (Pick<Maker, 'id' | 'name' | 'options'> & { readonly shape: HttpShape })[] = [
  ...MAKERS,
  { id: 'http', name: 'A gateway by hand', shape: BY_HAND },
];

/** The meaning of an answer with this status and without a body. */
const withoutBody = ({ shape }: Pick<Maker, 'shape'>, status: number, headers = new Headers()) =>
  classifyHttp({ status, headers, text: '', complete: true }, shape.answer, 0);

describe.each(ALL)('$name: an answer', (maker) => {
  it.each(fixturesOf(maker.id))(
    '$answer ($status) is $outcome',
    ({ status, body, outcome, says, retry_after_ms }) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const verdict = classifyHttp(
        { status, headers: new Headers(), text, complete: true },
        maker.shape.answer,
        0,
      );
      expect(verdict.outcome).toBe(outcome);
      if (says !== undefined) expect(verdict.detail).toContain(says);
      expect(verdict.retry_after_ms).toBe(retry_after_ms);
    },
  );

  it('has fixtures: one that is sent, one that is not, one that pauses the account', () => {
    const outcomes = fixturesOf(maker.id).map(({ outcome }) => outcome);
    for (const needed of ['sent', 'rejected', 'unauthorized']) expect(outcomes).toContain(needed);
  });

  it('is uncertain when a success is cut off, empty or a web page', () => {
    const answer = { status: 200, headers: new Headers() };
    for (const [text, complete] of [
      ['{"ok":true,"id":"1"', false],
      ['', true],
      ['<html>', true],
      ['{}', true],
      ['[]', true],
    ] as const)
      expect(classifyHttp({ ...answer, text, complete }, maker.shape.answer, 0).outcome).toBe('uncertain');
  });

  it('is never more than a repetition away: a redirect, 503 and 429 mean what they mean everywhere', () => {
    expect(withoutBody(maker, 302).outcome).toBe('redirected');
    expect(withoutBody(maker, 503).outcome).toBe('busy');
    expect(withoutBody(maker, 429, new Headers({ 'retry-after': '9' }))).toMatchObject({
      outcome: 'busy',
      retry_after_ms: 9_000,
    });
  });
});

describe.each(ALL)('$name: its declaration', (maker) => {
  it('is one that a document could have, but for options', () => {
    const { kinds, ...rest } = maker.shape;
    const plain = Object.fromEntries(
      Object.entries(kinds).map(([kind, call]) => [kind, { ...call, only: undefined }]),
    );
    for (const call of Object.values(plain)) Reflect.deleteProperty(call, 'only');
    expect(z.safeParse(httpSchema, { ...rest, kinds: plain }).error?.issues).toBeUndefined();
  });

  it('names no field that nothing fills', () => {
    const errors: string[] = [];
    checkShape(
      maker.shape,
      (path, message) => errors.push(`${path} ${message}`),
      Object.keys(maker.options ?? {}),
    );
    expect(errors).toEqual([]);
  });
});
