import { ok } from '../../src/lib/result.ts';
import { allProviders } from '../../src/provider/known.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import { findProvider, languagesOf, type OwnProviders } from '../init/starters.ts';
import { readLocale } from '../../shared/new-source/locale.ts';
import type { Output } from '../output.ts';
import { idOf, readOwnProviders } from '../providers/own-file.ts';
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
  const given = locale === undefined ? undefined : readLocale(locale);
  if (given?.ok === false) return misused(`--locale: \`${locale}\` ${given.error}`);
  const read = await readOwnProviders(ids);
  if (!read.ok) return read;
  const own = read.value;
  const named = ids.map(idOf);
  const unknown = named.map((id) => findProvider(id, own)).find(({ ok: isKnown }) => !isKnown);
  if (unknown?.ok === false) return unknown;
  const shipped = allProviders().filter(({ id }) => ids.length === 0 || named.includes(id));
  const chosen = new Set([...shipped.map(({ id }) => id), ...Object.keys(own)]);
  const views: PhoneView[] = [];
  for (const id of chosen) {
    const found = findProvider(id, own);
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
