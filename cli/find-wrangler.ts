import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ok } from '../src/lib/result.ts';
import { failed, type CommandResult } from './failure.ts';

/** An installed Wrangler. */
interface FoundWrangler {
  /** Its module, for `import`. */
  readonly module: string;
  /** Its program, for Node. */
  readonly program: string;
}

/** Wrangler does not run on an older one. */
const NODE_OF_WRANGLER = 22;

/** Finds the Wrangler of the project in the current folder, else the one beside this hookbell. */
export function findWrangler(
  nodeVersion = process.versions.node,
  places: readonly string[] = [join(process.cwd(), 'package.json'), import.meta.filename],
): CommandResult<FoundWrangler> {
  if (Number(nodeVersion.split('.')[0]) < NODE_OF_WRANGLER)
    return failed(
      `Wrangler needs Node ${NODE_OF_WRANGLER} or newer, and this is Node ${nodeVersion}: install a newer one from https://nodejs.org; \`hookbell dev\`, \`hookbell check\` and \`hookbell push\` work with this one`,
    );
  for (const from of places) {
    try {
      const require = createRequire(from);
      const folder = dirname(require.resolve('wrangler/package.json'));
      return ok({ module: require.resolve('wrangler'), program: join(folder, 'bin', 'wrangler.js') });
    } catch {
      // Not there: the next place.
    }
  }
  return failed('Wrangler is not installed: `npm install --save-dev wrangler` in this folder installs it');
}
