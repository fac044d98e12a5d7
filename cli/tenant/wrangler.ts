import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join, dirname } from 'node:path';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';
import * as z from 'zod/mini';
import { maybeJson } from '../../src/lib/json.ts';
import { redact } from '../../src/lib/redact.ts';
import { isRepository, ROOT } from '../built.ts';
import { ok } from '../../src/lib/result.ts';
import { type CommandResult, failed } from '../failure.ts';
import type { Env } from '../io.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The variables that Wrangler gets. A secret that is exported in the shell must not reach a tenant. */
const PASSED_ON =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|COLUMNS|TZ|LANG|LC_\w+|TMPDIR|TEMP|TMP|XDG_\w+|CI|NO_COLOR|FORCE_COLOR|APPDATA|LOCALAPPDATA|USERPROFILE|SYSTEMROOT|PATHEXT|COMSPEC|(HTTPS?|ALL|NO)_PROXY|NODE_EXTRA_CA_CERTS|NODE_USE_SYSTEM_CA|SSL_CERT_(FILE|DIR)|CLOUDFLARE_(API_TOKEN|API_KEY|EMAIL|ACCOUNT_ID|API_BASE_URL|COMPLIANCE_REGION|ACCESS_CLIENT_ID|ACCESS_CLIENT_SECRET)|WRANGLER_(LOG|LOG_PATH|SEND_METRICS|CACHE_DIR)|DO_NOT_TRACK)$/i;

interface Target {
  readonly worker: string;
  /** Undefined: the account that Wrangler is logged in to. */
  readonly accountId: string | undefined;
}

/** The environment for a run. The two that are set override the configuration, and a `.env` could set them. */
export const wranglerEnv = (env: Env, { worker, accountId }: Target) => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.test(name))),
  WRANGLER_CI_OVERRIDE_NAME: worker,
  ...(accountId !== undefined && { CLOUDFLARE_ACCOUNT_ID: accountId }),
});

/** The command of Wrangler: the installed one, or the one in `HOOKBELL_WRANGLER`. Empty: there is none. */
function wranglerCommand(env: Env): readonly string[] {
  const other = env['HOOKBELL_WRANGLER'] ?? '';
  if (other !== '') return [other];
  const found = findWrangler();
  return found.ok ? [process.execPath, found.value.program] : [];
}

interface RunOptions {
  readonly args: readonly string[];
  readonly env: Env;
  readonly target: Target;
  /** Redacted in all that Wrangler prints. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly onLine: (line: string) => void;
}

const deployed = z.object({
  type: z.literal('deploy'),
  targets: z.optional(z.nullable(z.array(z.string()))),
});

/**
 * Runs Wrangler without a terminal, so that it asks no questions. `exitCode` null: it could not be started; `targets`: the
 * addresses that it deployed to, if its output has them.
 */
export async function runWrangler({ args, env, target, secrets, onLine }: RunOptions) {
  const [command, ...first] = wranglerCommand(env);
  if (command === undefined) return { exitCode: null, targets: [] };
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-'));
  const outputFile = join(folder, 'output.ndjson');
  try {
    const exitCode = await new Promise<number | null>((resolve) => {
      const child = spawn(command, [...first, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...wranglerEnv(env, target), WRANGLER_OUTPUT_FILE_PATH: outputFile },
      });
      const values = [...secrets.values()];
      for (const input of [child.stdout, child.stderr])
        createInterface({ input }).on('line', (line) => onLine(redact(line, values)));
      child.once('error', () => resolve(null));
      child.once('close', (code) => resolve(code ?? 1));
    });
    return { exitCode, targets: readTargets(outputFile) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readTargets(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => deployed.safeParse(maybeJson(line)).data?.targets ?? []);
}

/** Runs `use` with a file of the secrets as JSON. Only this user can read it, and it is deleted afterwards. */
export async function withSecretsFile<T>(
  secrets: ReadonlyMap<string, string>,
  use: (file: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // Also when Ctrl-C ends the process in between.
  process.once('exit', remove);
  try {
    const file = join(folder, 'secrets.json');
    writeFileSync(file, JSON.stringify(Object.fromEntries(secrets)), { mode: 0o600 });
    return await use(file);
  } finally {
    process.removeListener('exit', remove);
    remove();
  }
}

const rootConfig = z.object({ rawConfig: z.record(z.string(), z.json()) });

/** The `wrangler.toml` of hookbell itself, read by Wrangler. In the package its Worker is built already. */
export async function readRootConfig(): Promise<CommandResult<JsonObject>> {
  const found = findWrangler();
  if (!found.ok) return found;
  // Loaded only when it is needed, since it is large. Its types do not have this function.
  const wrangler: unknown = await import(pathToFileURL(found.value.module).href);
  const isModule = typeof wrangler === 'object' && wrangler !== null;
  const read: unknown = isModule ? Reflect.get(wrangler, 'experimental_readRawConfig') : null;
  if (typeof read !== 'function')
    throw new Error('this version of Wrangler does not let hookbell read wrangler.toml: install version 4');
  const config: unknown = Reflect.apply(read, undefined, [{ config: join(ROOT, 'wrangler.toml') }]);
  const { rawConfig } = rootConfig.parse(config);
  const { build, ...rest } = rawConfig;
  if (!isRepository() || build === undefined) return ok(rest);
  // Wrangler runs the command where it is called, which is the folder of tenants.
  return ok({ ...rest, build: { command: 'npm run -s worker', cwd: ROOT } });
}

/** Wrangler does not run on an older one. */
const NODE_OF_WRANGLER = 22;

/** Finds the Wrangler of the project in the current folder, else the one beside this hookbell. */
export function findWrangler(
  nodeVersion = process.versions.node,
  places: readonly string[] = [join(process.cwd(), 'package.json'), import.meta.filename],
): CommandResult<{ readonly module: string; readonly program: string }> {
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
