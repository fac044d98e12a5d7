import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { checkShape } from '../../../src/config/compiled/gateway-spec.ts';
import { httpSchema } from '../../../src/config/documents/account-schema.ts';
import { checkCall } from '../../../src/gateway/kinds.ts';
import { classifyHttp } from '../../../src/gateway/http.ts';
import { MAKERS } from '../../../src/gateway/makers/makers.ts';
import { reasonText } from '../../../src/lib/reason.ts';
import type { GatewayAnswer } from '../../../src/gateway/outcome.ts';
import type { HttpShape, Maker } from '../../../src/gateway/shape.ts';
import { BY_HAND } from './by-hand.ts';

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
const ALL: readonly (Pick<Maker, 'options'> & { readonly id: string; readonly shape: HttpShape })[] = [
  ...MAKERS,
  { id: 'http', shape: BY_HAND },
];

const read = ({ shape }: Pick<Maker, 'shape'>, answer: Partial<GatewayAnswer>) =>
  classifyHttp({ status: 200, headers: new Headers(), text: '', complete: true, ...answer }, shape.answer, 0);

/** What an answer means without a body that says more, whatever the maker … */
const USUAL: Readonly<Record<number, string>> = {
  302: 'redirected',
  400: 'rejected',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'rejected',
  408: 'busy',
  413: 'rejected',
  425: 'busy',
  429: 'busy',
  500: 'server_error',
  502: 'server_error',
  503: 'busy',
};

/** … and where one means something else. */
const OWN: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  telegram: { 403: 'rejected', 404: 'unauthorized' },
  evolution: { 404: 'unauthorized' },
  // It answers 400 for whatever fails.
  signal: { 400: 'refused' },
};

describe.each(ALL)('$id: an answer', (maker) => {
  it('of the original is what it means, in its own words', () => {
    for (const { answer, status, body, outcome, says = '', retry_after_ms } of fixturesOf(maker.id)) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const verdict = read(maker, { status, text });
      expect(verdict, answer).toMatchObject({
        outcome,
        ...(retry_after_ms !== undefined && { retry_after_ms }),
      });
      expect(verdict.outcome === 'sent' ? '' : reasonText(verdict), answer).toContain(says);
    }
    const outcomes = fixturesOf(maker.id).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(expect.arrayContaining(['sent', 'rejected', 'unauthorized']));
  });

  it('of any status is what this status means everywhere, but where the maker says otherwise', () => {
    const failure = JSON.stringify({ error: 'an error', message: 'an error' });
    for (const text of ['', '<html>', failure]) {
      const outcomes = Object.keys(USUAL).map((status) => [
        status,
        read(maker, { status: Number(status), text }).outcome,
      ]);
      expect(Object.fromEntries(outcomes)).toEqual({ ...USUAL, ...OWN[maker.id] });
    }
    const headers = new Headers({ 'retry-after': '9' });
    for (const status of [429, 503])
      expect(read(maker, { status, headers })).toMatchObject({ outcome: 'busy', retry_after_ms: 9_000 });
  });

  it('is uncertain when a success is cut off, empty or a web page', () => {
    expect(read(maker, { text: '{"ok":true,"id":"1"', complete: false }).outcome).toBe('uncertain');
    for (const text of ['', '<html>', '{"ok":tr', '{}', '[]'])
      expect([text, read(maker, { text }).outcome]).toEqual([text, 'uncertain']);
  });
});

const long = (length: number, end: string) => ' '.repeat(length - end.length) + end;
const callTo = (phone: string) =>
  checkCall({ kind: 'text', phone, params: { message: 'a' } }, { pattern: /^a+$/u, what: 'a' });

const whyRefused = (error: unknown, message?: string): string => {
  const verdict = read({ shape: BY_HAND }, { text: JSON.stringify({ error, message }) });
  return verdict.outcome === 'refused' ? reasonText(verdict) : verdict.outcome;
};

it('a refusal has the field that says so, and each word once', () => {
  expect(whyRefused('no such group')).toBe('the gateway refused (`error` is set): no such group');
  expect(whyRefused(7, 'no such group')).toBe('the gateway refused (`error` is 7): no such group');
  expect(whyRefused({})).toBe('the gateway refused (`error` is set)');
});

it('a pattern of a document reads the first 4,096 characters of an answer, and no address of more than 256', () => {
  const answer = {
    sent: { matches: 'ok' },
    reason: ['why'],
    rules: [{ matches: 'no', means: 'rejected' }],
  } as const;
  const outcome = (text: string) => read({ shape: { ...BY_HAND, answer } }, { text }).outcome;
  expect([outcome(long(4_096, 'ok')), outcome(long(4_097, 'ok'))]).toEqual(['sent', 'uncertain']);
  const why = (length: number) => JSON.stringify({ why: long(length, 'no') });
  expect([outcome(why(4_096)), outcome(why(4_097))]).toEqual(['rejected', 'uncertain']);
  expect([callTo('a'.repeat(256)).ok, callTo('a'.repeat(257)).ok]).toEqual([true, false]);
});

it('the declarations of makers are ones that a document could have, but for options, and name no field that nothing fills', () => {
  for (const { id, shape, options = {} } of ALL) {
    const text = JSON.stringify(shape, (key, value: unknown) =>
      key === 'only' || key === 'cause' ? undefined : value,
    );
    expect(z.safeParse(httpSchema, JSON.parse(text)).error?.issues, id).toBeUndefined();
    const errors: string[] = [];
    checkShape(shape, (path, message) => errors.push(`${path} ${message}`), Object.keys(options));
    expect(errors, id).toEqual([]);
  }
});
