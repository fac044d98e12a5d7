import { expect, it } from 'vitest';
import { ownValue } from '../../../src/lib/json.ts';
import type { NewDocument } from '../../../cli/init/changes.ts';
import {
  customerRoutes,
  documentsOfRecipe,
  withFreeNames,
  type RecipeAnswers,
  findRecipe,
  recipeDocuments,
} from '../../../cli/recipes/recipe.ts';
import { EMPTY_SET, type ConfigSet } from '../../../src/config/documents/schema.ts';

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

/** Those of a recipe beside the documents of a folder. */
const fresh = (id: string, set: Partial<ConfigSet>): readonly NewDocument[] =>
  withFreeNames(made(id), id, { ...EMPTY_SET, ...set });

const names = (documents: readonly NewDocument[], kind: string): readonly string[] =>
  documents.filter((one) => one.kind === kind).map(({ name }) => name);

const find = (documents: readonly NewDocument[], kind: string, name: string): NewDocument => {
  const found = documents.find((one) => one.kind === kind && one.name === name);
  if (found === undefined) throw new Error(`no ${kind}/${name}`);
  return found;
};

const routes = (documents: readonly NewDocument[]) => documents.flatMap(({ value }) => customerRoutes(value));

it('the documents of a recipe leave out the source that was not chosen, and templates and routes that are for nobody', () => {
  const documents = made('order');
  expect(names(documents, 'sources')).toEqual(['sendcloud', 'shopify', 'stripe']);
  expect(names(documents, 'templates').join()).not.toMatch(/woocommerce|shopify-thanks/);
  expect(routes(documents)).toEqual([]);
  const withCustomers = made('order', { customers: true });
  expect(names(withCustomers, 'templates')).toContain('shopify-thanks');
  expect(routes(withCustomers)).toContain('paid-customer');
});

it('the documents of a recipe have the answers, such as country, language and zone, and keep comments', () => {
  const { value, text } = find(made('order'), 'sources', 'shopify');
  expect(value).toMatchObject({ country: 'AT', locale: 'de-AT', timezone: 'Europe/Vienna' });
  expect(text).toContain('# Shopify posts to /hooks/shopify');
  expect(text).toContain('country: AT # for numbers that customers type without a country code');
  expect(text).toContain('# In a rush, five orders');
  const forCustomers = find(made('order', { customers: true }), 'sources', 'shopify').text;
  expect(forCustomers).toContain('{{ payload.customer_locale | default: "de-AT" }}');
  expect(find(made('order'), 'templates', 'shopify-paid').text).toContain('locale: "de-AT"');
  expect(find(made('order', { country: '' }), 'sources', 'shopify').value).not.toHaveProperty('country');
  expect(find(made('home-server'), 'sources', 'backup').value).not.toHaveProperty('country');
  const answers = new Map([['page', 'https://ada.example']]);
  const origins = ['https://ada.example'];
  expect(find(made('freelancer', { answers }), 'sources', 'contact').value).toMatchObject({ origins });
});

it('beside the documents of a folder, a list with other numbers is not widened, and one with the same numbers is used', () => {
  const other = fresh('order', { recipients: { 'shop-owners': { numbers: ['4930123456'] } } });
  expect(names(other, 'recipients')).toEqual(['order-shop-owners']);
  const { value, text } = find(other, 'sources', 'shopify');
  expect(ownValue(Reflect.get(Object(value['routes']), 0), 'to')).toBe('order-shop-owners');
  expect(text).toContain('to: order-shop-owners');
  const same = fresh('order', { recipients: { 'shop-owners': { numbers: ANSWERS.numbers } } });
  expect(names(same, 'recipients')).toEqual(['shop-owners']);
});

it('beside the documents of a folder, a secret of another source is not shared', () => {
  const billing = { provider: 'stripe', secrets: ['STRIPE_WEBHOOK_SECRET'], routes: [] };
  const documents = fresh('freelancer', { sources: { billing } });
  expect(find(documents, 'sources', 'invoices').value['secrets']).toEqual(['INVOICES_WEBHOOK_SECRET']);
});
