/** The parts of a set, in the words of the admin API's paths and of the folders of a configuration in git. */
export const KINDS = ['sources', 'templates', 'recipients', 'accounts'] as const;

export type DocumentKind = (typeof KINDS)[number];
