import { main } from '../packages/create-hookbell/lib/main.mjs';
import { pack } from './pack.ts';

/** `npm run create -- ../my-relay`: makes a project with the hookbell of this clone, as `npm create hookbell` does with a release. */
const args = process.argv.slice(2);
const isTarballNeeded = !args.some((arg) => /^--(package|help)\b|^-h$/.test(arg));
await main(isTarballNeeded ? [...args, `--package=${pack().hookbell}`] : args);
