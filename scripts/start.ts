/**
 * `npm start`: builds what is not in git, unless it is there, and runs `hookbell dev` with the demo. Here, and not in scripts of
 * npm's, which would print their commands first.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../cli/built.ts';
import { writeFacts } from './facts.ts';

writeFacts();
await import('./docs-page.ts');
await import('./schemas.ts');
await import('./cli-bundle.ts');
await import('./console.ts');
await import('./worker.ts');

process.argv.splice(2, 0, 'dev', '--demo');
await import(pathToFileURL(join(ROOT, 'bin', 'hookbell.mjs')).href);
