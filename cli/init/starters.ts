import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unknownName } from '../../src/config/unknown-name.ts';
import { parseOwnJson } from '../../src/lib/own-json.ts';
import { ok } from '../../src/lib/result.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import type { Provider } from '../../src/provider/provider.ts';
import type { Starter } from '../../src/config/starter.ts';
import { FIRST_LANGUAGE, withTexts, type StarterTexts } from '../../src/config/starter-texts.ts';
import type { Choice } from '../ask.ts';
import { misused, type CommandResult } from '../failure.ts';

const ASSETS = join(import.meta.dirname, '..', '..', 'assets');

/** A provider and its starter. */
export interface ProviderStarter {
  readonly provider: Provider;
  readonly starter: Starter;
}

/** `language`: of its texts, as `languageOf` names it. */
export function findProvider(id: string, language = FIRST_LANGUAGE): CommandResult<ProviderStarter> {
  const provider = providers.get(id);
  if (provider === undefined) return misused(unknownName('provider', id, [...providers.keys()]));
  return ok({ provider, starter: readStarter(id, language) });
}

/** The starter of a provider that there is, in a language or else in English: files of this package, checked by its tests. */
export function readStarter(id: string, language = FIRST_LANGUAGE): Starter {
  const file = textsFile(id, language);
  const texts = existsSync(file) ? file : textsFile(id, FIRST_LANGUAGE);
  return withTexts(
    parseOwnJson<Starter>(readFileSync(join(ASSETS, 'providers', `${id}.json`), 'utf8')),
    parseOwnJson<StarterTexts>(readFileSync(texts, 'utf8')),
  );
}

const textsFile = (id: string, language: string): string => join(ASSETS, 'texts', id, `${language}.json`);

/** The languages in which a starter has texts: English, and then the others. */
export const languagesOf = (id: string): readonly string[] => {
  const found = readdirSync(join(ASSETS, 'texts', id)).map((file) => file.replace(/\.json$/, ''));
  return [FIRST_LANGUAGE, ...found.filter((language) => language !== FIRST_LANGUAGE).sort()];
};

/** All providers, to choose from. */
export const providerChoices = (): readonly Choice[] =>
  [...providers.values()].map(({ id, name, category, words = [] }) => ({
    value: id,
    label: name,
    hint: [category, ...words].join(', '),
  }));
