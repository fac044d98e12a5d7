import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eventually } from '../eventually.ts';
import { freshClone } from './clone.ts';
import { keepScreen } from './kept.ts';
import { normaliser } from './normal.ts';
import { phoneAt, type Phone } from './phone.ts';
import { freePorts } from './ports.ts';
import { openShell, type Shell } from './shell.ts';

/** A person's desk: a fresh clone, shells in it, the simulated phone. */
export interface Place {
  readonly folder: string;
  readonly relayUrl: string;
  readonly phone: Phone;
  /** The files of the screens that were compared. */
  readonly kept: ReadonlySet<string>;
  /** A person's first, second … terminal, with a shell in the clone. */
  terminal(number: number): Promise<Shell>;
  /** Goes on in another folder: there files are saved, and terminals are opened from now on. */
  moveTo(folder: string): void;
  /** Saves a file, as a person does in an editor. */
  save(file: string, text: string): void;
  append(file: string, text: string): void;
  /** A command of a page, for the ports of this run. */
  here(command: string): string;
  /** Types a command, and waits until it has ended without a failure. */
  runs(shell: Shell, command: string): Promise<void>;
  /** Types a command, waits until it has ended with `exit`, and compares its screen with the kept one. */
  does(shell: Shell, step: string, command: string, exit?: number): Promise<void>;
  /** Compares what a shell shows with the kept screen of this step. */
  shows(shell: Shell, step: string): Promise<void>;
  leave(): Promise<void>;
}

const PORTS = { relay: 8787, phone: 8788 } as const;

/** Opens a place for one journey. Its screens are kept in the folder `screens/<journey>`. */
export async function openPlace(journey: string): Promise<Place> {
  const clone = freshClone();
  const [relayPort = 0, phonePort = 0] = await freePorts(2);
  const relayUrl = `http://localhost:${relayPort}`;
  const shells = new Map<number, Promise<Shell>>();
  const env = {
    PATH: pathOfAPerson(),
    HOME: clone.home,
    USER: 'ada',
    TERM: 'xterm-256color',
    LANG: 'en_GB.UTF-8',
    TZ: zoneOfMorning(new Date()),
    PORT: String(relayPort),
    SIMULATOR_PORT: String(phonePort),
    HOOKBELL_URL: relayUrl,
    npm_config_update_notifier: 'false',
    ...registry(),
    WRANGLER_SEND_METRICS: 'false',
  };
  const normalise = normaliser([
    [clone.home, '~'],
    [`:${relayPort}`, `:${PORTS.relay}`],
    [`:${phonePort}`, `:${PORTS.phone}`],
  ]);
  const kept = new Set<string>();
  let at = clone.folder;
  const shows: Place['shows'] = (shell, step) => {
    const file = `${String(kept.size + 1).padStart(2, '0')}-${step}.txt`;
    kept.add(file);
    return keepScreen(join(journey, file), normalise(shell.screen()));
  };

  return {
    folder: clone.folder,
    relayUrl,
    kept,
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
    append: (file, text) => appendFileSync(join(at, file), text),
    here: (command) =>
      command
        .replaceAll(`localhost:${PORTS.relay}`, `localhost:${relayPort}`)
        .replaceAll(`localhost:${PORTS.phone}`, `localhost:${phonePort}`),
    runs: (shell, command) => run(shell, command, 0),
    does: async (shell, step, command, exit = 0) => {
      await run(shell, command, exit);
      await shows(shell, step);
    },
    shows,
    leave: async () => {
      await Promise.all([...shells.values()].map(async (shell) => (await shell).close()));
      // Whatever had its files open has ended, but its folder may still be written to for a moment.
      await eventually(() => clone.remove());
    },
  };
}

async function run(shell: Shell, command: string, exit: number): Promise<void> {
  await shell.begin(command);
  const code = await shell.ended();
  if (code !== exit) throw new Error(`\`${command}\` ended with ${code}, not ${exit}:\n${shell.screen()}`);
}

/** A zone in which it is between 11 and 12 o'clock: what is shown of today needs no date. */
function zoneOfMorning(now: Date): string {
  const ahead = 11 - now.getUTCHours();
  // POSIX counts to the west.
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
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
