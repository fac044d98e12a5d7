import { describe, expect, it } from 'vitest';
import { addressOfSource, setUpSteps } from '../../../shared/new-source/set-up.ts';

const at = (verify: unknown, secret?: string) => addressOfSource('https://a.example', 'shop', verify, secret);

describe('where a source is', () => {
  it('is its address, with the name of a secret that is part of it', () => {
    const inPath = { scheme: 'token', in: 'path' };
    expect(at(undefined, 'TOKEN')).toBe('https://a.example/hooks/shop');
    expect(at({ scheme: 'token', in: 'header' }, 'TOKEN')).toBe('https://a.example/hooks/shop');
    expect(at(inPath, 'TOKEN')).toBe('https://a.example/hooks/shop/<TOKEN>');
    expect(at(inPath)).toBe('https://a.example/hooks/shop/<secret>');
  });
  it('is put into the steps at the provider, with the secret that this source names', () => {
    const steps = 'URL `https://<your worker>/hooks/<source>`, secret `S`.';
    expect(setUpSteps(steps, 'https://a.example', 'shop', ['S', 'SHOP_S'])).toBe(
      'URL `https://a.example/hooks/shop`, secret `SHOP_S`.',
    );
    expect(setUpSteps(steps, 'https://a.example', 'shop', null)).toBe(
      'URL `https://a.example/hooks/shop`, secret `S`.',
    );
  });
});
