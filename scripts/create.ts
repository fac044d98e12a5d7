import { execFileSync } from 'node:child_process';
import { main } from '../packages/create-hookbell/lib/main.mjs';
import { pack } from './pack.ts';

/** `npm run create -- ../my-relay`: makes a project with the hookbell of this clone, as `npm create hookbell` does with a release. */
const args = process.argv.slice(2);
// An npm script runs in the Node that `npm ci` brought. The project is for the one that the person has.
const own = process.env['npm_node_execpath'];
const nodeVersion =
  own === undefined
    ? undefined
    : execFileSync(own, ['--version'], { encoding: 'utf8' }).trim().replace(/^v/, '');
const isTarballNeeded = !args.some((arg) => /^--(package|help)\b|^-h$/.test(arg));
if (isTarballNeeded) process.stderr.write('Packing this clone …\n');
await main(isTarballNeeded ? [...args, `--package=${pack().hookbell}`] : args, nodeVersion);
