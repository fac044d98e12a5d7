/**
 * `npm start`: builds the files that are not in git, unless they are up to date, and runs `hookbell dev` with the demo. All in one
 * script, since npm would print the command of each npm script.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../cli/built.ts';
import { writeFacts } from './facts.ts';

await writeFacts();
await import('./schemas.ts');
await import('./cli-bundle.ts');
await import('./console.ts');
await import('./worker.ts');

process.argv.splice(2, 0, 'dev', '--demo');
await import(pathToFileURL(join(ROOT, 'bin', 'hookbell.mjs')).href);
