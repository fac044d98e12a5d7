/** The secrets that the documents of docs/answers.md name. */
const NAMES = [
  'ORDERS_TOKEN',
  'ALERTMANAGER_TOKEN',
  'NEWS_TOKEN',
  'BOOKINGS_TOKEN',
  'REFUNDS_TOKEN',
  'GRAFANA_TOKEN',
] as const;

/** The value of such a secret. */
export const answersSecret = (name: (typeof NAMES)[number]): string =>
  `${name.toLowerCase().replaceAll('_', '-')}-of-the-docs`;

/** All of them, as bindings of the Worker. */
export const answersBindings = (): Readonly<Record<string, string>> =>
  Object.fromEntries(NAMES.map((name) => [name, answersSecret(name)]));
