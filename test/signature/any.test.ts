import { expect, it } from 'vitest';
import { err, ok } from '../../src/lib/result.ts';
import { verifyAny } from '../../src/signature/scheme.ts';
import type { RefusalCode } from '../../src/signature/basics/request.ts';
import { by, hmacOf, outcomeInFull, tokenOf } from './support.ts';

const TOKEN = tokenOf({ in: 'header', name: 'X-Token' });
const SCHEMES = [hmacOf({ header: 'X-New' }), hmacOf({ header: 'X-Old' }), TOKEN];

/** Each scheme's answer in turn: the index of a secret, or why not. */
async function verify(...answers: readonly (number | RefusalCode)[]) {
  const asked: number[] = [];
  const verified = await verifyAny(SCHEMES.slice(0, answers.length), async (scheme) => {
    const index = SCHEMES.findIndex((one) => one === scheme);
    asked.push(index);
    const answer = answers[index] ?? 'mismatch';
    return typeof answer === 'number' ? by(answer) : err({ code: answer, detail: `detail ${index}` });
  });
  return { verified, asked };
}

it('takes the first scheme that takes the request, and asks no further', async () => {
  expect(await verify('mismatch', 3, 4)).toEqual({ verified: ok({ secret: 3, once: null }), asked: [0, 1] });
});

it.each([
  [['mismatch', 'stale', 'malformed'], 'mismatch', 'hmac (number 1): detail 0'],
  [['missing_header', 'stale', 'unknown_key'], 'stale', 'hmac (number 2): detail 1'],
  [['missing_header', 'missing_field', 'misconfigured'], 'missing_field', 'hmac (number 2): detail 1'],
  [['misconfigured', 'misconfigured', 'misconfigured'], 'misconfigured', 'hmac (number 1): detail 0'],
] as const)('of %j gives the reason of the one that came furthest', async (answers, reason, furthest) => {
  const detail = `none of the schemes hmac, hmac, token accepted it; the closest was ${furthest}`;
  expect(outcomeInFull((await verify(...answers)).verified)).toBe(`${reason}: ${detail}`);
});
