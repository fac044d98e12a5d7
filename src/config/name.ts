/** A valid name of a source, template, recipient list or account: it is used in URLs, secrets and logs. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
