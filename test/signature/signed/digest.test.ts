import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { digestAlgorithm } from '../../../src/signature/signed/digest.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const sha256 = (text: string) => Uint8Array.from(createHash('sha256').update(text).digest());

const claim = (signatures: readonly Uint8Array[], ...contents: readonly string[]) => ({
  signatures,
  contents: contents.map((content) => (secret: Uint8Array) => Uint8Array.of(...secret, ...bytes(content))),
  place: 'header X-S',
  once: null,
});

describe('digestAlgorithm', () => {
  const calls: string[] = [];
  const algorithm = digestAlgorithm(
    { algorithm: 'sha256', secret_encoding: 'utf8' },
    async (content, secret) => {
      calls.push(new TextDecoder().decode(secret));
      return crypto.subtle.digest('SHA-256', content);
    },
  );

  it('makes the digest of each content once, however many signatures are listed', async () => {
    calls.length = 0;
    const listed = [sha256('x'), sha256('y'), sha256('s:b')];
    expect(await algorithm.matches(bytes('s:'), claim(listed, 'a', 'b'))).toBe(true);
    expect(calls).toEqual(['s:', 's:']);
  });

  it('matches nothing else', async () => {
    expect(await algorithm.matches(bytes('s:'), claim([sha256('s:c')], 'a', 'b'))).toBe(false);
    expect(await algorithm.matches(bytes('t:'), claim([sha256('s:a')], 'a'))).toBe(false);
  });

  it.each([
    ['md5', 16],
    ['sha1', 20],
    ['sha256', 32],
    ['sha512', 64],
  ] as const)('takes %s signatures of %d bytes only', (name, length) => {
    const { form } = digestAlgorithm({ algorithm: name, secret_encoding: 'utf8' }, async (content) =>
      crypto.subtle.digest('SHA-256', content),
    );
    expect(form.read(new Uint8Array(length))).not.toBeNull();
    expect(form.read(new Uint8Array(length + 1))).toBeNull();
    expect(form.read(new Uint8Array(length - 1))).toBeNull();
  });
});
