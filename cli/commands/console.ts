import { ok } from '../../src/lib/result.ts';
import { addExamples, type AddCommand, type Cli } from '../command.ts';
import type { CommandResult } from '../failure.ts';
import { sessionLink } from '../relay/shapes.ts';
import { shortTime } from '../show.ts';

/** `console`: where the console is, and a link that signs in there. */
export const addConsole: AddCommand = (program, run) => {
  const command = program
    .command('console')
    .summary('print a sign-in link for the console')
    .description(
      'Prints the address of the console, and a link that signs in there with the role of your token. The link works once, within ten minutes. Whoever opens it first is signed in, so do not share it.',
    )
    .action(run(printLink));
  addExamples(command, ['hookbell console', 'then open the link in a browser']);
};

async function printLink({ out, relay }: Cli): Promise<CommandResult> {
  const client = relay();
  if (!client.ok) return client;
  const answer = await client.value.post('/session/link', sessionLink);
  if (!answer.ok) return answer;
  const { url, expires_at: expiresAt } = answer.value.data;
  out.show(answer.value.json, () => {
    out.line(`The console: ${url.replace(/#.*/, '')}`);
    out.line(`This link signs you in, once, until ${shortTime(expiresAt)}:`);
    out.line(url);
  });
  return ok(undefined);
}
