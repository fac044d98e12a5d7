import { describe, expect, it } from 'vitest';
import type { Source } from '../../src/config/config.ts';
import { greet, greetVerified } from '../../src/ingest/greet.ts';
import type { Handshake } from '../../src/provider/handshake.ts';
import { problemOf, rawOf, sourceOf, verifiedOf } from './support.ts';

const URL_WITH_CHALLENGE = 'https://relay.example/hooks/shop?challenge=abc123';

/** A handshake that asks by GET and wants its challenge back. */
const BY_GET: Handshake = {
  match: { method: 'GET', where: [{ at: 'query:challenge' }] },
  verify_first: false,
  respond: { status: 200, echo: 'query:challenge' },
};

/** One that is posted, with its challenge in the body. */
const BY_POST: Handshake = {
  match: { method: 'POST', where: [{ at: 'body:type', equals: 'hello' }] },
  verify_first: false,
  respond: { status: 200, echo: { challenge: 'body:challenge' } },
};

function withHandshake(handshake: Handshake): Source {
  const source = sourceOf();
  return { ...source, provider: { ...source.provider, handshake } };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const HELLO = '{"type":"hello","challenge":"abc123"}';

describe('a handshake that its provider does not sign', () => {
  it('is answered as the provider wants', async () => {
    const response = await greet(rawOf(withHandshake(BY_GET), { method: 'GET', url: URL_WITH_CHALLENGE }));
    expect(response?.status).toBe(200);
    expect(response?.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(response?.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response?.text()).toBe('abc123');
  });

  it('may stand in the body', async () => {
    const response = await greet(rawOf(withHandshake(BY_POST), { headers: JSON_TYPE, body: HELLO }));
    expect(await response?.json()).toEqual({ challenge: 'abc123' });
  });

  it('leaves an event alone, also one that cannot be parsed', async () => {
    const source = withHandshake(BY_POST);
    expect(await greet(rawOf(source, { headers: JSON_TYPE, body: '{"type":"paid"}' }))).toBeNull();
    expect(await greet(rawOf(source, { headers: JSON_TYPE, body: '{' }))).toBeNull();
  });

  it('is not echoed when it could become a page', async () => {
    const url = `https://relay.example/hooks/shop?challenge=${encodeURIComponent('<script>')}`;
    const response = await greet(rawOf(withHandshake(BY_GET), { method: 'GET', url }));
    expect(response?.status).toBe(400);
    const problem = response && (await problemOf(response));
    expect(problem?.type).toBe('urn:hookbell:problem:malformed-handshake');
    expect(problem?.detail).not.toContain('<script>');
  });

  it('a request by its method that is no handshake is refused: it is no event either', async () => {
    const response = await greet(rawOf(withHandshake(BY_GET), { method: 'GET' }));
    expect(response?.status).toBe(405);
    expect(response?.headers.get('allow')).toBe('POST, PUT');
  });
});

describe('a handshake that is signed', () => {
  const signed = withHandshake({ ...BY_POST, verify_first: true });

  it('gets no answer before the signature was checked', async () => {
    expect(await greet(rawOf(signed, { headers: JSON_TYPE, body: HELLO }))).toBeNull();
  });

  it('gets its answer afterwards', async () => {
    const response = greetVerified(verifiedOf(signed), { type: 'hello', challenge: 'abc123' });
    expect(await response?.json()).toEqual({ challenge: 'abc123' });
  });

  it('leaves an event alone', () => {
    expect(greetVerified(verifiedOf(signed), { type: 'paid' })).toBeNull();
  });

  it('a request by its method that is no handshake is refused', () => {
    const byGet = withHandshake({ ...BY_GET, verify_first: true });
    expect(greetVerified(verifiedOf(byGet, { method: 'GET' }), {})?.status).toBe(405);
  });
});

describe('a source without handshakes', () => {
  it('greets nobody', async () => {
    const source = sourceOf();
    expect(await greet(rawOf(source, { headers: JSON_TYPE, body: HELLO }))).toBeNull();
    expect(greetVerified(verifiedOf(source), { type: 'hello', challenge: 'abc123' })).toBeNull();
  });

  it('one of the other sort is not answered twice', () => {
    expect(
      greetVerified(verifiedOf(withHandshake(BY_POST)), { type: 'hello', challenge: 'abc123' }),
    ).toBeNull();
  });
});
