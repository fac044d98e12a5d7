/** The names in records of actions by a token alone. Nobody can sign in, or be invited, with one of them. */
export const NO_PERSONS = ['token', 'operator', 'viewer', 'editor', 'hookbell'] as const;

/** Stands for somebody whom nobody has named. */
export const UNNAMED: (typeof NO_PERSONS)[number] = 'hookbell';

/** The prefix of a program that Cloudflare Access lets through. Its id is not a person's name either. */
export const SERVICE = 'service:';

const noPersons: ReadonlySet<string> = new Set(NO_PERSONS);

/** The name of a person in a record of an action. Null if a token or a program did it. */
export const personName = (by: string): string | null =>
  noPersons.has(by) || by.startsWith(SERVICE) ? null : by;
