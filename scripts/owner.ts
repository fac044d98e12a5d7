/** The owner of the repository on GitHub. To be set before the first release; `npm run docs:owner` then writes it everywhere. */
export const OWNER = 'OWNER';

/** Stands for an owner who is not known yet. A release refuses it. */
export const NOBODY = 'OWNER';

/** True once the first version is on npm. Until then pages mark what needs it by {@link MARK}. */
export const IS_RELEASED = false;

/** The mark, as a comment behind a command. */
export const MARK = '# after the first release';
