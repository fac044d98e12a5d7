import { expect } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import type { Route } from '../../src/config/config.ts';
import { EMPTY_SET, type ConfigSet } from '../../src/config/schema.ts';

/** A set with these parts. The others are empty. */
export const setOf = (parts: Partial<ConfigSet>): ConfigSet => ({ ...EMPTY_SET, ...parts });

/** The errors of a set, one line each: `path: message`. */
export const errorsOf = (parts: Partial<ConfigSet>): readonly string[] =>
  compileConfig(setOf(parts), 1).errors.map(({ path, message }) => `${path}: ${message}`);

/** A source that anybody may post to, with what a test is about. */
export const open = (document: object = {}): Record<string, unknown> => ({
  verify: { scheme: 'none' },
  ...document,
});

/** A route that is right, with what a test is about; undefined takes a key away. */
export const routeWith = (change: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({
      name: 'all',
      to: '4915112345678',
      send: { kind: 'text', message: 'hello' },
      ...change,
    }).filter(([, value]) => value !== undefined),
  );

/** Any text with `part` in it, for a comparison. */
export const containing = (part: string): unknown => expect.stringContaining(part);

/** The errors of a set with one source `shop`, which has this one route. */
export const routeErrors = (change: object, more: Partial<ConfigSet> = {}): readonly string[] =>
  errorsOf({ sources: { shop: open({ routes: [routeWith(change)] }) }, ...more });

/** What a set with one source `shop`, which has this one route, is compiled to. */
export const compiledRoute = (change: object, more: Partial<ConfigSet> = {}, source: object = {}) =>
  compileConfig(setOf({ sources: { shop: open({ ...source, routes: [routeWith(change)] }) }, ...more }), 1);

/** That route as it is compiled. */
export function routeOf(...args: Parameters<typeof compiledRoute>): Route {
  const { config, errors } = compiledRoute(...args);
  const [route] = config.sources.get('shop')?.routes ?? [];
  if (route === undefined) throw new Error(JSON.stringify(errors));
  return route;
}

/** The warnings about that route; there are no errors. */
export function routeWarnings(...args: Parameters<typeof compiledRoute>): readonly string[] {
  const { warnings, errors } = compiledRoute(...args);
  expect(errors).toEqual([]);
  return warnings
    .map(({ path, message }) => `${path}: ${message}`)
    .filter((one) => !one.includes('.shop.verify'));
}

/** Expects of each document one error, which begins with `at` and the row's text. */
export function expectErrors<Document>(
  at: string,
  errorsFor: (document: Document) => readonly string[],
  rows: readonly (readonly [document: Document, error: string])[],
): void {
  const found = rows.map(([document, error]) => {
    const errors = errorsFor(document);
    return [document, errors.map((one) => one.slice(0, at.length + error.length))];
  });
  expect(found).toEqual(rows.map(([document, error]) => [document, [at + error]]));
}

/** The documents that the product promises to take, as they are written there. */
export const PROMISED: ConfigSet = {
  sources: {
    'shop-payments': {
      provider: 'stripe',
      secrets: ['STRIPE_SECRET'],
      account: 'default',
      country: 'DE',
      locale: 'de-DE',
      timezone: 'Europe/Berlin',
      routes: [
        {
          name: 'paid',
          when: 'event.type == "checkout.session.completed" and payload.data.object.amount_total > 0',
          to: '{{ payload.data.object.customer_details.phone }}',
          template: 'payment-received',
        },
        {
          name: 'notify-the-shop',
          when: 'event.type == "checkout.session.completed"',
          to: ['shop-owners', '4930123456'],
          send: { kind: 'text', message: 'New order {{ payload.data.object.id }}' },
          stop: true,
        },
      ],
    },
    signed: {
      verify: {
        scheme: 'hmac',
        header: 'X-Signature',
        algorithm: 'sha256',
        encoding: 'hex',
        prefix: 'sha256=',
        signed: '{ts}.{raw_body}',
        timestamp: { header: 'X-Timestamp', unit: 's', tolerance: '5m' },
      },
      secrets: ['HOOK_SECRET', 'STRIPE_SECRET_NEXT'],
      dedupe: { key: '{{ payload.id }}', window: '3d' },
      store: 'metadata',
      routes: [
        {
          name: 'each-alert',
          each: 'payload.alerts',
          to: 'shop-owners',
          send: {
            kind: 'poll',
            question: 'Who takes {{ item.name }} ({{ index }})?',
            options: ['I do, now', 'Not me'],
          },
          delay: '30s',
          expires: '1h',
          on_uncertain: 'hold',
          max_length: 1_000,
          overflow: 'split',
        },
        { name: 'shout', send: { kind: 'status', text: 'Open' } },
        { name: 'picture', to: '4930123456', template: 'picture' },
        { name: 'voice', to: '4930123456', send: { kind: 'voice', audio_url: 'https://x.example/a.ogg' } },
      ],
    },
    bearer: {
      verify: { scheme: 'token', in: 'header', name: 'Authorization', prefix: 'Bearer ' },
      secrets: ['HOOK_SECRET'],
    },
    'in-query': { verify: { scheme: 'token', in: 'query', name: 'key' }, secrets: ['HOOK_SECRET'] },
    'in-path': { verify: { scheme: 'token', in: 'path' }, secrets: ['HOOK_SECRET'] },
    basic: { verify: { scheme: 'basic' }, secrets: ['BASIC_SECRET'] },
    open: { verify: { scheme: 'none' }, account: 'sales' },
  },
  templates: {
    'payment-received': {
      kind: 'text',
      message:
        'Thanks {{ payload.data.object.customer_details.name | default: "you" }}!\nWe got *{{ payload.data.object.amount_total | money: payload.data.object.currency }}*.\n',
    },
    picture: { kind: 'image', image_url: 'https://x.example/a.png', caption: 'A picture' },
    link: {
      kind: 'link-preview',
      url: 'https://x.example',
      text: 'Look',
      title: 'Title',
      description: 'Text below',
    },
  },
  recipients: { 'shop-owners': { numbers: ['4915112345678', '4915187654321'] } },
  accounts: {
    default: {
      rate: { per_minute: 30, burst: 5 },
      per_recipient: { per_hour: 30 },
      timeout: '15s',
      retry: ['5s', '30s', '2m', '10m', '30m', '1h', '3h', '6h', '12h'],
      permanent_errors: [],
      circuit: { failures: 5, probe: '30s' },
      retention: '30d',
    },
    sales: { rate: false, per_recipient: false },
  },
  silences: {
    'sunday-maintenance': {
      when: 'event.source == "alerts" and item.labels.env == "staging"',
      every: { days: ['sun'], from: '02:00', to: '04:00', timezone: 'Europe/Berlin' },
    },
  },
};
