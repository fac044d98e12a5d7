/** The names in records of who did something by a token alone. Nobody can sign in, or be invited, under one of them. */
export const NO_PERSONS = ['token', 'operator', 'viewer', 'editor', 'hookbell'] as const;

/** A program that Cloudflare Access lets through: its id is no name either. */
export const SERVICE = 'service:';

const noPersons: ReadonlySet<string> = new Set(NO_PERSONS);

/** The name of a person in a record of who did something. Null: a token or a program did it. */
export const personName = (by: string): string | null =>
  noPersons.has(by) || by.startsWith(SERVICE) ? null : by;
