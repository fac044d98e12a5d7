import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Codes of Node and npm for a registry that cannot be reached. */
const NO_NETWORK =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)\b/;

/** Short retries: a network that is down is reported soon. */
const INSTALL = ['--no-audit', '--no-fund', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];

/**
 * Runs `npm install`. Returns what is wrong, in one line; null: all is installed.
 *
 * @param {string} folder
 */
export async function runInstall(folder) {
  const { command, args, isShell } = npm();
  const { code, output } = await run(command, [...args, 'install', ...INSTALL], folder, {
    isShown: false,
    isShell,
  });
  if (code === 0) return null;
  const [network] = NO_NETWORK.exec(output) ?? [];
  if (network !== undefined)
    return `npm could not reach its registry (${network}): check the network; behind a proxy, also check \`npm config get proxy\``;
  if (/\bE407\b/.test(output))
    return 'the proxy wants a login (407): write it into the proxy’s address, `npm config set proxy http://user:password@host:port`';
  if (/\bE404\b|\bETARGET\b/.test(output))
    return `npm's registry has no such version of hookbell: ${errorOf(output)}. Use --package to install one from elsewhere`;
  return code === null
    ? 'npm could not be started: is it installed?'
    : `npm install failed: ${errorOf(output)}`;
}

/**
 * Asks for the first source. Returns the exit code.
 *
 * @param {string} folder
 * @param {readonly string[]} args
 */
export async function runInit(folder, args) {
  const { code } = await run(process.execPath, [programIn(folder), 'init', ...args], folder, {
    isShown: true,
    env: { HOOKBELL_CREATING: '1' },
  });
  return code ?? 1;
}

/**
 * Makes the folder a git repository. False: there is no git, or the folder is in a repository.
 *
 * @param {string} folder
 */
export async function initGit(folder) {
  const { code } = await run('git', ['rev-parse', '--is-inside-work-tree'], folder, { isShown: false });
  if (code === 0 || code === null) return false;
  const made = await run('git', ['init', '--quiet', '--initial-branch=main'], folder, { isShown: false });
  return made.code === 0;
}

/**
 * The secrets that the documents need, besides the token of the admin API. Null: hookbell cannot say.
 *
 * @param {string} folder
 * @returns {Promise<readonly string[] | null>}
 */
export async function neededSecrets(folder) {
  const { code, stdout } = await run(process.execPath, [programIn(folder), 'check', '--json'], folder, {
    isShown: false,
  });
  if (code !== 0) return null;
  /** @type {{ readonly secrets: readonly string[] }} */
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- our own command
  const { secrets } = JSON.parse(stdout);
  return secrets.filter((name) => name !== 'ADMIN_TOKEN');
}

/** @param {string} folder */
const programIn = (folder) => join(folder, 'node_modules', 'hookbell', 'bin', 'hookbell.mjs');

/** The npm that runs this, else the one in the path. On Windows that is a script, which only a shell runs. */
function npm() {
  const script = process.env['npm_execpath'];
  return script !== undefined && script.endsWith('npm-cli.js')
    ? { command: process.execPath, args: [script], isShell: false }
    : { command: 'npm', args: [], isShell: process.platform === 'win32' };
}

/** @param {string} output */
function errorOf(output) {
  const lines = output
    .split('\n')
    .flatMap((line) => /^npm (?:error|ERR!)(?: code)? (.+)$/.exec(line.trim())?.[1] ?? []);
  return lines.slice(0, 2).join(' ') || 'it did not say why';
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {{ isShown: boolean, isShell?: boolean, env?: Record<string, string> }} options `env`: besides this process's own
 * @returns {Promise<{ code: number | null, stdout: string, output: string }>} `code` null: it could not be started; `output`: of both
 *   streams
 */
function run(command, args, cwd, { isShown, isShell = false, env = {} }) {
  return new Promise((resolve) => {
    const child = spawn(command, [...args], {
      cwd,
      env: { ...process.env, ...env },
      shell: isShell,
      stdio: isShown ? 'inherit' : 'pipe',
    });
    let output = '';
    let stdout = '';
    child.stdout?.setEncoding('utf8').on('data', (/** @type {string} */ text) => (stdout += text));
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
    child.once('error', () => resolve({ code: null, stdout, output }));
    child.once('close', (code) => resolve({ code: code ?? 1, stdout, output }));
  });
}
