import { parseOwnJson } from '../../lib/own-json.ts';
import { type Sample, sampleOf, type Starter } from '../../config/starter.ts';
import { FIRST_LANGUAGE, languageOf, withTexts, type StarterTexts } from '../../config/starter-texts.ts';

/** A provider's starter, from the static assets that are deployed with the Worker; null if it has none. */
export const readStarter = (env: Env, id: string): Promise<Starter | null> =>
  readAsset<Starter>(env, `providers/${id}`);

/** Returns the starter with its texts in the language of a locale, or else in English, and that language. */
export async function readWordedStarter(
  env: Env,
  id: string,
  locale: string,
): Promise<(Starter & { readonly language: string }) | null> {
  const wanted = languageOf(locale);
  const [starter, own] = await Promise.all([readStarter(env, id), readTexts(env, id, wanted)]);
  if (starter === null) return null;
  const texts = own ?? (await readTexts(env, id, FIRST_LANGUAGE)) ?? {};
  return { ...withTexts(starter, texts), language: own === null ? FIRST_LANGUAGE : wanted };
}

const readTexts = (env: Env, id: string, language: string): Promise<StarterTexts | null> =>
  readAsset<StarterTexts>(env, `texts/${id}/${language}`);

async function readAsset<Content>(env: Env, name: string): Promise<Content | null> {
  const response = await env.ASSETS.fetch(`https://assets.invalid/${name}.json`);
  return response.ok ? parseOwnJson<Content>(await response.text()) : null;
}

/** A provider's samples as they are posted. */
export const samplesOf = (starter: Starter | null): readonly Sample[] =>
  (starter?.samples ?? []).map(sampleOf);
