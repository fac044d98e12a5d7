import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unknownName } from '../../src/config/documents/unknown-name.ts';
import { defaultRoute } from '../../shared/new-source/plan.ts';
import { parseOwnJson } from '../../src/lib/json.ts';
import { ok } from '../../src/lib/result.ts';
import {
  allProviders,
  findProvider as shipped,
  providerIds,
  type Provider,
} from '../../src/provider/provider.ts';
import {
  readProvider,
  type Sample,
  sampleOf,
  type Starter,
} from '../../src/config/documents/provider-file.ts';
import { FIRST_LANGUAGE, withTexts } from '../../src/config/documents/starter-texts.ts';
import type { Choice } from '../ask.ts';
import { failed, misused, type CommandResult } from '../failure.ts';

const ASSETS = join(import.meta.dirname, '..', '..', 'assets');

export interface ProviderStarter {
  readonly provider: Provider;
  readonly starter: Starter;
}

/** The files of providers in the user's folder, by their ids, as they were read. */
export type OwnProviders = Readonly<Record<string, unknown>>;

/** A provider of the user's folder, or else one that is shipped. */
export function findProvider(id: string, own: OwnProviders = {}): CommandResult<ProviderStarter> {
  const found = partsOf(id, own);
  if (found === null)
    return Object.hasOwn(own, id)
      ? failed(`the file of the provider ${id} is not valid: \`hookbell check\` says what is wrong with it`)
      : misused(unknownProvider(id, own));
  return ok({ provider: found.provider, starter: readStarter(id, FIRST_LANGUAGE, own) });
}

/** Which of the ways to receive from any sender fits one that has no provider of its name. */
function unknownProvider(id: string, own: OwnProviders): string {
  const wanted = id.toLowerCase();
  const fits = allProviders().find(({ words = [] }) => words.some((word) => word.toLowerCase() === wanted));
  if (fits !== undefined) return `there is no provider \`${id}\`: use \`${fits.id}\`, which ${id} fits`;
  const unknown = unknownName('provider', id, [...Object.keys(own), ...providerIds()]);
  if (unknown.endsWith('?')) return unknown;
  return `${unknown}. For another sender, \`standard-webhooks\` fits if its requests have a header webhook-signature; \`npx hookbell providers new ${id} --from request.http\` writes a file for it from a captured request; \`generic\` takes anything`;
}

/** The starter of a provider that there is, in a language or else in English; with a route for everything if it has none. */
export function readStarter(id: string, language = FIRST_LANGUAGE, own: OwnProviders = {}): Starter {
  const found = partsOf(id, own);
  if (found === null) throw new Error(`there is no provider ${id}`);
  const { texts } = found.starter;
  const starter = withTexts(found.starter, texts[language] ?? texts[FIRST_LANGUAGE] ?? {});
  return starter.routes.length > 0 ? starter : { ...starter, routes: [defaultRoute(found.provider)] };
}

/** The bodies of the samples of a provider; none if there is no such provider, or its file is wrong. */
export const samplesOf = (id: string, own: OwnProviders): readonly Sample[] =>
  (partsOf(id, own)?.starter.samples ?? []).map(sampleOf);

/** Null if there is none, or its file is wrong. */
function partsOf(id: string, own: OwnProviders): ProviderStarter | null {
  if (Object.hasOwn(own, id)) {
    const read = readProvider(id, own[id]);
    return read.ok ? read.value : null;
  }
  const provider = shipped(id);
  if (provider === undefined) return null;
  const starter = parseOwnJson<Starter>(readFileSync(join(ASSETS, 'providers', `${id}.json`), 'utf8'));
  return { provider, starter };
}

/** The languages in which a starter has texts: English, and then the others. */
export const languagesOf = (id: string, own: OwnProviders = {}): readonly string[] =>
  Object.keys(partsOf(id, own)?.starter.texts ?? {});

export function providerChoices(own: OwnProviders): readonly Choice[] {
  const owned = Object.keys(own).flatMap((id) => partsOf(id, own)?.provider ?? []);
  const shippedOnes = allProviders().filter(({ id }) => !Object.hasOwn(own, id));
  return [...owned, ...shippedOnes].map(({ id, name, category, words = [] }) => ({
    value: id,
    label: name,
    hint: [category, ...words].join(', '),
  }));
}
