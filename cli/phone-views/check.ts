import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readProvider } from '../../src/config/documents/provider-file.ts';
import { DEFAULT_FOLDER } from '../folder/kinds.ts';
import { readText } from '../folder/yaml.ts';
import { unknownName } from '../../src/config/documents/unknown-name.ts';
import { ok } from '../../src/lib/result.ts';
import { allProviders, findProvider, providerIds } from '../../src/provider/known.ts';
import { failed, misused, type CommandResult } from '../failure.ts';
import { languagesOf } from '../init/starters.ts';
import { readLocale } from '../../shared/new-source/locale.ts';
import type { Output } from '../output.ts';
import { count } from '../text.ts';
import { complaintsAbout } from './complaints.ts';
import { linesOf } from './lines.ts';
import { type OwnFile, phoneViewOf, type PhoneView } from './phone-view.ts';

/** Shows what starters put on phones. `ids`: of which providers; none: all. `locale` absent: one for each language. */
export async function checkProviders(
  out: Output,
  ids: readonly string[],
  locale: string | undefined,
): Promise<CommandResult> {
  const files = ids.map(fileOf);
  const unknown = ids.find((id, at) => files[at] === null && findProvider(id) === undefined);
  if (unknown !== undefined) return misused(unknownName('provider', unknown, providerIds()));
  const given = locale === undefined ? undefined : readLocale(locale);
  if (given?.ok === false) return misused(`--locale: \`${locale}\` ${given.error}`);
  const views: PhoneView[] = [];
  const owned = files.flatMap((file) => file ?? []).map(readOwn);
  const wrongFile = owned.find((one) => !one.ok);
  if (wrongFile?.ok === false) return wrongFile;
  const own = owned.flatMap((one) => (one.ok ? [one.value] : []));
  const shipped = allProviders().filter(
    ({ id }) => ids.length === 0 || ids.some((one, at) => one === id && files[at] === null),
  );
  const subjects = [
    ...shipped.map((provider) => ({ provider, own: undefined })),
    ...own.map((one) => ({ provider: one.provider, own: one })),
  ];
  for (const { provider, own: file } of subjects) {
    const locales = file === undefined ? localesOf(provider.id) : ['en-GB'];
    for (const one of given === undefined ? locales : [given.value]) {
      const view = await phoneViewOf(provider, one, file);
      if (!view.ok)
        return failed(`the starter of ${provider.id} cannot be published`, { details: [view.error] });
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
  if (/\.ya?ml$/.test(id)) return id;
  const file = join(DEFAULT_FOLDER, 'providers', `${id}.yaml`);
  return existsSync(file) ? file : null;
}

function readOwn(path: string): CommandResult<OwnFile> {
  if (!existsSync(path)) return failed(`there is no file ${path}`);
  const text = readText(readFileSync(path, 'utf8'), false);
  if (!text.ok) return failed(`${path}:${text.error.line} ${text.error.message}`);
  const file = text.value.value;
  const read = readProvider(basename(path).replace(/\.ya?ml$/, ''), file);
  if (read.ok) return ok({ ...read.value, file });
  return failed(`${path} is not right`, { details: read.error.map((one) => `${one.path} ${one.message}`) });
}

/** English as most of the world writes dates, and other languages as in the country that they are from. */
export const localesOf = (id: string): readonly string[] =>
  languagesOf(id).map((language) => {
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
