import { showAnswer, type AddCommand } from '../command.ts';
import { sessionLink } from '../relay/shapes.ts';
import { shortTime } from '../show.ts';

export const add: AddCommand = (program) => {
  program
    .command('console')
    .summary('print a sign-in link for the console')
    .description(
      'Prints the address of the console, and a link that signs in there with the role of your token. The link works once, within ten minutes. Whoever opens it first is signed in, so do not share it.',
    )
    .examples(['hookbell console', 'then open the link in a browser'])
    .run((cli) =>
      showAnswer(cli, cli.client.post('/session/link', sessionLink), ({ url, expires_at }, out) => {
        out.line(`The console: ${url.replace(/#.*/, '')}`);
        out.line(`This link signs you in, once, until ${shortTime(expires_at)}:`);
        out.line(url);
      }),
    );
};
