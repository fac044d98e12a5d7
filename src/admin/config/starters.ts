import { type Sample, sampleOf, type Starter } from '../../config/starter.ts';
import { FIRST_LANGUAGE, languageOf, withTexts } from '../../config/starter-texts.ts';
import { parseOwnJson } from '../../lib/own-json.ts';

/** A provider's starter, from the static assets that are deployed with the Worker; null if it has none. */
export async function readStarter(env: Env, id: string): Promise<Starter | null> {
  const response = await env.ASSETS.fetch(`https://assets.invalid/providers/${id}.json`);
  return response.ok ? parseOwnJson<Starter>(await response.text()) : null;
}

/** Returns the starter with its texts in the language of a locale, or else in English, and that language. */
export async function readWordedStarter(
  env: Env,
  id: string,
  locale: string,
): Promise<(Omit<Starter, 'texts' | 'mark'> & { readonly language: string }) | null> {
  const starter = await readStarter(env, id);
  if (starter === null) return null;
  const { texts, mark: _, ...rest } = starter;
  const wanted = languageOf(locale);
  const language = Object.hasOwn(texts, wanted) ? wanted : FIRST_LANGUAGE;
  return { ...withTexts(rest, texts[language] ?? {}), language };
}

/** A provider's samples as they are posted. */
export const samplesOf = (starter: Pick<Starter, 'samples'> | null): readonly Sample[] =>
  (starter?.samples ?? []).map(sampleOf);
