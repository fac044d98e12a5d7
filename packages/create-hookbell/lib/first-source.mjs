/** A number that is kept for films: nobody has it. */
export const NOBODY = '+1 202 555 0123';

/** The options of `hookbell init` for a project without questions: a source that takes anything with a token. */
export const FIRST_SOURCE = ['--provider', 'generic', '--source', 'hello', '--to', NOBODY];
