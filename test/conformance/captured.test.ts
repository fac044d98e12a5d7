import { expect, it } from 'vitest';
import { providers } from '../platform/providers.ts';
import { signsBody } from '../../src/signature/scheme.ts';
import { capturedKind, schemeOf } from './captured.ts';
import { rule } from './rule.ts';
import { starterOf } from './starters.ts';

const ALL = [...providers].map(([id, provider]) => [id, provider] as const);

/** Senders of one's own that sign the body and nothing that is new, for which nothing is claimed. */
const EQUAL_BODIES = ['grafana', 'dropbox', 'acuity', 'patreon', 'attio', 'mautic'];

rule('a starter says what keeps a captured request from being another event, and why', ALL, (_, provider) => {
  const { kind, note } = starterOf(provider).captured ?? {};
  if (kind !== undefined) expect(kind).toBe(capturedKind(provider, schemeOf(provider, starterOf(provider))));
  if (kind !== undefined && kind !== 'signed-id') expect(note).toMatch(/^\S.{20,}\.$/s);
});

it('nothing does so for no sender that signs the body, but for those whose equal bodies are different events', () => {
  const open = ALL.filter(
    ([, one]) => starterOf(one).captured?.kind === 'open' && signsBody(schemeOf(one, starterOf(one))),
  );
  expect(open.map(([id]) => id).toSorted()).toEqual(EQUAL_BODIES.toSorted());
});

rule(
  'a provider that claims the body does so by conditions on what is signed',
  ALL.filter(([, { signed_body }]) => signed_body !== undefined),
  (_, provider) => {
    expect(signsBody(schemeOf(provider, starterOf(provider)))).toBe(true);
    const { window = 0, changing = [], types = [] } = provider.signed_body ?? {};
    expect(window).toBeGreaterThan(0);
    expect(changing).not.toEqual([]);
    for (const { at } of changing.flat()) expect(at).toMatch(/^body:\S/);
    // They are distinguished by a header that nobody signs.
    if (types.length > 0) expect(provider.event_type).toEqual([expect.stringMatching(/^header:/)]);
    expect(new Set(types).size).toBe(types.length);
  },
);
