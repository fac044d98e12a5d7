import type { DemoVars } from './demo-vars.ts';

/** Writes the value of a variable in a command that is pasted into a shell. */
export type ShellValue = (name: string, isInAddress?: boolean) => string;

/** For between double quotes. Only a value of the demo's is written out; a person's own is read by the shell. */
export const shellValue =
  ({ vars, originOf }: DemoVars): ShellValue =>
  (name, isInAddress = false) => {
    const origin = originOf(name);
    if (origin === 'demo') return vars[name] ?? '';
    const value = `process.env.${name}`;
    const printed = `-p '${isInAddress ? `encodeURIComponent(${value})` : value}'`;
    if (origin === '.dev.vars') return `$(node --env-file=.dev.vars ${printed})`;
    return isInAddress ? `$(node ${printed})` : `$${name}`;
  };
