import { describe, expect, it } from 'vitest';
import { providers } from '../../src/provider/catalog/catalog.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { signsBody, verifySchema } from '../../src/signature/scheme.ts';
import { capturedKind, schemeOf } from './captured.ts';
import { starterOf } from './starters.ts';
import { rule } from './rule.ts';

const ALL = [...providers].map(([id, provider]) => [id, provider] as const);

const schemeIn = (provider: Provider) => schemeOf(provider, starterOf(provider));

/** Senders of one's own that sign the body and nothing that is new, for which nothing is claimed, and why. */
const EQUAL_BODIES = ['grafana', 'dropbox', 'acuity'];

describe('what keeps a captured request from being another event', () => {
  rule('is stated as the scheme and the places of the ids have it', ALL, (_, provider) => {
    expect(starterOf(provider).captured.kind).toBe(capturedKind(provider, schemeIn(provider)));
  });

  rule('has a reason where nothing does, and where bodies are claimed', ALL, (_, provider) => {
    const { kind, note } = starterOf(provider).captured;
    if (kind !== 'signed-id') expect(note).toMatch(/^\S.{20,}\.$/s);
  });

  it('is nothing for no sender that signs the body, but for those whose equal bodies are different events', () => {
    const open = ALL.filter(
      ([, one]) => starterOf(one).captured.kind === 'open' && signsBody(schemeIn(one)),
    ).map(([id]) => id);
    expect(open.toSorted()).toEqual(EQUAL_BODIES.toSorted());
  });

  rule(
    'is, where it claims the body, by conditions on what is signed',
    ALL.filter(([, { signed_body }]) => signed_body !== undefined),
    (_, provider) => {
      expect(signsBody(schemeIn(provider))).toBe(true);
      const { window = 0, repeats = [], types = [] } = provider.signed_body ?? {};
      expect(window).toBeGreaterThan(0);
      for (const { at } of repeats.flat()) expect(at).toMatch(/^body:\S/);
      // They are distinguished by a header that nobody signs.
      if (types.length > 0) expect(provider.event_type).toEqual([expect.stringMatching(/^header:/)]);
      expect(new Set(types).size).toBe(types.length);
    },
  );
});

const of = (over: Partial<Provider>, scheme: object) => {
  const [github] = ALL.filter(([id]) => id === 'github').map(([, one]) => one);
  if (github === undefined) throw new Error('github');
  const { signed_body: _, ...bare } = github;
  return capturedKind({ ...bare, ...over }, verifySchema.parse(scheme));
};

describe('the kind', () => {
  const body = { scheme: 'hmac', header: 'X-Signature' };
  const timed = { ...body, signed: '{ts}.{raw_body}', timestamp: { header: 'X-Time' } };
  const withId = { ...body, signed: '{header:X-Id}.{raw_body}' };

  it.each<[string, Partial<Provider>, object, string]>([
    ['an id in a header that is not signed', { dedupe: ['header:X-Id'] }, body, 'open'],
    [
      'the same, and a claim of the body',
      { dedupe: ['header:X-Id'], signed_body: { window: 1 } },
      body,
      'digest',
    ],
    ['the same, and a signed time', { dedupe: ['header:X-Id'] }, timed, 'signed-time'],
    ['an id in a header that is signed', { dedupe: ['header:x-id'] }, withId, 'signed-id'],
    ['an id in the body', { dedupe: ['body:id'] }, body, 'signed-id'],
    ['an id of which one part is not signed', { dedupe: [['body:id', 'header:X-Id']] }, body, 'open'],
    ['an id, or else one that is not signed', { dedupe: ['body:id', 'query:id'] }, body, 'open'],
    ['no id', { dedupe: [] }, body, 'open'],
    [
      'a claim of a body that a token stands beside',
      { signed_body: { window: 1 } },
      { scheme: 'basic' },
      'open',
    ],
    [
      'the worse of two ways',
      { dedupe: ['header:X-Id'] },
      { scheme: 'any', of: [withId, timed] },
      'signed-time',
    ],
  ])('of %s is found', (_, over, scheme, kind) => {
    expect(of(over, scheme)).toBe(kind);
  });
});
