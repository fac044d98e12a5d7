import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unknownName } from '../../src/config/unknown-name.ts';
import { parseOwnJson } from '../../src/lib/own-json.ts';
import { ok } from '../../src/lib/result.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import type { Provider } from '../../src/provider/provider.ts';
import type { Starter } from '../../src/config/starter.ts';
import type { Choice } from '../ask.ts';
import { misused, type Outcome } from '../failure.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'assets', 'providers');

/** A provider and its starter. */
export interface Begin {
  readonly provider: Provider;
  readonly starter: Starter;
}

export function findProvider(id: string): Outcome<Begin> {
  const provider = providers.get(id);
  if (provider === undefined) return misused(unknownName('provider', id, [...providers.keys()]));
  return ok({ provider, starter: readStarter(id) });
}

/** The starter of a provider that there is: a file of this package, checked by its tests. */
export const readStarter = (id: string): Starter =>
  parseOwnJson<Starter>(readFileSync(join(FOLDER, `${id}.json`), 'utf8'));

/** All providers, to choose from. */
export const providerChoices = (): readonly Choice[] =>
  [...providers.values()].map(({ id, name, category }) => ({ value: id, label: name, hint: category }));
