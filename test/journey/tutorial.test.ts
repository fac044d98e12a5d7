import { journey } from './journey.ts';
import { answersOn, shownOn } from './page.ts';

const PAGE = 'docs/tutorial.md';
const CUSTOMER = '491713920001';

/** All but the last, for which one needs accounts. */
const SECTIONS = [
  '1. Make a project',
  '2. Start',
  '3. Send a payment',
  '4. Change the text',
  '5. Add a fixture',
];

/** Commands that the page shows and nobody types here: a clone is there, and accounts of others are not. */
const NOT_HERE = /^(git clone|npm ci|npm create|stripe )/;

/** Typed in the first terminal; the others in the second one, which is opened in the project. */
const IN_THE_FIRST = /^(npm run|cd) /;

journey('the tutorial', (step) => {
  /** The texts that the phone shows after each payment, in this order. */
  const paid = ['Thank you, Ada Lovelace', 'Hello Ada Lovelace!'];
  /** After the template was changed, the fixture says so. */
  const checks = [1];

  for (const shown of shownOn(PAGE, ...SECTIONS)) {
    if (shown.kind === 'file')
      step(`saves ${shown.path}`, async (place) => place.save(shown.path, place.here(shown.text)));
    else if (!NOT_HERE.test(shown.text))
      step(shown.text, async (place) => {
        const command = place.here(shown.text);
        const shell = await place.terminal(IN_THE_FIRST.test(command) ? 1 : 2);
        switch (command) {
          case 'npm run create -- ../my-relay --customers':
            await shell.begin(command);
            for (const [question, answer] of answersOn(PAGE)) await shell.answers(question, answer);
            await place.ended(shell, ['npm run dev']);
            break;
          case 'npm run dev':
            await shell.begin(command);
            await shell.sees('Ctrl-C');
            break;
          case 'npx hookbell push':
            await shell.begin(command);
            await shell.agrees('Publish');
            await place.ended(shell, ['published version']);
            break;
          case 'npx hookbell check': {
            const exit = checks.shift() ?? 0;
            await place.runs(
              shell,
              command,
              exit === 0 ? [] : ['npx hookbell check ./hookbell --update'],
              exit,
            );
            break;
          }
          default:
            await place.runs(shell, command);
            if (command === 'cd ../my-relay') place.moveTo('../my-relay');
            if (command === 'sh pay.sh') await place.phone.gets(CUSTOMER, paid.shift() ?? '');
        }
      });
  }
});
