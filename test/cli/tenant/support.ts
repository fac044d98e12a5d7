import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { type Run, TOKEN, admin, hookbell, newFolder, phoneUrl, until } from '../support.ts';

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
for (const line of plan.says) console.log(line);
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

/** A repository of tenants in a folder of its own, with a Wrangler of its own. */
export interface Repository {
  readonly folder: string;
  readonly run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Run>;
  readonly plan: (plan: Partial<Plan>) => void;
  readonly calls: () => readonly Call[];
  readonly read: (file: string) => string;
  readonly write: (file: string, text: string) => void;
  /** Adds a tenant with documents and all secrets, whose values hold \`canary\`. */
  readonly add: (name: string, canary: string) => Promise<void>;
}

export const SOURCE = `verify: { scheme: token, in: path }
secrets: [CONTACT_FORM_TOKEN]
routes:
  - { name: hello, to: '4915112345678', send: { kind: text, message: 'Hello {{ payload.name | plain }}' } }
`;

export function newRepository(): Repository {
  const folder = newFolder();
  const bin = join(folder, 'bin');
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const plan = (given: Partial<Plan>): void =>
    write('bin/plan.json', JSON.stringify({ exit: 0, says: [], ...given }));
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  write('bin/wrangler.mjs', SCRIPT);
  chmodSync(join(bin, 'wrangler.mjs'), 0o755);
  plan({});
  const run: Repository['run'] = (args, env = {}) =>
    hookbell(args, { cwd: folder, env: { HOOKBELL_WRANGLER: join(bin, 'wrangler.mjs'), ...env } });
  return {
    folder,
    run,
    plan,
    read,
    write,
    calls: () =>
      existsSync(join(bin, 'calls.ndjson'))
        ? read('bin/calls.ndjson')
            .trim()
            .split('\n')
            .map((line) => call.parse(JSON.parse(line)))
        : [],
    add: async (name, canary) => {
      const { code, stderr } = await run([
        'tenant',
        'add',
        name,
        '--gateway',
        `https://${name}-gateway.example/api`,
      ]);
      if (code !== 0) throw new Error(stderr);
      write(`tenants/${name}/hookbell/sources/form.yaml`, SOURCE);
      write(`tenants/${name}/secrets.env`, secretsOf(canary));
    },
  };
}

/** A file of all secrets that the documents of a test need. The token is the tests' relay's. */
export const secretsOf = (canary: string): string =>
  `# a remark\nADMIN_TOKEN=${TOKEN}\nGATEWAY_EMAIL=${canary}@example.com\nGATEWAY_API_KEY='${canary}-$HOME-key'\nCONTACT_FORM_TOKEN="${canary}-form"\n`;

const message = z.object({ id: z.string() });
const status = z.object({ paused: z.nullable(z.object({ by: z.string() })) });

/** Has the gateway refuse the login of the tests' relay, which pauses the account until the test ends. */
export async function pausedByGateway(): Promise<void> {
  const phone = '4915199999999';
  const body = JSON.stringify({ steps: [{ failure: 'status', status: 401, match: { phone } }] });
  await fetch(`${phoneUrl()}/_control/script`, { method: 'PUT', body });
  const { id } = message.parse(await admin('POST', '/messages', { to: phone, kind: 'text', message: 'x' }));
  onTestFinished(async () => {
    await admin('POST', `/messages/${id}/cancel`);
    await admin('POST', '/accounts/default/resume');
  });
  await until(
    async () => status.parse(await admin('GET', '/accounts/default/status')).paused?.by === 'gateway',
    'the account is paused',
  );
}
