import { expect } from 'vitest';
import { journey } from './journey.ts';
import { answersOn, shownOn } from './page.ts';
import type { Place } from './place.ts';
import type { Shell } from './shell.ts';
import { restarted } from './start.ts';

const PAGE = 'docs/tutorial.md';
const CUSTOMER = '491713920001';

/** All but the last, for which one needs accounts. */
const SECTIONS = [
  '1. Start',
  '2. Add a source',
  '3. Set the secret',
  '4. Check and publish',
  '5. Send a payment',
  '6. Change the text',
  '7. Add a fixture',
];

/** What the page shows and nobody does here: a clone is there, and accounts of others are not. */
const NOT_HERE = /^(git clone|npm ci|stripe )/;

/** What the phone shows after each payment, in this order. */
const PAID = ['Thank you, Ada Lovelace', 'Hello Ada Lovelace!'];
/** After the template was changed, the fixture says so. */
const CHECKS = [0, 1];

/** How a command of the page is typed, if it is not only waited for. */
const TYPED: readonly (readonly [
  command: string,
  how: (place: Place, shell: Shell, command: string) => Promise<void>,
])[] = [
  ['npm start', restarted],
  [
    'npx hookbell init --customers',
    async (place, shell, command) => {
      await shell.begin(command);
      for (const [question, answer] of answersOn(PAGE)) await shell.answers(question, answer);
      expect(await shell.ended()).toBe(0);
      await place.shows(shell, 'init');
    },
  ],
  [
    'npx hookbell push',
    async (place, shell, command) => {
      await shell.begin(command);
      await shell.agrees('Publish');
      expect(await shell.ended()).toBe(0);
      await place.shows(shell, 'push');
    },
  ],
  [
    'sh pay.sh',
    async (place, shell, command) => {
      await place.does(shell, 'pay', command);
      await place.phone.gets(CUSTOMER, PAID.shift() ?? '');
    },
  ],
];

journey('the tutorial', 'tutorial', (step) => {
  for (const shown of shownOn(PAGE, ...SECTIONS)) {
    if (shown.kind === 'file')
      step(`saves ${shown.path}`, async (place) => place.save(shown.path, place.here(shown.text)));
    else if (!NOT_HERE.test(shown.text))
      step(shown.text, async (place) => {
        const command = place.here(shown.text);
        const shell = await place.terminal(2);
        const [, how] = TYPED.find(([start]) => shown.text === start) ?? [];
        if (how !== undefined) return how(place, shell, command);
        const exit = command === 'npx hookbell check' ? CHECKS.shift() : 0;
        await place.does(shell, nameOf(command), command, exit);
      });
  }
});

/** `npx hookbell check --update` is `check-update` among the screens. */
const nameOf = (command: string): string =>
  command
    .replace(/^npx hookbell /, '')
    .replaceAll(/[^a-z]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 20);
