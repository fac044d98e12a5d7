import '../facts.ts';
import { sampleOf } from '../../src/config/documents/provider-file.ts';
import { FIRST_LANGUAGE } from '../../src/config/documents/starter-texts.ts';
import { allProviders, summaryOf } from '../../src/provider/provider.ts';
import type { AddCommand, Cli, Options } from '../command.ts';
import { DEFAULT_FOLDER } from '../folder/kinds.ts';
import { findProvider } from '../init/starters.ts';
import { plainMarkdown } from '../markdown.ts';
import type { NewOptions } from '../providers/new.ts';

export const add: AddCommand = (program) => {
  const command = program
    .command('providers')
    .argument('[id]', 'one provider, with its setup')
    .summary('list the built-in providers')
    .description(
      'Lists the built-in providers: kinds of senders, with verification, samples and starter routes. Needs no relay.',
    )
    .examples(['hookbell providers', 'all'], ['hookbell providers stripe', 'how Stripe is set up'])
    .run(async (cli, id: string | undefined) => (id === undefined ? list(cli) : show(cli, id)));
  command
    .command('check')
    .argument('[ids...]', 'the ids or files of providers (default: all)')
    .option('--locale <tag>', 'the locale, such as de-DE (default: all languages)')
    .summary('show the messages that starters make')
    .description(
      'Renders the samples of every starter in order, as a relay would, and prints what a phone would show. Fails if a message contains leftovers of a template or private data.',
    )
    .examples(
      ['hookbell providers check', 'all, in English and in German'],
      ['hookbell providers check stripe --locale de-AT', 'one, in Austria'],
    )
    .run(async ({ out }: Cli, ids: readonly string[], { locale }: Options<'locale'>) => {
      // It needs templates and phone numbers, and the list of providers neither.
      const { checkProviders } = await import('../phone-views/check.ts');
      return checkProviders(out, ids, locale);
    });
  command
    .command('new')
    .argument('<id>', 'its name, such as ghost')
    .option('--from <file>', 'a captured request: raw HTTP, the output of curl -v, a HAR, or JSON')
    .option('--from-event <event>', 'an event that the relay has, in place of a file')
    .option('--secret <secret>', 'the secret, or the public key, of the sender; - reads standard input')
    .option('--secret-env <name>', 'the variable that has the secret')
    .option('--dir <folder>', `the folder with the documents (default: "${DEFAULT_FOLDER}")`)
    .summary('make the file of a sender from a captured request')
    .description(
      'Tries the known ways to sign on a captured request, shows what matches, and writes providers/<id>.yaml: verification, event, and the request as a sample, signed anew with an invented key. The secret is written nowhere. Needs no relay, except with --from-event.',
    )
    .examples(
      ['hookbell providers new ghost --from request.http --secret-env GHOST_SECRET', 'a sender that signs'],
      ['hookbell providers new ghost --from request.http', 'what its headers suggest'],
      ['hookbell providers new ghost --from-event evt_01m7ygnc129ats8d9q95vre3gr', 'of the relay'],
    )
    .run(async (cli, id: string, options: NewOptions) => {
      // It needs the verifier, and the list of providers does not.
      const { newProvider } = await import('../providers/new.ts');
      return newProvider(cli, id, options);
    });
};

function list({ out }: Cli): void {
  const items = allProviders().map(summaryOf);
  out.show({ items, next_cursor: null }, () =>
    out.list(items, [
      ['PROVIDER', ({ id }) => id],
      ['NAME', ({ name }) => name, { gives: true }],
      ['CATEGORY', ({ category }) => category, { optional: 1 }],
      ['SIGNS', ({ signs }) => (signs ? 'yes' : 'no')],
    ]),
  );
}

async function show({ out }: Cli, given: string) {
  // It needs the verifier, too.
  const { idOf, readOwnProviders } = await import('../providers/own-file.ts');
  const own = await readOwnProviders([given]);
  if (!own.ok) return own;
  const id = idOf(given);
  const found = findProvider(id, own.value);
  if (!found.ok) return found;
  const { provider, starter } = found.value;
  const { docs_url, confidence, setup, secret, routes } = starter;
  const samples = starter.samples.map(sampleOf);
  return out.show({ ...provider, ...starter, samples, language: FIRST_LANGUAGE }, () => {
    out.fields([
      ['provider', `${id}, ${provider.name} (${provider.category})`],
      ['docs', docs_url],
      ['facts', confidence && `${confidence.level}. ${confidence.note}`],
      ['secret', secret === undefined ? undefined : `${secret.name}: ${secret.hint}`],
      ['samples', samples.map((sample) => sample.name).join('; ')],
      ['routes', routes.map((route) => String(route['name'])).join(', ')],
    ]);
    out.line();
    for (const line of plainMarkdown(setup, out.columns)) out.line(line);
  });
}
