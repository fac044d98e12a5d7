import type { ConfigSet } from '../../src/config/schema.ts';
import { open, routeWith } from './support.ts';

/** Two values of a key; `undefined` leaves it out. */
export type Values = readonly [unknown, unknown];

/** An object of a document. `set` puts it into a set, and adds the keys that it needs besides. */
export interface Group {
  readonly set: (keys: object) => Partial<ConfigSet>;
  readonly keys: Readonly<Record<string, Values>>;
}

export const source = (keys: object): Partial<ConfigSet> => ({
  sources: { shop: open(keys) },
  accounts: { sales: {} },
});
export const form = (keys: object): Partial<ConfigSet> => ({
  sources: { shop: { provider: 'html-form', fields: { name: {} }, ...keys } },
});
export const route = (keys: object): Partial<ConfigSet> => ({
  sources: { shop: open({ routes: [routeWith(keys)] }) },
  templates: { other: { kind: 'text', message: 'other' } },
});
export const account = (keys: object): Partial<ConfigSet> => ({ accounts: { default: keys } });
export const silence = (keys: object): Partial<ConfigSet> => ({
  silences: { night: { when: 'true', ...keys } },
});
export const list = (keys: object): Partial<ConfigSet> => ({
  ...route({ to: 'team' }),
  recipients: { team: { numbers: ['4915112345678'], ...keys } },
});
