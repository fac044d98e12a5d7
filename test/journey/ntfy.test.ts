import { expect } from 'vitest';
import { journey } from './journey.ts';
import { shownOn } from './page.ts';
import { restarted } from './place.ts';

const SECTION = 'Your own words, on an ntfy phone';
const TOPIC = 'shop-k3x9q2vb';
/** `git clone`, `cd`, `npm ci` and `npm start`, which each page of the documentation begins with. */
const BEFORE = 4;

journey('a newcomer’s own words on an ntfy phone', (step) => {
  const shown = shownOn('docs/gateway.md', SECTION);

  step('npm start', restarted);

  for (const one of shown)
    if (one.kind === 'file')
      step(`saves ${one.path}`, (place) => Promise.resolve(place.save(one.path, one.text)));
    else
      step(one.text, async (place) => void (await place.runs(await place.terminal(2), place.here(one.text))));

  step('the phone shows them, after seven commands and two files', async (place) => {
    await place.phone.gets(TOPIC, 'My own words: hello');
    const files = shown.filter(({ kind }) => kind === 'file').length;
    expect([BEFORE + shown.length - files, files]).toEqual([7, 2]);
  });
});
