import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { startCommand } from '../built.ts';
import { isThisMachine } from '../client.ts';
import { outsideCheck, type CheckResult } from './check.ts';

/** The file that `npm start` leaves in its folder: the port of its relay, {@link changedAt} when it read `.dev.vars`, its process. */
const startedSchema = z.object({ port: z.number(), at: z.number(), pid: z.optional(z.number()) });

/** The file that says when, relative to the folder of `npm start`. */
export const STARTED = join('.wrangler', 'started.json');

/** Checks whether the relay of `npm start` has the values of `.dev.vars` as they are now: it reads them when it starts. */
export function devVarsChecks(url: string, folder: string): readonly CheckResult[] {
  const { port, hostname } = new URL(url);
  const started = isThisMachine(url) ? readStarted(join(folder, STARTED)) : null;
  const changed = changedAt(join(folder, '.dev.vars'));
  if (started === null || changed === 0 || String(started.port) !== port || changed === started.at) return [];
  const detail = `was changed after the relay on ${hostname}:${port} read it, so the changes are not used yet`;
  const remedy = `Stop \`${startCommand()}\`, and start it again`;
  return [outsideCheck('dev-vars', 'warn', 'dev-vars-changed', detail, remedy)];
}

/** The time of a file's last change (ms), as its disk has it; 0 if there is none. */
export const changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

export function readStarted(file: string): z.output<typeof startedSchema> | null {
  try {
    return startedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
