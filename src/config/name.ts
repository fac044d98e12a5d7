/** A valid name of a source, template, recipient list or account: it is used in URLs, secrets and logs. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/**
 * A name of a person: `Anna`, `Anna Müller`. It contains no `/`, since routes name a person as `list/person`, and no
 * `{`, which begins a template.
 */
export const PERSON_NAME = /^(?=\S)[^/{}\p{C}]{1,64}(?<=\S)$/u;
