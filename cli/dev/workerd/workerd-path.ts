import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * The binary of workerd for this system; null: npm did not install it. It is hookbell's own, or the one of the Wrangler in
 * the current folder.
 */
export function workerdPath(): string | null {
  const own = createRequire(import.meta.url);
  const project = createRequire(join(process.cwd(), 'package.json'));
  return load(own) ?? load(from(own, 'wrangler')) ?? load(project) ?? load(from(project, 'wrangler'));
}

function from(require: NodeJS.Require, name: string): NodeJS.Require | null {
  try {
    return createRequire(require.resolve(name));
  } catch {
    return null;
  }
}

/** The package says where its binary is, and throws if there is none for this system. */
function load(require: NodeJS.Require | null): string | null {
  try {
    const loaded: unknown = require?.('workerd');
    const path: unknown = loaded instanceof Object ? Reflect.get(loaded, 'default') : undefined;
    return typeof path === 'string' ? path : null;
  } catch {
    return null;
  }
}
