import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { hookbell, hookbellProcess, type Run } from '../cli/support.ts';
import { starterOf } from '../conformance/starters.ts';
import { draftOf } from '../conformance/stage.ts';
import type { Sender, Webhook } from '../conformance/senders/sender.ts';
import { sendersOf } from '../conformance/senders/senders.ts';
import { sampleOf } from '../../src/config/starter.ts';
import { pairs } from '../../src/provider/handshake.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { ADMIN_TOKEN } from './relay.ts';

/** The number in the lists of every starter. */
export const TEAM = '4917139200901';
/** The text that a person chooses where a provider shows a secret of theirs. */
const VERIFY_TOKEN = 'a-word-that-meta-repeats';

/** A provider as a person sets it up: the folder that `init` wrote, and what its secrets are. */
export interface Trip {
  readonly provider: Provider;
  readonly folder: string;
  readonly sender: Sender;
  /** Values by the names that `init` gave. */
  readonly secrets: Readonly<Record<string, string>>;
  /** True if the key comes in a handshake, so that the source names its secret later. */
  readonly isPaired: boolean;
}

const initJson = z.object({ secrets: z.array(z.object({ name: z.string() })) });

/** The relay's address as the providers were given it. */
const GIVEN = 'https://relay.example';

/** Runs `hookbell`, in a process of its own or in this one. */
export const runs =
  (url: string, isOwnProcess: boolean) =>
  (args: readonly string[]): Promise<Run> =>
    (isOwnProcess ? hookbellProcess : hookbell)(args, {
      env: { HOOKBELL_URL: url, HOOKBELL_TOKEN: ADMIN_TOKEN },
    });

/** `hookbell init` into an empty folder. */
export async function beginTrip(provider: Provider, folder: string, isOwnProcess: boolean): Promise<Trip> {
  const [sender] = sendersOf(provider.id);
  if (sender === undefined) throw new Error(`nobody sends like ${provider.id}`);
  const { asks = {}, customers = {} } = starterOf(provider);
  const answers = Object.entries(asks).flatMap(([name, { example }]) => ['--answer', `${name}=${example}`]);
  const place = ['--country', 'DE', '--locale', 'en-GB', '--timezone', 'Europe/Berlin'];
  const who = ['--provider', provider.id, '--source', provider.id, '--to', `+${TEAM}`];
  // A form's sender is a page.
  const page = provider.id === 'html-form' ? ['--page', 'https://shop.example'] : [];
  const args = [
    ...who,
    ...place,
    ...page,
    ...answers,
    // The first sample of a shop may be news for its customers alone.
    ...(Object.keys(customers).length > 0 ? ['--customers'] : []),
  ];
  const run = runs(GIVEN, isOwnProcess);
  const { code, stdout, stderr } = await run(['init', folder, ...args, '--yes', '--json']);
  if (code !== 0) throw new Error(`init ${provider.id}: ${stderr}`);
  const values = sender.keys.secrets.length === 0 ? [] : [sender.keys.secrets[0] ?? ''];
  const { secrets } = initJson.parse(JSON.parse(stdout));
  // A group waits for minutes, and a real device takes one message at a time.
  const source = sourceFile(folder, provider);
  writeFileSync(source, readFileSync(source, 'utf8').replaceAll(/\bwait: ['"]?\d+[sm]['"]?/g, 'wait: 1s'));
  mkdirSync(join(folder, 'accounts'), { recursive: true });
  writeFileSync(join(folder, 'accounts', 'default.yaml'), 'rate: false\nper_recipient: false\n');
  return {
    provider,
    folder,
    sender,
    secrets: Object.fromEntries(
      secrets.map(({ name }, at): [string, string] => [name, values[at] ?? VERIFY_TOKEN]),
    ),
    isPaired: pairs(provider),
  };
}

const sourceFile = (folder: string, { id }: Provider): string => join(folder, 'sources', `${id}.yaml`);

/** Writes the name of the secret into the source of a folder, as `init` says in its comment. */
export function nameSecret({ provider, secrets }: Trip, folder: string): void {
  const file = sourceFile(folder, provider);
  const [name = ''] = Object.keys(secrets);
  writeFileSync(file, `${readFileSync(file, 'utf8')}secrets: [${name}]\n`);
}

/** The documents of all folders in one. Two templates of one name have to be the same; lists have the same numbers. */
export function merge(trips: readonly Trip[], folder: string): void {
  const templates = new Map<string, string>();
  for (const { folder: from } of trips) {
    for (const file of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
      if (!file.startsWith('templates') || !file.endsWith('.yaml')) continue;
      const text = readFileSync(join(from, file), 'utf8');
      if ((templates.get(file) ?? text) !== text)
        throw new Error(`${from} has another ${file} than the others`);
      templates.set(file, text);
    }
    cpSync(from, folder, { recursive: true });
  }
}

/** The first sample that says something, signed as its provider signs it, for the address at `url`. */
export async function webhookOf({ provider, sender }: Trip, url: string): Promise<Webhook> {
  const speaking = starterOf(provider).samples.filter(({ silent }) => silent === undefined);
  const own = sender.covers.address === true ? GIVEN : url;
  const draft = speaking
    .map((sample) => draftOf(sender, sampleOf(sample), `${own}/hooks/${provider.id}`))
    .find((one) => sender.takes?.(one) ?? true);
  if (draft === undefined) throw new Error(`${provider.id} has no sample that says something`);
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  const sent = await sender.send(draft, { keys: [sender.keys.signers[0]?.key ?? ''], now });
  return { ...sent, url: sent.url.replace(own, url) };
}
