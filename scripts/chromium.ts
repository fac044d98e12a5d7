import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** `CHROMIUM`, or the first of the names in `PATH`. */
function findChromium(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const files = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = process.env['CHROMIUM'] ?? files.find(isProgram);
  if (found === undefined)
    throw new Error(
      'There is no Chromium in PATH. Install it (Debian: `apt-get install chromium`), or set CHROMIUM to its path.',
    );
  return found;
}

export const startChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    // Its sandbox refuses to start for root, the usual user in containers.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
