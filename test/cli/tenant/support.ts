import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { hookbell as withoutRelay, runsBy, type OwnOptions, type Run } from '../offline.ts';
import { TOKEN, folderWith, newFolder } from '../offline.ts';

/** One call of the other Wrangler. */
const call = z.object({
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  config: z.looseObject({ name: z.string(), vars: z.record(z.string(), z.string()) }),
  secrets: z.nullable(z.record(z.string(), z.string())),
  secretsFile: z.nullable(z.string()),
  mode: z.nullable(z.string()),
});

type Call = z.output<typeof call>;

/** A Wrangler that deploys nothing: it writes down how it was called, and says what the test has it say. */
const SCRIPT = `#!/usr/bin/env node
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
const args = process.argv.slice(2);
const after = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : null);
const secretsFile = after('--secrets-file');
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const plan = read(join(import.meta.dirname, 'plan.json'));
const call = {
  args,
  env: process.env,
  config: read(after('--config')),
  secrets: secretsFile === null ? null : read(secretsFile),
  secretsFile,
  mode: secretsFile === null ? null : (statSync(secretsFile).mode & 0o777).toString(8),
};
appendFileSync(join(import.meta.dirname, 'calls.ndjson'), JSON.stringify(call) + '\\n');
for (const [at, line] of plan.says.entries()) (at === 0 ? console.log : console.error)(line);
if (plan.exit === 0 && plan.target !== undefined)
  appendFileSync(
    process.env.WRANGLER_OUTPUT_FILE_PATH,
    JSON.stringify({ type: 'wrangler-session', version: 1 }) + '\\n' +
      JSON.stringify({ type: 'deploy', version: 1, targets: [plan.target, 'schedule: */5 * * * *'] }) + '\\n',
  );
process.exit(plan.exit);
`;

interface Plan {
  readonly exit: number;
  readonly says: readonly string[];
  /** The address that it says it deployed to. */
  readonly target?: string;
}

export const SOURCE = `verify: { scheme: token, in: path }
secrets: [CONTACT_FORM_TOKEN]
routes:
  - { name: hello, to: '4915112345678', send: { kind: text, message: 'Hello {{ payload.name | plain }}' } }
`;

/** A repository of tenants in a folder of its own, with a Wrangler of its own. `run`: without or with a relay. */
export function newRepository(run: typeof withoutRelay = withoutRelay) {
  const folder = newFolder();
  const wrangler = join(folder, 'bin/wrangler.mjs');
  const calls = join(folder, 'bin/calls.ndjson');
  const write = (file: string, text: string): void => void folderWith({ [file]: text }, folder);
  const plan = (given: Partial<Plan>): void =>
    write('bin/plan.json', JSON.stringify({ exit: 0, says: [], ...given }));
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  write('bin/wrangler.mjs', SCRIPT);
  chmodSync(wrangler, 0o755);
  plan({});
  const own = (args: string | readonly string[], options: OwnOptions = {}): Promise<Run> =>
    run(args, { cwd: folder, ...options, env: { HOOKBELL_WRANGLER: wrangler, ...options.env } });
  const { shown, refused, expectRefused } = runsBy(own);
  return {
    folder,
    run: own,
    shown,
    refused,
    expectRefused,
    plan,
    read,
    write,
    has: (file: string): boolean => existsSync(join(folder, file)),
    calls: (): readonly Call[] => {
      const lines = existsSync(calls) ? read('bin/calls.ndjson').trim().split('\n') : [];
      return lines.map((line) => call.parse(JSON.parse(line)));
    },
    /** Adds a tenant with documents and all secrets, whose values hold `canary`; with the address of its relay. */
    add: async (name: string, canary: string, url?: string): Promise<void> => {
      await shown(`tenant add ${name} --gateway https://${name}-gateway.example/api`);
      write(`tenants/${name}/hookbell/sources/form.yaml`, SOURCE);
      write(`tenants/${name}/secrets.env`, secretsOf(canary));
      const settings = `tenants/${name}/tenant.yaml`;
      if (url !== undefined) write(settings, `${read(settings)}url: ${url}\n`);
    },
  };
}

/** A file of all secrets that the documents of a test need. The token is the tests' relay's. */
export const secretsOf = (canary: string): string =>
  `# a remark\nADMIN_TOKEN=${TOKEN}\nGATEWAY_EMAIL=${canary}@example.com\nGATEWAY_API_KEY='${canary}-$HOME-key'\nCONTACT_FORM_TOKEN="${canary}-form"\n`;
