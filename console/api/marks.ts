import { asset } from './asset.ts';

/** A sender's mark, drawn on a grid of 24. */
export type Mark = readonly [ground: string, ink: string, path: string];

type Marks = Readonly<Record<string, Mark>>;

let loading: Promise<Marks> | null = null;

/** The marks of senders, by their ids, as `npm run marks` wrote them. A sender without one has a letter. */
export const marks = (): Promise<Marks> =>
  (loading ??= asset<Marks>('/marks.json').then((found) => found ?? {}));
