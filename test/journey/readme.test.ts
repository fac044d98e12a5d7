import { journey } from './journey.ts';
import { shownOn } from './page.ts';
import { restarted } from './place.ts';

const PHONE = '4915112345678';
const TOKEN = 'token-of-the-journey';

/** The README's first source, typed as it stands there. Between the commands, the steps do what its text says. */
journey('the first source of the README', (step) => {
  step('npm start', restarted);

  for (const shown of shownOn('README.md', 'Your first source, on your machine')) {
    if (shown.kind === 'file') continue;
    const [command = ''] = shown.text.split(/ {2,}#/);
    const name = command.replace(/^npx hookbell (\w+).*/, '$1');

    if (name === 'push')
      step('the secret into .dev.vars, and npm start again', async (place) => {
        place.secret('GENERIC_WEBHOOK_TOKEN', TOKEN);
        await restarted(place);
      });

    step(command, async (place) => {
      const shell = await place.terminal(2);
      if (name !== 'push' && name !== 'tail') await place.runs(shell, shown.text);
      else await shell.begin(shown.text);
      if (name === 'tail') await shell.sees('watching');
      if (name !== 'push') return;
      await shell.agrees('Publish');
      await place.ended(shell, ['published version']);
    });
  }

  step('a webhook comes in, and the phone rings', async (place) => {
    const sender = await place.terminal(3);
    const address = place.here(`http://localhost:8787/hooks/shop/${TOKEN}`);
    await place.runs(sender, `curl -s ${address} -d type=contact -d name=Ada -d 'message=Is anybody there?'`);
    await place.phone.gets(PHONE, 'Is anybody there?');
    const shell = await place.terminal(2);
    await shell.sees(' sent ');
    shell.press('ctrl-c');
    await place.ended(shell, ['routed', 'shop'], 130);
  });
});
