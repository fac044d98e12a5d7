import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unknownName } from '../../src/config/unknown-name.ts';
import { parseOwnJson } from '../../src/lib/own-json.ts';
import { ok } from '../../src/lib/result.ts';
import { allProviders, findProvider as shipped, providerIds } from '../../src/provider/known.ts';
import type { Provider } from '../../src/provider/provider.ts';
import type { Starter } from '../../src/config/starter.ts';
import { FIRST_LANGUAGE, withTexts } from '../../src/config/starter-texts.ts';
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
  const provider = shipped(id);
  if (provider === undefined) return misused(unknownName('provider', id, providerIds()));
  return ok({ provider, starter: readStarter(id, language) });
}

/** The starter of a provider that there is, in a language or else in English. */
export function readStarter(id: string, language = FIRST_LANGUAGE): Starter {
  const starter = parseStarter(id);
  return withTexts(starter, starter.texts[language] ?? starter.texts[FIRST_LANGUAGE] ?? {});
}

const parseStarter = (id: string): Starter =>
  parseOwnJson<Starter>(readFileSync(join(ASSETS, 'providers', `${id}.json`), 'utf8'));

/** The languages in which a starter has texts: English, and then the others. */
export const languagesOf = (id: string): readonly string[] => Object.keys(parseStarter(id).texts);

/** All providers, to choose from. */
export const providerChoices = (): readonly Choice[] =>
  allProviders().map(({ id, name, category, words = [] }) => ({
    value: id,
    label: name,
    hint: [category, ...words].join(', '),
  }));
