import { formHtml } from '../../shared/new-source/form-html.ts';
import { ok } from '../../src/lib/result.ts';
import { suggest } from '../../src/lib/suggest.ts';
import { addExamples, type AddCommand, type Cli } from '../command.ts';
import { failed, type CommandResult } from '../failure.ts';
import { readConfig } from '../relay/config.ts';

/** `form`: the HTML of a form, with the address of the relay. */
export const addForm: AddCommand = (program, run) => {
  const command = program
    .command('form')
    .argument('<source>', 'a source with the provider html-form')
    .summary('print the HTML of a form for your page')
    .description(
      'Prints the HTML of a form that posts to this relay, by the source’s published fields. With --json, also the script that sends it without leaving the page.',
    )
    .action(run(printForm));
  addExamples(command, ['hookbell form contact > form.html', 'with the address of HOOKBELL_URL']);
};

async function printForm({ out, relay }: Cli, source: string): Promise<CommandResult> {
  const client = relay();
  if (!client.ok) return client;
  const config = await readConfig(client.value);
  if (!config.ok) return config;
  const { sources } = config.value.set;
  const address = (name: string): string => `${client.value.profile.url}/hooks/${name}`;
  const forms = Object.keys(sources).filter((name) => formHtml(sources[name], address(name)) !== null);
  const form = forms.includes(source) ? formHtml(sources[source], address(source)) : null;
  if (form === null) {
    const close = suggest(source, forms);
    const hint = close === null ? `forms are ${forms.join(', ') || 'none'}` : `did you mean \`${close}\`?`;
    return failed(`${source} is no published form that declares its fields; ${hint}`);
  }
  out.show(form, () => out.line(form.html));
  return ok(undefined);
}
