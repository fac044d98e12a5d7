import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** The variables of `.dev.vars`; none if there is no such file. Empty ones count as not set. */
export function readDevVars(file: string): Readonly<Record<string, string>> {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return {};
  }
  const vars: [string, string][] = [];
  for (const [name, value = ''] of Object.entries(parseEnv(text))) if (value !== '') vars.push([name, value]);
  return Object.fromEntries(vars);
}
