import type { Place } from './place.ts';

/** `npm start` in the first terminal; what runs there is stopped by Ctrl-C before. */
export async function restarted(place: Place): Promise<void> {
  const shell = await place.terminal(1);
  if (shell.isBusy()) {
    shell.press('ctrl-c');
    await shell.ended();
  }
  await shell.begin('npm start');
  await shell.sees('Ctrl-C');
  await place.shows(shell, 'npm-start');
}
