import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { devVarsChecks, STARTED } from '../../../cli/doctor/dev-vars.ts';
import { newFolder } from '../support.ts';

const AT = 1_000_000_000_000;

/** A folder where a relay on port 8787 was started, and whose `.dev.vars` changed `changedAfter` ms later. */
function started(changedAfter: number, text = JSON.stringify({ port: 8787, at: AT })): string {
  const folder = newFolder();
  mkdirSync(join(folder, '.wrangler'));
  writeFileSync(join(folder, STARTED), text);
  writeFileSync(join(folder, '.dev.vars'), 'A="1"\n');
  utimesSync(join(folder, '.dev.vars'), AT / 1_000, (AT + changedAfter) / 1_000);
  return folder;
}

describe('the values of .dev.vars', () => {
  it('that were written after the start are not used yet, and doctor says so', () => {
    const [check, ...more] = devVarsChecks('http://localhost:8787', started(5_000));
    expect(more).toEqual([]);
    expect(check).toMatchObject({ status: 'warn', remedy: 'Stop `npm start`, and start it again' });
    expect(check?.detail).toContain('not used yet');
  });

  it('that the start has read are no finding', () => {
    expect(devVarsChecks('http://localhost:8787', started(-5_000))).toEqual([]);
  });

  it.each(['http://localhost:8799', 'https://hookbell.example.workers.dev', 'https://relay.example:8787'])(
    'say nothing about %s',
    (url) => expect(devVarsChecks(url, started(5_000))).toEqual([]),
  );

  it.each(['', '{}', '{"port":"8787"}'])('say nothing where it is not known when it started: %j', (text) => {
    expect(devVarsChecks('http://localhost:8787', started(5_000, text))).toEqual([]);
    expect(devVarsChecks('http://localhost:8787', newFolder())).toEqual([]);
  });
});
