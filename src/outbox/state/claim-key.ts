/** The claim of an event's id. A source's own: two providers may use the same ids. No name of a source has a newline. */
export const claimKey = (source: string, key: string): string => `${source}\n${key}`;

/** The claim of one thing in a list. No name of a source begins with `#`. */
export const itemClaimKey = (source: string, key: string): string => `#${claimKey(source, key)}`;
