import { describe, expect, it } from 'vitest';
import { routeSchema } from '../../src/config/schema.ts';
import { providers } from '../../src/provider/catalog.ts';
import { verifySchema, type VerifyScheme } from '../../src/signature/scheme.ts';

const ALL = [...providers].map(([id, provider]) => [id, provider] as const);

/** A checked scheme as a document would write it: the only difference is the tolerance. */
function written(scheme: VerifyScheme): unknown {
  if (scheme.scheme !== 'hmac' || scheme.timestamp === undefined) return scheme;
  return { ...scheme, timestamp: { ...scheme.timestamp, tolerance: `${scheme.timestamp.tolerance}ms` } };
}

describe('the catalogue', () => {
  it('holds the providers in the order in which lists show them', () => {
    expect([...providers.keys()]).toEqual([
      'stripe',
      'github',
      'standard-webhooks',
      'shopify',
      'typeform',
      'slack',
      'alertmanager',
      'grafana',
      'generic',
    ]);
  });

  it('has no provider that nobody wrote', () => {
    expect(providers.get('constructor')).toBeUndefined();
  });

  it.each(ALL)('files %s under its own id, which can stand in a document', (id, provider) => {
    expect(provider.id).toBe(id);
    expect(id).toMatch(/^[a-z][a-z0-9-]*$/);
  });

  it.each(ALL)('gives %s a scheme that a document could give it too', (_, { verify }) => {
    if (verify === null) return;
    expect(verifySchema.parse(written(verify))).toEqual(verify);
  });

  it.each(ALL)(
    'gives %s starter routes with names of their own that a document could hold',
    (_, { routes }) => {
      for (const route of routes) expect(routeSchema.safeParse(route)).toMatchObject({ success: true });
      expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length);
      expect(routes.length).toBeGreaterThan(0);
    },
  );

  it('leaves verification to the source where the sender does not sign', () => {
    expect(ALL.filter(([, { verify }]) => verify === null).map(([id]) => id)).toEqual([
      'alertmanager',
      'generic',
    ]);
  });

  it('never takes two alerts for one: they are repeated on purpose', () => {
    expect(ALL.filter(([, { dedupe }]) => dedupe.length === 0).map(([id]) => id)).toEqual([
      'alertmanager',
      'grafana',
      'generic',
    ]);
  });
});
