import type { Version } from './relay/shapes.ts';
import { fullTime } from './show.ts';
import { safe } from './text.ts';

/** A version in a sentence: `version 3, published 2026-01-05 09:30:00 by token (prices for the fair)`. */
export const publishedBy = ({ version, published_at, by, note }: Version): string =>
  `version ${version}, published ${fullTime(published_at)} by ${safe(by)} (${safe(note)})`;
