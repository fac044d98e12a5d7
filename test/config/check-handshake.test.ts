import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { containing, setOf } from './support.ts';

const compiled = (document: object) => compileConfig(setOf({ sources: { shop: document } }), 1);

const META = { provider: 'meta-whatsapp', secrets: ['HOOK_SECRET'] };

describe('a handshake’s secret', () => {
  it('is kept by its name', () => {
    const { config, errors, warnings } = compiled({ ...META, handshake: { secret: 'VERIFY_TOKEN' } });
    expect([errors, warnings]).toEqual([[], []]);
    expect(config.sources.get('shop')?.handshakeSecret).toBe('VERIFY_TOKEN');
  });

  it('is missed where the provider will show one', () => {
    const { config, errors, warnings } = compiled(META);
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      { path: 'sources.shop.handshake', message: containing('cannot confirm the address without it') },
    ]);
    expect(config.sources.get('shop')?.handshakeSecret).toBeNull();
  });

  it.each(['stripe', 'slack', 'asana'])('is an error for %s, which shows none', (provider) => {
    const { errors } = compiled({
      provider,
      secrets: ['HOOK_SECRET'],
      handshake: { secret: 'VERIFY_TOKEN' },
    });
    expect(errors).toEqual([{ path: 'sources.shop.handshake', message: containing('has no effect') }]);
  });
});

describe('a source whose provider hands over its key', () => {
  it.each([{ provider: 'asana' }, { provider: 'notion', secrets: [] }])(
    'may be published without a secret, and the person learns what to do: %j',
    (document) => {
      const { config, errors, warnings } = compiled(document);
      expect(errors).toEqual([]);
      expect(warnings).toEqual([
        { path: 'sources.shop.secrets', message: containing('`npx hookbell pair shop`') },
      ]);
      expect(config.sources.get('shop')?.secrets).toEqual([]);
    },
  );

  it('needs no more words once it names one', () => {
    const { errors, warnings } = compiled({ provider: 'asana', secrets: ['HOOK_SECRET'] });
    expect([errors, warnings]).toEqual([[], []]);
  });

  it('needs a secret for a `verify` of the source’s own, which no key is handed over for', () => {
    const { errors } = compiled({ provider: 'asana', verify: { scheme: 'token', in: 'path' } });
    expect(errors).toEqual([{ path: 'sources.shop.secrets', message: containing('at least one secret') }]);
  });
});

it('a source of any other provider needs a secret', () => {
  const { errors } = compiled({ provider: 'slack' });
  expect(errors).toEqual([{ path: 'sources.shop.secrets', message: containing('at least one secret') }]);
});
