import { describe, expect, it } from 'vitest';
import {
  draftFor,
  idOf,
  pathTo,
  placeOf,
  sourcesFor,
  textAt,
  textsOf,
  withText,
} from '../../../console/pages/templates/texts-of-set.ts';

const text = (message: string) => ({ kind: 'text', message });
const set = {
  templates: { paid: text('Paid'), lonely: text('Nobody') },
  sources: {
    shop: {
      provider: 'stripe',
      routes: [
        { name: 'a', template: 'paid', digest: 'paid' },
        { name: 'b', send: text('Inline'), digest: text('All') },
      ],
    },
    odd: { routes: 'none' },
  },
};

describe('the texts of a set', () => {
  it('are its templates, with who sends them, and those in routes', () => {
    expect(textsOf(set).map(({ id, uses }) => [id, uses.length])).toEqual([
      ['paid', 2],
      ['lonely', 0],
      ['shop:b', 1],
      ['shop:b:digest', 1],
    ]);
  });

  it('have an address each, which leads back to them', () => {
    for (const { id, place, document } of textsOf(set)) {
      expect(placeOf(id)).toEqual(place);
      expect(idOf(placeOf(id))).toBe(id);
      expect(textAt(set, place)).toEqual(document);
    }
    expect(textAt(set, placeOf('constructor'))).toBeNull();
    expect(textAt(set, placeOf('shop:gone'))).toBeNull();
  });
});

describe('a changed text', () => {
  const place = placeOf('shop:b');

  it('is published with its source as it is otherwise', () => {
    const { collection, name, document } = withText(set, place, text('New'));
    expect([collection, name]).toEqual(['sources', 'shop']);
    expect(document).toEqual({
      provider: 'stripe',
      routes: [set.sources.shop.routes[0], { name: 'b', send: text('New'), digest: text('All') }],
    });
  });

  it('has the path that the API names in its errors', () => {
    expect(pathTo(set, place)).toBe('sources.shop.routes[1].send.');
    expect(pathTo(set, placeOf('paid'))).toBe('templates.paid.');
  });

  it('is tried on the sources that send it, and one that nobody sends on any', () => {
    expect(sourcesFor(set, placeOf('paid'))).toEqual(['shop']);
    expect(sourcesFor(set, placeOf('lonely'))).toEqual(['shop', 'odd']);
    expect(draftFor(set, placeOf('paid'), text('x'), 'shop')).toEqual({
      drafts: { templates: { paid: text('x') } },
    });
    expect(draftFor(set, placeOf('lonely'), text('x'), 'shop')).toMatchObject({
      drafts: { sources: { shop: { provider: 'stripe', routes: [{ template: 'lonely' }] } } },
    });
  });
});
