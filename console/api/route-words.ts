import { language } from '../texts/texts.ts';
import { asset } from './asset.ts';

/** The words that sentences of routes are made of, in a language: `assets/route-words/{language}.json`. */
export interface RouteWords {
  readonly when: string;
  /** Stands for a noun that the name does not have. */
  readonly it: string;
  /** `order`: `an order`. */
  readonly nouns: Readonly<Record<string, string>>;
  /** `shipped`: `is shipped`. */
  readonly verbs: Readonly<Record<string, string>>;
  /** Whole sentences, by the name of the route. */
  readonly routes: Readonly<Record<string, string>>;
  /** The same for names that differ between providers. */
  readonly providers: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const NONE: RouteWords = { when: '', it: '', nouns: {}, verbs: {}, routes: {}, providers: {} };

/** The words in the person's language. Without them, a route is called by its name. */
export const readRouteWords = async (signal?: AbortSignal): Promise<RouteWords> =>
  (await asset<RouteWords>(`/route-words/${language}.json`, signal)) ?? NONE;
