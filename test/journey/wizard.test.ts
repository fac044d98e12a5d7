import { journey } from './journey.ts';
import { restarted } from './place.ts';

/** The likely answers, which are those of the source before. */
const AS_BEFORE = [
  ['A name for the source', null],
  ['Country of numbers', null],
  ['Numbers for', null],
  ['The language', null],
  ['The time zone', null],
] as const;

journey('the wizard', (step) => {
  step('npm start', async (place) => {
    await restarted(place);
    await place.runs(await place.terminal(2), 'export HOOKBELL_TOKEN=demo-admin-token');
  });

  step('stripe: searched for, and every question answered', async (place) => {
    const shell = await place.terminal(2);
    await shell.begin('npx hookbell init');
    await shell.sees('to select');
    await shell.types('stri');
    await shell.seesNo('○');
    await shell.answers('Which service posts the webhooks', null);
    await shell.answers('Where do messages go', null);
    await shell.agrees('Notify customers');
    await shell.answers('A name for the source', null);
    await shell.answers('Country of numbers', 'de');
    await shell.answers('Numbers for', '0151 12345678');
    await shell.answers('The language', null);
    await shell.answers('The time zone', null);
    await place.ended(shell, ['STRIPE_WEBHOOK_SECRET', 'npx hookbell push']);
  });

  step('typeform: a wrong answer is reported, and Ctrl-C leaves nothing', async (place) => {
    const shell = await place.terminal(2);
    await shell.begin('npx hookbell init --provider typeform');
    await shell.answers('Where do messages go', null);
    await shell.agrees('Notify customers');
    await shell.answers('A name for the source', 'of ours');
    await shell.sees('is not a name');
    shell.press('ctrl-c');
    await place.ended(shell, ['stopped; nothing was changed'], 130);
  });

  step('alertmanager, with the answers of the source before, and quiet at night', async (place) => {
    const shell = await place.terminal(2);
    await shell.begin('npx hookbell init --provider alertmanager');
    await shell.answers('Where do messages go', null);
    for (const [question, answer] of AS_BEFORE) await shell.answers(question, answer);
    await shell.answers('When does an alert count as gone', null);
    await shell.answers('Quiet hours', '22:00-07:00');
    await shell.answers('Who is notified if nobody', null);
    await place.ended(shell, ['then stop `npm start` and start it again', 'npx hookbell push']);
    await place.runs(shell, 'npx hookbell check', ['2 sources']);
  });
});
