import { expect } from 'vitest';
import { journey } from './journey.ts';
import { answersOn, shownOn } from './page.ts';
import type { Place } from './place.ts';
import type { Shell } from './shell.ts';

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

/** The texts that the phone shows after each payment, in this order. */
const PAID = ['Thank you, Ada Lovelace', 'Hello Ada Lovelace!'];
/** After the template was changed, the fixture says so. */
const CHECKS = [1];

/** The commands of the page that need more than waiting for their end, and how each is typed. */
const TYPED: readonly (readonly [
  command: string,
  how: (place: Place, shell: Shell, command: string) => Promise<void>,
])[] = [
  [
    'npm run create -- ../my-relay --customers',
    async (place, shell, command) => {
      await shell.begin(command);
      for (const [question, answer] of answersOn(PAGE)) await shell.answers(question, answer);
      expect(await shell.ended()).toBe(0);
      await place.shows(shell, 'create');
    },
  ],
  [
    'cd ../my-relay',
    async (place, shell, command) => {
      await place.runs(shell, command);
      place.moveTo('../my-relay');
    },
  ],
  [
    'npm run dev',
    async (place, shell, command) => {
      await shell.begin(command);
      await shell.sees('Ctrl-C');
      await place.shows(shell, 'dev');
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
        const [, how] = TYPED.find(([start]) => shown.text === start) ?? [];
        const shell = await place.terminal(IN_THE_FIRST.test(command) ? 1 : 2);
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
