import { describe, expect } from 'vitest';
import { providers } from '../platform/providers.ts';
import { verifySignature } from '../../src/signature/scheme.ts';
import { contextAt, NOW, requestOf } from '../signature/support.ts';
import { rule } from './rule.ts';
import { type Vector, vectors } from './vectors.ts';

const ALL = vectors.map((vector) => [vector.name, vector] as const);
const TIMED = ALL.filter(([, { timestamp }]) => timestamp !== undefined);

/** Verifies a vector with some of its parts changed, at the time it was signed or so many seconds later. */
async function reasonOf(vector: Vector, changes: Partial<Vector> = {}, late = 0): Promise<string> {
  const { secret, timestamp, verify, headers, ...request } = { ...vector, ...changes };
  const scheme = providers.get(verify)?.verify;
  if (!scheme) throw new Error(`no scheme for ${verify}`);
  const now = timestamp === undefined ? NOW : (timestamp.seconds + late) * 1_000;
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const asked = requestOf({ ...request, headers: Object.fromEntries(sent) });
  const checked = await verifySignature(scheme, [secret], asked, contextAt(now));
  return checked.ok ? `by secret ${checked.value.secret}` : checked.error.code;
}

/** Another digit at `index`, so that the text stays of its kind. */
const changeAt = (text: string, index: number) =>
  text.slice(0, index) + (text[index] === '4' ? '5' : '4') + text.slice(index + 1);

/** The same with one character changed in each signature, wherever it stands. */
function withOtherSignature({ signatureHeader, headers, body }: Vector): Partial<Vector> {
  if (signatureHeader === null) return { body: body.replace(/(?<="hmacSignature":".{5})./, '!') };
  const list = headers[signatureHeader] ?? '';
  const changed = list.replaceAll(/(?<=^|=|,)[A-Za-z0-9+/]{20,}/g, (match) => changeAt(match, 10));
  expect(changed).not.toBe(list);
  return { headers: { ...headers, [signatureHeader]: changed } };
}

describe('a published vector', () => {
  rule('is accepted', ALL, async (_, vector) => {
    expect(await reasonOf(vector)).toBe('by secret 0');
  });

  rule(
    'is refused with another body, signature or secret, or without a signature',
    ALL,
    async (_, vector) => {
      const { body, secret, otherSecret, signatureHeader, headers } = vector;
      const other = signatureHeader === null ? body.replace('"EUR"', '"USD"') : `${body}\n`;
      expect(await reasonOf(vector, { body: other })).toBe('mismatch');
      expect(await reasonOf(vector, withOtherSignature(vector))).not.toBe('by secret 0');
      const stranger = otherSecret ?? changeAt(secret, secret.length - 5);
      expect(await reasonOf(vector, { secret: stranger })).toBe('mismatch');
      if (signatureHeader === null) return;
      const unsigned = { ...headers, [signatureHeader]: undefined };
      expect(await reasonOf(vector, { headers: unsigned })).toBe('missing_header');
    },
  );

  rule('is refused with a time of one second later, and five days later', TIMED, async (_, vector) => {
    const { header = '', seconds = 0 } = vector.timestamp ?? {};
    const changed = vector.headers[header]?.replace(String(seconds), String(seconds + 1));
    expect(changed).not.toBe(vector.headers[header]);
    expect(await reasonOf(vector, { headers: { ...vector.headers, [header]: changed } })).toBe('mismatch');
    expect(await reasonOf(vector, {}, 5 * 86_400)).toBe('stale');
  });
});
