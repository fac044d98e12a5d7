import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../console/pages/sources/json.ts';
import { newSecret, setsSecret } from '../../../console/pages/sources/place.ts';
import { withReceivers, withValue } from '../../../console/pages/sources/route-fields.ts';
import { handsOverKey, nameInHint, withSecret } from '../../../console/pages/sources/secrets.ts';
import { CATEGORIES, shelvesOf } from '../../../console/pages/sources/shelves.ts';
import { providers } from '../relay.mjs';

describe('where a source is', () => {
  it('decides what sets a secret', () => {
    expect(setsSecret('A', "it's", 'relay.example')).toBe(`printf %s 'it'\\''s' | npx wrangler secret put A`);
    expect(setsSecret('A', 'whsec_1', '[::1]')).toBe('A="whsec_1"');
    expect(setsSecret('A', 'whsec_1', 'localhost')).toBe('A="whsec_1"');
    expect(setsSecret('A', 'a"b', 'localhost')).toBe(`A='a"b'`);
  });
  it('has secrets that nobody can guess', () => {
    expect(newSecret()).toMatch(/^[0-9a-f]{48}$/);
    expect(newSecret()).not.toBe(newSecret());
  });
});

describe('a key that a provider hands over', () => {
  const asana = { handshakes: [{ proof: { by: 'pairing' } }] };
  it.each([
    [asana, {}, true],
    [asana, { verify: { scheme: 'none' } }, false],
    [{ handshakes: [{ proof: { by: 'secret' } }] }, {}, false],
    [{}, {}, false],
  ])('of %j for %j: %s', (provider, source, hands) => {
    expect(handsOverKey(provider, source)).toBe(hands);
  });
  it('gets the name that the relay proposes, and is named once', () => {
    expect(nameInHint('Then set it with `npx wrangler secret put SHOP_KEY`, and …')).toBe('SHOP_KEY');
    expect(nameInHint('nothing')).toBeNull();
    expect(withSecret(withSecret({ secrets: ['A'] }, 'B'), 'B')).toEqual({ secrets: ['A', 'B'] });
  });
});

describe('a document as text', () => {
  it('is an object', () => {
    expect(parseDocument('{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(['[]', 'null', '1', '{'].map((text) => parseDocument(text).ok)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('the gallery', () => {
  const all = [...providers.values()].map(({ id, name, category, words = [] }) => ({
    id,
    name,
    category,
    words,
    signs: true,
  }));
  const names = (search: string, category = ''): readonly string[] =>
    shelvesOf(all, { search, category }, (one) => one).flatMap((shelf) =>
      shelf.providers.map(({ id }) => id),
    );
  it('shows every provider once', () => {
    expect(names('').toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    expect(new Set(CATEGORIES).size).toBe(CATEGORIES.length);
  });
  it('finds by name and by category', () => {
    expect(names('strip')).toEqual(['stripe']);
    expect(names('', 'email')).toEqual(
      all
        .filter(({ category }) => category === 'email')
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(names('nothing of this name')).toEqual([]);
  });
  it.each(['contact', 'form', 'html', 'website', 'feedback', 'booking'])(
    'finds the form on one’s own website by “%s”',
    (word) => expect(names(word)).toContain('html-form'),
  );
});

describe('a field of a source', () => {
  it('is changed, and taken away where it is empty', () => {
    expect(withValue({ country: 'DE', locale: 'de-DE' }, 'country', 'AT')).toEqual({
      country: 'AT',
      locale: 'de-DE',
    });
    expect(withValue({ country: 'DE', locale: 'de-DE' }, 'country', '')).toEqual({ locale: 'de-DE' });
  });

  it('is a route’s receivers where they are numbers and lists', () => {
    const source = {
      routes: [
        { name: 'owner', to: ['team', '+49 171 3920001'] },
        { name: 'customer', to: '{{ payload.phone }}' },
        { name: 'status' },
      ],
    };
    const [owner, ...others] = withReceivers(source);
    expect(others).toEqual([]);
    expect(owner).toMatchObject({ at: 0, name: 'owner', to: 'team, +49 171 3920001' });
    expect(owner?.setTo('team')).toMatchObject({ routes: [{ to: 'team' }, { name: 'customer' }, {}] });
    expect(owner?.setTo('team, boss')).toMatchObject({ routes: [{ to: ['team', 'boss'] }, {}, {}] });
  });
});
