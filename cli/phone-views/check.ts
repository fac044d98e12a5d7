import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_FOLDER } from '../folder/kinds.ts';
import { unknownName } from '../../src/config/documents/unknown-name.ts';
import { ok } from '../../src/lib/result.ts';
import { allProviders, findProvider, providerIds } from '../../src/provider/known.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import { findProvider as findOwnOrShipped, languagesOf, type OwnProviders } from '../init/starters.ts';
import { readLocale } from '../../shared/new-source/locale.ts';
import type { Output } from '../output.ts';
import { readOwnProvider } from '../providers/own-file.ts';
import { count } from '../text.ts';
import { complaintsAbout } from './complaints.ts';
import { linesOf } from './lines.ts';
import { phoneViewOf, type PhoneView } from './phone-view.ts';

/** Shows what starters put on phones. `ids`: of which providers; none: all. `locale` absent: one for each language. */
export async function checkProviders(
  out: Output,
  ids: readonly string[],
  locale: string | undefined,
): Promise<CommandResult> {
  const unknown = ids.find((id) => fileOf(id) === null && findProvider(id) === undefined);
  if (unknown !== undefined) return misused(unknownName('provider', unknown, providerIds()));
  const given = locale === undefined ? undefined : readLocale(locale);
  if (given?.ok === false) return misused(`--locale: \`${locale}\` ${given.error}`);
  const own: Record<string, unknown> = {};
  for (const id of ids) {
    const path = fileOf(id);
    if (path === null) continue;
    const file = await readOwnProvider(path);
    if (!file.ok) return file;
    own[file.value.name] = file.value.value;
  }
  const shipped = allProviders().filter(({ id }) => ids.length === 0 || ids.includes(id));
  const chosen = new Set([...shipped.map(({ id }) => id), ...Object.keys(own)]);
  const views: PhoneView[] = [];
  for (const id of chosen) {
    const found = findOwnOrShipped(id, own);
    if (!found.ok) return found;
    const locales = given === undefined ? localesOf(id, own) : [given.value];
    for (const one of locales) {
      const view = await phoneViewOf(found.value.provider, one, own);
      if (!view.ok) return failed(`the starter of ${id} cannot be published`, { details: view.error });
      views.push(view.value);
      if (!out.isJson) for (const line of [...linesOf(view.value), '']) out.line(line);
    }
  }
  if (out.isJson) out.json({ items: views.map(jsonOf), next_cursor: null });
  const wrong = views.flatMap(({ samples }) => samples.flatMap(complaintsAbout)).length;
  if (wrong > 0) return failed(`${count(wrong, 'thing')} to fix: the lines that begin with \`!\``);
  return ok(undefined);
}

/** The file that an argument names, or that the folder has for this name; null: it is a shipped provider's name. */
function fileOf(id: string): string | null {
  if (/\.(?:ya?ml|json)$/.test(id)) return id;
  const file = join(DEFAULT_FOLDER, 'providers', `${id}.yaml`);
  return existsSync(file) ? file : null;
}

/** English as most of the world writes dates, and other languages as in the country that they are from. */
export const localesOf = (id: string, own: OwnProviders): readonly string[] =>
  languagesOf(id, own).map((language) => {
    const { region } = new Intl.Locale(language).maximize();
    return language === 'en' || region === undefined ? 'en-GB' : `${language}-${region}`;
  });

const jsonOf = ({ provider, locale, samples }: PhoneView) => ({
  provider: provider.id,
  locale,
  samples: samples.map((sample) => ({
    name: sample.name,
    silent: sample.silent,
    messages: sample.messages.map(({ route, to, text }) => ({ route, to, text })),
    complaints: complaintsAbout(sample),
  })),
});
