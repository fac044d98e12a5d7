import { join } from 'node:path';
import { ok } from '../../src/lib/result.ts';
import { misused, type CommandResult } from '../failure.ts';

/** The folder of tenants, relative to the current folder: it has a folder for each. */
export const TENANTS = 'tenants';

/** The file that makes a folder a tenant's. */
export const SETTINGS = 'tenant.yaml';

export type Paths = ReturnType<typeof pathsOf>;

export function pathsOf(name: string) {
  const folder = join(TENANTS, name);
  return {
    folder,
    settings: join(folder, SETTINGS),
    documents: join(folder, 'hookbell'),
    secrets: join(folder, 'secrets.env'),
    secretsExample: join(folder, 'secrets.env.example'),
  };
}

const PREFIX = 'hookbell-';
/** A Worker's name is a label of a host name, which has at most 63 characters in DNS. */
const MAX_WORKER_NAME = 63;
const MAX_NAME = MAX_WORKER_NAME - PREFIX.length;

const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/** Checks a tenant's name. It becomes a folder, and part of a Worker's name and of a host name. */
export function readName(name: string): CommandResult<string> {
  if (LABEL.test(name) && name.length <= MAX_NAME) return ok(name);
  return misused(
    `a tenant’s name is up to ${MAX_NAME} lower-case letters, digits and hyphens, without a hyphen at either end; \`${name.slice(0, 80)}\` is not`,
  );
}

/** The Worker that a tenant gets when it does not name one. */
export const workerOf = (name: string): string => PREFIX + name;

export const isWorkerName = (name: string): boolean => LABEL.test(name) && name.length <= MAX_WORKER_NAME;
