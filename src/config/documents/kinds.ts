/** The parts of a set, named as in the admin API's paths and the folders of a configuration in git. */
export const KINDS = ['sources', 'templates', 'recipients', 'accounts', 'silences', 'providers'] as const;

export type DocumentKind = (typeof KINDS)[number];
