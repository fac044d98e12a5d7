import { describe, expect, it } from 'vitest';
import { withLinksOf, withoutTokens, type LinkMaker } from '../../../src/outbox/state/links.ts';
import { draft, START } from '../support.ts';

const STAND_IN = 'https://action.invalid/event/0/xxx';
const links = {
  item: 2,
  all: [{ standIn: STAND_IN, id: 'yes', label: 'Yes, Ada', isOfEvent: true, expiresMs: 1_000 }],
};
const asking = draft({
  params: { message: `Yes: ${STAND_IN} ${STAND_IN}` },
  fallback: [{ kind: 'text', params: { message: STAND_IN } }],
  links,
});
const by: LinkMaker = {
  account: () => 'default',
  key: () => 'key',
  knownKey: () => 'key',
  publicUrl: 'https://relay.example.com',
};
const failing = (): string => {
  throw new Error('asked for a key');
};

/** Of a message with this number, for this receiver. */
const url = (seq: number, phone: string) =>
  withLinksOf({ ...asking, phone }, seq, START, by).message.params['message'];
const URL = /https:\/\/relay\.example\.com\/a\/[0-9a-z]{24}/;

describe('the links of a message', () => {
  it('take the places of their stand-ins, in its fallback too', () => {
    const { message, links: column } = withLinksOf(asking, 7, START, by);
    const [made] = URL.exec(message.params['message'] ?? '') ?? [];
    expect(message.params).toEqual({ message: `Yes: ${made} ${made}` });
    expect(message.fallback).toEqual([{ kind: 'text', params: { message: made } }]);
    expect(JSON.parse(column ?? '')).toEqual({
      item: 2,
      all: [{ id: 'yes', label: 'Yes, Ada', until: START + 1_000 }],
    });
  });

  it('are those of its number and receiver', () => {
    expect(url(7, '491511')).toBe(url(7, '491511'));
    expect(url(7, '491511')).not.toBe(url(8, '491511'));
    expect(url(7, '491511')).not.toBe(url(7, '491512'));
  });

  it('have no label with something of the event where its source keeps none', () => {
    const { links: column } = withLinksOf({ ...asking, forget: true }, 7, START, by);
    expect(column).not.toContain('Ada');
  });

  it('are left out, and the message says so, without the relay’s address', () => {
    const { message, links: column } = withLinksOf(asking, 7, START, { ...by, publicUrl: null });
    expect(message.params['message']).toBe('Yes:  ');
    expect(message.reason).toBe('its links are left out: PUBLIC_URL is not set');
    expect(column).toBeNull();
  });

  it('cost a message without any nothing', () => {
    const plain = draft();
    expect(withLinksOf(plain, 7, START, { ...by, key: failing })).toEqual({ message: plain, links: null });
  });
});

describe('a text without tokens', () => {
  it.each([
    ['a https://r.example/a/0123456789abcdefghjkmnpq b', 'a https://r.example/a/… b'],
    [String.raw`{"m":"https:\/\/r\/a\/0123456789abcdefghjkmnpq"}`, String.raw`{"m":"https:\/\/r\/a\/…"}`],
    ['https://r.example/a/short', 'https://r.example/a/short'],
  ])('shows no link that works: %s', (text, shown) => {
    expect(withoutTokens(text)).toBe(shown);
  });
});
