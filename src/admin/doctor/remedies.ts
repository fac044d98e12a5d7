import { assetText } from '../../lib/asset-text.ts';
import { parseOwnJson } from '../../lib/own-json.ts';

/** The fix for a rejection, by its code. */
export type Remedies = Readonly<Record<string, string>>;

/** Reads `assets/remedies.json`. If that fails, rejections are shown without remedies. */
export const readRemedies = async ({ ASSETS }: Pick<Env, 'ASSETS'>): Promise<Remedies> =>
  parseOwnJson<Remedies>(await assetText(ASSETS, 'remedies.json').catch(() => '{}'));
