/**
 * The claim of an event's id, within its source, since two providers may use the same ids. No source's name has a
 * newline.
 */
export const claimKey = (source: string, key: string): string => `${source}\n${key}`;

/** The claim of an item's id. No source's name begins with `#`. */
export const itemClaimKey = (source: string, key: string): string => `#${claimKey(source, key)}`;
