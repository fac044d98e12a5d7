import { expect } from 'vitest';
import { journey } from './journey.ts';
import { shownOn } from './page.ts';
import { restarted } from './start.ts';

const SECTION = 'Your own words, on an ntfy phone';
const TOPIC = 'shop-k3x9q2vb';
/** `git clone`, `cd`, `npm ci` and `npm start`, which each page of the documentation begins with. */
const BEFORE = 4;

journey('a newcomer’s own words on an ntfy phone', 'ntfy', (step) => {
  const shown = shownOn('docs/gateway.md', SECTION);
  let startedAt = 0;

  step('npm start', async (place) => {
    startedAt = Date.now();
    await restarted(place);
  });

  for (const one of shown)
    if (one.kind === 'file')
      step(`saves ${one.path}`, (place) => Promise.resolve(place.save(one.path, one.text)));
    else
      step(one.text, async (place) => {
        const shell = await place.terminal(2);
        const command = place.here(one.text);
        if (one.text.startsWith('npx hookbell push')) return place.does(shell, 'push', command);
        return place.runs(shell, command);
      });

  step('the phone shows them, after seven commands, two files and at most two minutes', async (place) => {
    await place.phone.gets(TOPIC, 'My own words: hello');
    const files = shown.filter(({ kind }) => kind === 'file').length;
    expect([BEFORE + shown.length - files, files]).toEqual([7, 2]);
    expect(Date.now() - startedAt).toBeLessThan(120_000);
  });
});
