import { formHtml, type FormHtml } from '../../shared/new-source/form-html.ts';
import { ownValue } from '../../src/lib/json.ts';
import { suggest } from '../../src/lib/suggest.ts';
import type { AddCommand, Cli, Options } from '../command.ts';
import { failed } from '../failure.ts';
import { readConfig } from '../relay/config.ts';

export const add: AddCommand = (program) => {
  program
    .command('form')
    .argument('<source>', 'a source with the provider html-form')
    .option('--locale <tag>', 'the language of the page, if the source’s `locale` reads it from the form')
    .summary('print the HTML of a form for your page')
    .description(
      'Prints the HTML of a form that posts to this relay, by the source’s published fields. With --json, also the script that sends it without leaving the page.',
    )
    .examples(['hookbell form contact > form.html', 'with the address of HOOKBELL_URL'])
    .run(printForm);
};

async function printForm({ out, client }: Cli, source: string, { locale }: Options<'locale'>) {
  const config = await readConfig(client);
  if (!config.ok) return config;
  const { sources } = config.value.set;
  const address = (name: string): string => `${client.url}/hooks/${name}`;
  const forms = Object.keys(sources).filter((name) => formHtml(sources[name], address(name)) !== null);
  const form = forms.includes(source) ? formIn(sources[source], address(source), locale) : null;
  if (form === null) {
    const close = suggest(source, forms);
    const hint = close === null ? `forms are ${forms.join(', ') || 'none'}` : `did you mean \`${close}\`?`;
    return failed(`${source} is no published form that declares its fields; ${hint}`);
  }
  return out.show(form, () => out.line(form.html));
}

/** The HTML in a language. Where a source reads that from the form, a hidden field names it. */
export function formIn(source: unknown, action: string, wanted?: string): FormHtml | null {
  if (typeof source !== 'object') return null;
  const [locale, fields] = [ownValue(source, 'locale'), ownValue(source, 'fields')];
  const [, told = ''] = /payload\.(\w+)/.exec(String(locale)) ?? [];
  const language = wanted ?? /default: *["']([\w-]+)/.exec(String(locale))?.[1] ?? locale;
  const spoken = { ...source, locale: language };
  if (ownValue(fields, told) === undefined) return formHtml(spoken, action);
  const shown = Object.entries(fields ?? {}).filter(([name]) => name !== told);
  const form = formHtml({ ...spoken, fields: Object.fromEntries(shown) }, action);
  const hidden = `  <input type="hidden" name="${told}" value="${String(language).replaceAll('"', '')}">`;
  return form && { ...form, html: form.html.replace('\n', () => `\n${hidden}\n`) };
}
