import { describe, expect, it } from 'vitest';
import { providers } from '../../src/provider/catalog/catalog.ts';
import type { VerifyScheme } from '../../src/signature/scheme.ts';
import { verifySignature } from '../../src/signature/verify.ts';
import { contextAt, NOW, requestOf, schemeOf } from '../signature/support.ts';
import { type Vector, vectors } from './vectors.ts';

function schemeOfVector({ verify }: Vector): VerifyScheme {
  if (typeof verify !== 'string') return schemeOf(verify);
  const scheme = providers.get(verify)?.verify;
  if (!scheme) throw new Error(`no scheme for ${verify}`);
  return scheme;
}

/** Verifies the vector with some of its parts changed, at the time it was signed. */
function verify(vector: Vector, changes: Partial<Pick<Vector, 'body' | 'headers' | 'secret'>> = {}) {
  const { secret, timestamp, ...request } = { ...vector, ...changes };
  const now = timestamp === undefined ? NOW : timestamp.seconds * 1_000;
  return verifySignature(schemeOfVector(vector), [secret], requestOf(request), contextAt(now));
}

/** Another digit at `index`, so that the text stays of its kind. */
const changeAt = (text: string, index: number) =>
  text.slice(0, index) + (text[index] === '4' ? '5' : '4') + text.slice(index + 1);

/** The same list with one character changed in each signature. */
const changeSignatures = (text: string) =>
  text.replaceAll(/(?<=^|=|,)[A-Za-z0-9+/]{20,}/g, (match) => changeAt(match, 10));

const ALL = vectors.map((vector) => [vector.name, vector] as const);
const IN_HEADER = ALL.filter(([, { signatureHeader }]) => signatureHeader !== null);
const TIMED = ALL.filter(([, { timestamp }]) => timestamp !== undefined);

describe('published vectors', () => {
  it.each(ALL)('%s is accepted', async (_, vector) => {
    expect(await verify(vector)).toMatchObject({ ok: true, value: { secretIndex: 0 } });
  });

  it.each(ALL)('%s is refused with another body', async (_, vector) => {
    const changed =
      vector.signatureHeader === null ? vector.body.replace('"EUR"', '"USD"') : `${vector.body}\n`;
    expect(changed).not.toBe(vector.body);
    expect(await verify(vector, { body: changed })).toMatchObject({
      ok: false,
      error: { reason: 'mismatch' },
    });
  });

  it.each(ALL)('%s is refused with another signature', async (_, vector) => {
    const { signatureHeader, headers, body } = vector;
    const original = signatureHeader === null ? body : (headers[signatureHeader] ?? '');
    const changed =
      signatureHeader === null
        ? body.replace(/(?<="hmacSignature":".{5})./, '!')
        : changeSignatures(original);
    expect(changed).not.toBe(original);
    const changes =
      signatureHeader === null ? { body: changed } : { headers: { ...headers, [signatureHeader]: changed } };
    expect(await verify(vector, changes)).toMatchObject({ ok: false });
  });

  it.each(IN_HEADER)('%s is refused without a signature', async (_, vector) => {
    const headers = Object.fromEntries(
      Object.entries(vector.headers).filter(([name]) => name !== vector.signatureHeader),
    );
    expect(await verify(vector, { headers })).toMatchObject({
      ok: false,
      error: { reason: 'missing_header' },
    });
  });

  it.each(ALL)('%s is refused with another secret', async (_, vector) => {
    const secret = vector.otherSecret ?? changeAt(vector.secret, vector.secret.length - 5);
    expect(await verify(vector, { secret })).toMatchObject({ ok: false, error: { reason: 'mismatch' } });
  });

  it.each(TIMED)('%s is refused with a timestamp of one second later', async (_, vector) => {
    const { header = '', seconds = 0 } = vector.timestamp ?? {};
    const changed = vector.headers[header]?.replace(String(seconds), String(seconds + 1)) ?? '';
    expect(changed).not.toBe(vector.headers[header]);
    const headers = { ...vector.headers, [header]: changed };
    expect(await verify(vector, { headers })).toMatchObject({ ok: false, error: { reason: 'mismatch' } });
  });

  it.each(TIMED)('%s is refused five days later', async (_, vector) => {
    const { seconds = 0 } = vector.timestamp ?? {};
    const late = verifySignature(
      schemeOfVector(vector),
      [vector.secret],
      requestOf(vector),
      contextAt((seconds + 5 * 86_400) * 1_000),
    );
    expect(await late).toMatchObject({ ok: false, error: { reason: 'stale' } });
  });
});
