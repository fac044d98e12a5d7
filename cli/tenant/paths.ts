import { join } from 'node:path';

/** The folder of tenants, relative to the current folder: it has a folder for each. */
export const TENANTS = 'tenants';

/** The file that makes a folder a tenant's. */
export const SETTINGS = 'tenant.yaml';

export interface Paths {
  readonly folder: string;
  readonly settings: string;
  readonly documents: string;
  readonly secrets: string;
  readonly secretsExample: string;
}

export function pathsOf(name: string): Paths {
  const folder = join(TENANTS, name);
  return {
    folder,
    settings: join(folder, SETTINGS),
    documents: join(folder, 'hookbell'),
    secrets: join(folder, 'secrets.env'),
    secretsExample: join(folder, 'secrets.env.example'),
  };
}
