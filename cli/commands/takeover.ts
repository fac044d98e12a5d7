import { agreed, showAnswer, type AddCommand, type Cli, type Options } from '../command.ts';
import { failed } from '../failure.ts';
import { keepingText, readKeeping } from '../relay/config.ts';
import { published } from '../relay/shapes.ts';
import { safe } from '../text.ts';

export const add: AddCommand = (program) => {
  program
    .command('takeover')
    .argument('<name>', 'your name, for the list of versions')
    .option('-y, --yes', 'do not ask')
    .summary('let people publish a configuration that is managed in git')
    .description(
      'Lets everybody publish a configuration that is managed in git, and records your name in the list of versions. The documents do not change. The next push with --managed makes the configuration managed again and undoes changes that its folder does not contain, so `pull` first.',
    )
    .examples(['hookbell takeover Ann', 'at night, when git is out of reach'])
    .run(takeOver);
};

async function takeOver(cli: Cli, name: string, { yes }: Options<never, 'yes'>) {
  const { out, client } = cli;
  const keeping = await readKeeping(client);
  if (!keeping.ok) return keeping;
  if (keeping.value.managed === null)
    return failed('the configuration is not managed in git: every editor can publish');
  if (!out.isJson) out.wrapped(keepingText(keeping.value) ?? '');
  const question = `Take it over as ${safe(name)}, on ${client.url}?`;
  const may = await agreed(cli, question, yes === true, 'nothing was changed');
  if (!may.ok) return may;
  return showAnswer(cli, client.post('/config/takeover', published, { name }), ({ version }) => {
    out.done(`version ${version}: taken over by ${safe(name)}; anybody may publish`);
    out.line('Afterwards bring the changes into git, or the next push from there undoes them:');
    out.line(`  ${cli.paste('pull')}`);
  });
}
