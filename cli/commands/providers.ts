import { err, ok } from '../../src/lib/result.ts';
import { suggest } from '../../src/lib/suggest.ts';
import type { Client } from '../client.ts';
import { addExamples, type AddCommand, type Cli } from '../command.ts';
import type { Outcome } from '../failure.ts';
import { plainMarkdown } from '../markdown.ts';
import { part } from '../relay/list.ts';
import { provider, providerList } from '../relay/shapes.ts';

/** `providers`: the providers that hookbell knows. */
export const addProviders: AddCommand = (program, run) => {
  const command = program
    .command('providers')
    .argument('[id]', 'one of them, with how it is set up')
    .summary('list the kinds of sources that hookbell knows')
    .description(
      'Lists the providers: kinds of sources for which hookbell has verification, samples and first routes.',
    )
    .action(run((cli, id: string | undefined) => (id === undefined ? list(cli) : show(cli, id))));
  addExamples(command, ['hookbell providers', 'all'], ['hookbell providers stripe', 'how Stripe is set up']);
};

async function list({ out, relay }: Cli): Promise<Outcome> {
  const client = relay();
  if (!client.ok) return client;
  const answer = await client.value.get('/providers', providerList);
  if (!answer.ok) return answer;
  out.show(answer.value.json, () =>
    out.table(
      [
        { title: 'PROVIDER' },
        { title: 'NAME', gives: true },
        { title: 'CATEGORY', optional: 1 },
        { title: 'SIGNS' },
      ],
      answer.value.data.items.map(({ id, name, category, signs }) => [
        id,
        name,
        category,
        signs ? 'yes' : 'no',
      ]),
    ),
  );
  return ok(undefined);
}

async function show({ out, relay }: Cli, id: string): Promise<Outcome> {
  const client = relay();
  if (!client.ok) return client;
  const answer = await client.value.get(`/providers/${part(id)}`, provider);
  if (!answer.ok) {
    const close = answer.error.status === 404 ? await closest(client.value, id) : null;
    return close === null
      ? answer
      : err({ ...answer.error, message: `${answer.error.message}; did you mean \`${close}\`?` });
  }
  const { name, category, docs_url, confidence, setup, secret, samples, routes } = answer.value.data;
  out.show(answer.value.json, () => {
    out.fields([
      ['provider', `${id}, ${name} (${category})`],
      ['docs', docs_url],
      ['facts', confidence === undefined ? undefined : `${confidence.level}. ${confidence.note}`],
      ['secret', secret === undefined ? undefined : `${secret.name}: ${secret.hint}`],
      ['samples', samples.map((sample) => sample.name).join(', ')],
      ['routes', routes?.map((route) => route.name).join(', ')],
    ]);
    if (setup === undefined) return;
    out.line();
    for (const line of plainMarkdown(setup, out.columns)) out.line(line);
  });
  return ok(undefined);
}

async function closest(client: Client, id: string): Promise<string | null> {
  const all = await client.get('/providers', providerList);
  return all.ok
    ? suggest(
        id,
        all.value.data.items.map((one) => one.id),
      )
    : null;
}
