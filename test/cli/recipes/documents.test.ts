import { describe, expect, it } from 'vitest';
import { own } from '../../../shared/new-source/own.ts';
import type { NewDocument } from '../../../cli/init/documents.ts';
import {
  customerRoutes,
  documentsOfRecipe,
  withFreeNames,
  type RecipeAnswers,
} from '../../../cli/recipes/documents.ts';
import { findRecipe, recipeDocuments } from '../../../cli/recipes/recipe.ts';
import { EMPTY_SET } from '../../../src/config/schema.ts';

const ANSWERS: RecipeAnswers = {
  chosen: 'shopify',
  customers: false,
  country: 'AT',
  numbers: ['43664123456'],
  locale: 'de-AT',
  timezone: 'Europe/Vienna',
  answers: new Map(),
  quiet: { from: '20:00', to: '08:00' },
};

function made(id: string, answers: Partial<RecipeAnswers> = {}): readonly NewDocument[] {
  const recipe = findRecipe(id);
  const documents = recipe.ok ? recipeDocuments(recipe.value, 'en') : recipe;
  if (!recipe.ok || !documents.ok) throw new Error(id);
  return documentsOfRecipe(recipe.value, documents.value, { ...ANSWERS, ...answers });
}

const names = (documents: readonly NewDocument[], kind: string): readonly string[] =>
  documents.filter((one) => one.kind === kind).map(({ name }) => name);

const find = (documents: readonly NewDocument[], kind: string, name: string): NewDocument => {
  const found = documents.find((one) => one.kind === kind && one.name === name);
  if (found === undefined) throw new Error(`no ${kind}/${name}`);
  return found;
};

const routesToCustomers = (documents: readonly NewDocument[]): readonly string[] =>
  documents.flatMap(({ value }) => customerRoutes(value));

describe('the documents of a recipe', () => {
  it('leave out the source that was not chosen, and templates that no route names any more', () => {
    const documents = made('order');
    expect(names(documents, 'sources')).toEqual(['sendcloud', 'shopify', 'stripe']);
    expect(names(documents, 'templates').filter((name) => name.startsWith('woocommerce'))).toEqual([]);
    expect(names(documents, 'templates')).not.toContain('shopify-thanks');
    expect(names(made('order', { customers: true }), 'templates')).toContain('shopify-thanks');
  });

  it('have no route to customers unless they are wanted', () => {
    expect(routesToCustomers(made('order'))).toEqual([]);
    expect(routesToCustomers(made('order', { customers: true }))).toContain('paid-customer');
  });

  it('have the country, language and zone of the answers, and keep comments', () => {
    const { value, text } = find(made('order'), 'sources', 'shopify');
    expect(value).toMatchObject({ country: 'AT', locale: 'de-AT', timezone: 'Europe/Vienna' });
    expect(text).toContain('# Shopify posts to /hooks/shopify');
    expect(text).toContain('country: AT # for numbers that customers type without a country code');
    expect(text).toContain('# In a rush, five orders');
  });

  it('have no country where there is none', () => {
    expect(find(made('order', { country: '' }), 'sources', 'shopify').value).not.toHaveProperty('country');
    expect(find(made('home-server'), 'sources', 'backup').value).not.toHaveProperty('country');
  });

  it('have the numbers and quiet hours in the lists, by the clock of the zone', () => {
    expect(find(made('order'), 'recipients', 'shop-owners').value).toEqual({
      numbers: ['43664123456'],
      quiet: { from: '20:00', to: '08:00', timezone: 'Europe/Vienna', do: 'digest' },
    });
    expect(find(made('order', { quiet: null }), 'recipients', 'shop-owners').value).toEqual({
      numbers: ['43664123456'],
    });
  });

  it('have answers in place of their examples', () => {
    const answers = new Map([['page', 'https://ada.example']]);
    expect(find(made('freelancer', { answers }), 'sources', 'contact').value['origins']).toEqual([
      'https://ada.example',
    ]);
  });
});

describe('beside the documents of a folder', () => {
  const list = { numbers: ['4930123456'] };

  it('a list with other numbers is not widened: the recipe gets its own', () => {
    const fresh = withFreeNames(made('order'), 'order', {
      ...EMPTY_SET,
      recipients: { 'shop-owners': list },
    });
    expect(names(fresh, 'recipients')).toEqual(['order-shop-owners']);
    const { value, text } = find(fresh, 'sources', 'shopify');
    expect(own(Reflect.get(Object(value['routes']), 0), 'to')).toBe('order-shop-owners');
    expect(text).toContain('to: order-shop-owners');
  });

  it('a list with the same numbers is used', () => {
    const same = { numbers: ANSWERS.numbers };
    const fresh = withFreeNames(made('order'), 'order', {
      ...EMPTY_SET,
      recipients: { 'shop-owners': same },
    });
    expect(names(fresh, 'recipients')).toEqual(['shop-owners']);
  });

  it('a secret of another source is not shared', () => {
    const sources = { billing: { provider: 'stripe', secrets: ['STRIPE_WEBHOOK_SECRET'], routes: [] } };
    const fresh = withFreeNames(made('freelancer'), 'freelancer', { ...EMPTY_SET, sources });
    expect(find(fresh, 'sources', 'invoices').value['secrets']).toEqual(['INVOICES_WEBHOOK_SECRET']);
  });

  it('an account keeps its settings', () => {
    const fresh = withFreeNames(made('home-server'), 'home-server', {
      ...EMPTY_SET,
      accounts: { default: { rate: false } },
    });
    expect(names(fresh, 'accounts')).toEqual([]);
  });
});
