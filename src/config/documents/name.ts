/** A valid name of a source, template or recipient list: it is used in URLs, secrets and logs. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** A valid name of an account. It becomes part of the names of its secrets. */
export const ACCOUNT_NAME = /^[a-z][a-z0-9_-]{0,31}$/;

/** `Anna Müller`. No `/`, since routes name a person as `list/person`, and no `{`, which begins a template. */
export const PERSON_NAME = /^(?=\S)[^/{}\p{C}]{1,64}(?<=\S)$/u;

/** The parts of a set, named as in the admin API's paths and the folders of a configuration in git. */
export const KINDS = ['sources', 'templates', 'recipients', 'accounts', 'silences', 'providers'] as const;

export type DocumentKind = (typeof KINDS)[number];

export const ofEachKind = <Value>(make: () => Value): Record<DocumentKind, Value> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has a property for each kind
  Object.fromEntries(KINDS.map((kind) => [kind, make()])) as Record<DocumentKind, Value>;
