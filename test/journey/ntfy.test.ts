import { expect } from 'vitest';
import { journey } from './journey.ts';
import { phoneAt } from './phone.ts';
import { freePorts } from './ports.ts';
import { shownOn } from './page.ts';
import { restarted } from './place.ts';

const README = 'A real phone, in two minutes';
const SECTION = 'Your own words, on an ntfy phone';
const TOPIC = 'shop-k3x9q2vb';
/** `git clone`, `cd`, `npm ci` and `npm start`, which each page of the documentation begins with. */
const BEFORE = 4;

journey('a newcomer’s real phone by ntfy', (step) => {
  let real = phoneAt('');
  let server = '';

  step('an ntfy server, which a simulator stands in for', async (place) => {
    // Beyond the place's own two.
    const port = (await freePorts(4)).at(-1);
    real = phoneAt(`http://localhost:${port}`);
    await (await place.terminal(3)).begin(`SIMULATOR_PORT=${port} npm run simulator`);
    await (await place.terminal(3)).sees('Gateway simulator');
    server = `ntfy:http://localhost:${port}/makers/ntfy/`;
  });

  for (const { text } of shownOn('README.md', README))
    step(text, async (place) => {
      const command = place.here(text).replace('ntfy:', server);
      if (!text.startsWith('npm start')) return void (await place.runs(await place.terminal(2), command));
      await (await place.terminal(1)).begin(command);
      await (await place.terminal(1)).sees('Ctrl-C');
    });

  step('the phone has the demo’s messages, and what the lines send', async () => {
    for (const words of ['HighErrorRate', 'Hello from my relay', '1. Yes', 'Do you deliver?'])
      await real.gets('bell-k3x9q2vb', words);
  });
});

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
