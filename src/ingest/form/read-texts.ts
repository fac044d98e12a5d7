import { assetText } from '../../config/asset-text.ts';
import { isGerman } from '../../lib/german.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import { ENGLISH, type FormTexts } from './texts.ts';

let german: FormTexts | null = null;

/**
 * The texts for a locale; English where there are none, and where they cannot be read: a form is taken all the same. The German ones are
 * an asset, read once in an isolate.
 */
export async function formTexts({ ASSETS }: Pick<Env, 'ASSETS'>, locale: string): Promise<FormTexts> {
  if (!isGerman(locale)) return ENGLISH;
  german ??= await assetText(ASSETS, 'forms/de.json').then(parseOwnJson<FormTexts>, () => null);
  return german ?? ENGLISH;
}
