import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { widthOf } from '../../cli/text.ts';
import { eventually } from '../eventually.ts';
import { freshClone } from './clone.ts';
import { phoneAt, type Phone } from './phone.ts';
import { freePorts } from './ports.ts';
import { openShell, type Shell } from './shell.ts';
import { COLUMNS } from './terminal.ts';

/** A person's desk: a fresh clone, shells in it, the simulated phone. */
export interface Place {
  readonly folder: string;
  readonly relayUrl: string;
  readonly phone: Phone;
  /** A person's first, second … terminal, with a shell in the clone. */
  terminal(number: number): Promise<Shell>;
  /** Goes on in another folder: there files are saved, and terminals are opened from now on. */
  moveTo(folder: string): void;
  /** Saves a file, as a person does in an editor. */
  save(file: string, text: string): void;
  /** Adds a secret to `.dev.vars`. No command shows it. */
  secret(name: string, value: string): void;
  /** A command of a page, for the ports of this run. */
  here(command: string): string;
  /** Types a command, waits until it has ended with `exit`, and returns its screen, which has all of these words. */
  runs(shell: Shell, command: string, words?: readonly string[], exit?: number): Promise<string>;
  /** The same for a command that runs already. */
  ended(shell: Shell, words?: readonly string[], exit?: number): Promise<string>;
  leave(): Promise<void>;
}

const PORTS = { relay: 8787, phone: 8788 } as const;

/** Opens a place for one journey. */
export async function openPlace(): Promise<Place> {
  const clone = freshClone();
  const [relayPort = 0, phonePort = 0] = await freePorts(2);
  const relayUrl = `http://localhost:${relayPort}`;
  const shells = new Map<number, Promise<Shell>>();
  const secrets: string[] = [];
  const env = {
    PATH: pathOfAPerson(),
    HOME: clone.home,
    USER: 'ada',
    TERM: 'xterm-256color',
    LANG: 'en_GB.UTF-8',
    TZ: 'UTC',
    PORT: String(relayPort),
    SIMULATOR_PORT: String(phonePort),
    HOOKBELL_URL: relayUrl,
    npm_config_update_notifier: 'false',
    ...registry(),
    WRANGLER_SEND_METRICS: 'false',
  };
  let at = clone.folder;
  const ended: Place['ended'] = async (shell, words = [], exit = 0) => {
    const code = await shell.ended();
    const screen = shell.screen();
    expect(code, screen).toBe(exit);
    const text = screen.replaceAll(/\s+/g, ' ');
    for (const each of words) expect(text).toContain(each);
    if (screen.startsWith('$ npx hookbell')) expectReadable(screen, secrets);
    return screen;
  };

  return {
    folder: clone.folder,
    relayUrl,
    phone: phoneAt(`http://localhost:${phonePort}`),
    terminal: (number) => {
      const known = shells.get(number) ?? openShell(at, env);
      shells.set(number, known);
      return known;
    },
    moveTo: (folder) => {
      at = join(at, folder);
    },
    save: (file, text) => {
      const path = join(at, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    },
    secret: (name, value) => {
      secrets.push(value);
      appendFileSync(join(at, '.dev.vars'), `${name}="${value}"\n`);
    },
    here: (command) =>
      command
        .replaceAll(`localhost:${PORTS.relay}`, `localhost:${relayPort}`)
        .replaceAll(`localhost:${PORTS.phone}`, `localhost:${phonePort}`),
    runs: async (shell, command, words, exit) => {
      await shell.begin(command);
      return ended(shell, words, exit);
    },
    ended,
    leave: async () => {
      await Promise.all([...shells.values()].map(async (shell) => (await shell).close()));
      // Whatever had its files open has ended, but its folder may still be written to for a moment.
      await eventually(() => clone.remove());
    },
  };
}

/** `npm start` in the first terminal; what runs there is stopped by Ctrl-C before. */
export async function restarted(place: Place): Promise<void> {
  const shell = await place.terminal(1);
  if (shell.isBusy()) {
    shell.press('ctrl-c');
    await shell.ended();
  }
  await shell.begin('npm start');
  await shell.sees('Ctrl-C');
}

/** A screen has no secret, and no list is wider than it but for what is to be pasted: commands and addresses. */
function expectReadable(screen: string, secrets: readonly string[]): void {
  for (const secret of secrets) expect(screen).not.toContain(secret);
  const [command = '', ...lines] = screen.split('\n');
  if (!/ (accounts|doctor|events|messages|rejections|versions)\b/.test(command)) return;
  expect(lines.filter((line) => widthOf(line) > COLUMNS && !/npx hookbell|https?:/.test(line))).toEqual([]);
}

/** The programs of the machine, without those that the test itself was started with. */
const pathOfAPerson = (): string =>
  (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules') && !folder.includes('node-gyp-bin'))
    .join(':');

/** The settings by which this machine reaches npm's registry: an empty home knows nothing of them. */
function registry(): Record<string, string> {
  const found = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const proxies = Object.entries(process.env).filter(([name]) =>
    /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name),
  );
  return {
    npm_config_registry: found,
    ...Object.fromEntries(proxies.map(([name, value]) => [name, value ?? ''])),
  };
}
