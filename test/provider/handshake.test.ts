import { describe, expect, it } from 'vitest';
import { answerHandshake, type Handshake } from '../../src/provider/handshake.ts';

const POSTED: Handshake = {
  match: { method: 'POST', where: [{ at: 'body:type', equals: 'url_verification' }] },
  verify_first: true,
  respond: { status: 200, echo: 'body:challenge' },
};
const FETCHED: Handshake = {
  match: { method: 'GET', where: [{ at: 'header:X-Challenge' }] },
  verify_first: false,
  respond: { status: 200, echo: { verification: 'header:X-Challenge' } },
};

const posted = (payload: unknown, method = 'POST') =>
  answerHandshake(POSTED, { method, payload, headers: new Headers(), query: new URLSearchParams() });
const fetched = (headers: Record<string, string>) =>
  answerHandshake(FETCHED, {
    method: 'GET',
    payload: {},
    headers: new Headers(headers),
    query: new URLSearchParams(),
  });

describe('answerHandshake', () => {
  it('sends a challenge back as plain text that no browser takes for a page', () => {
    expect(
      posted({ type: 'url_verification', challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P' }),
    ).toEqual({
      ok: true,
      value: {
        status: 200,
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        },
        body: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P',
      },
    });
  });

  it('sends a challenge back in JSON where the provider wants that', () => {
    expect(fetched({ 'x-challenge': 'abc' })).toMatchObject({
      ok: true,
      value: { headers: { 'content-type': 'application/json' }, body: '{"verification":"abc"}' },
    });
  });

  it.each([
    ['another type', { type: 'event_callback', challenge: 'a' }],
    ['no type', { challenge: 'a' }],
    ['no object', 'url_verification'],
  ])('is null for %s: the request is an event', (_, payload) => {
    expect(posted(payload)).toBeNull();
  });

  it('is null for another method, and for a header that is absent', () => {
    expect(posted({ type: 'url_verification', challenge: 'a' }, 'PUT')).toBeNull();
    expect(fetched({})).toBeNull();
  });

  it.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['is no text', { a: 1 }],
    ['is endless', 'a'.repeat(257)],
    ['is markup', '<script>alert(1)</script>'],
    ['has quotes', 'a"b'],
    ['has a line break', 'a\r\nb'],
    ['is not ASCII', 'ä'],
  ])('is an error when the challenge %s', (_, challenge) => {
    expect(posted({ type: 'url_verification', challenge })).toMatchObject({ ok: false });
  });
});
