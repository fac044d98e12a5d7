import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Ask } from '../../../cli/ask.ts';
import { recipeDocuments, recipeLanguages, recipes } from '../../../cli/recipes/recipe.ts';
import { ownValue } from '../../../src/lib/json.ts';
import { ok } from '../../../src/lib/result.ts';
import { expectRefused, folderWith, hookbell, json, expectSays } from '../offline.ts';
import { newFolder, refused, ROOT, shown, words } from '../offline.ts';

const secret = z.object({ name: z.string(), set: z.array(z.string()).min(1) });
const printed = z.object({
  files: z.array(z.string()),
  sources: z
    .array(
      z.object({ source: z.string(), provider: z.string(), setup: z.string(), secrets: z.array(secret) }),
    )
    .min(1),
  next: z.array(z.string()),
  secrets: z.array(secret),
});

const ALL = recipes().map((recipe) => [recipe.id, recipe] as const);

/** The outputs of a text; what stands between them is in a language. */
const outputsIn = (document: unknown): readonly string[] =>
  (String(ownValue(document, 'message')).match(/\{\{[^]*?\}\}/g) ?? [])
    .map((one) => one.replaceAll(/"[^"]*"/g, '""').replaceAll(/\s/g, ''))
    .sort();

/** The commands of a recipe's page, as somebody pastes them. */
function commandsOf(id: string): readonly (readonly string[])[] {
  const page = readFileSync(join(ROOT, 'docs/recipes', `${id}.md`), 'utf8');
  const block = /```sh\n([^]*?)```/.exec(page)?.[1] ?? '';
  const lines = block.trim().split('\n');
  return lines.map((command) => words(command.replace('npx hookbell ', '')));
}

describe.each(ALL)('the recipe %s', (id, recipe) => {
  const [init = [], check = []] = commandsOf(id);

  it('makes of the command on its page what `check` finds nothing wrong with, in both languages', async () => {
    for (const locale of ['en-GB', 'de-DE']) {
      const cwd = newFolder();
      await shown([...init, '--locale', locale], { cwd });
      expect(await hookbell(check, { cwd })).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('names every secret that its documents name, and how to set it; and changes nothing the second time', async () => {
    const cwd = newFolder();
    const { sources, secrets, files } = await json(init, printed, { cwd });
    const texts = files
      .filter((file) => /(sources|accounts)\//.test(file))
      .map((file) => readFileSync(join(cwd, file), 'utf8'));
    const named = texts.join().match(/\b[A-Z_]+_(?:TOKEN|SECRET|KEY|TOPIC)\b/g);
    const all = [...sources.flatMap((one) => one.secrets), ...secrets];
    expect(all.map(({ name }) => name).sort()).toEqual([...new Set(named)].sort());
    for (const { setup } of sources) expect(setup).not.toContain('<source>');
    expect(await shown(init, { cwd })).toContain('nothing to write: all files exist');
  });

  it('says to preview a source whose samples its routes are for: those of `generic` are of no sender', async () => {
    const { sources, next } = await json(init, printed, { cwd: newFolder() });
    const [, previewed] = /preview (\S+) --samples/.exec(next.join('\n')) ?? [];
    const own = sources.filter(({ provider }) => provider !== 'generic').map(({ source }) => source);
    expect(own).toContain(previewed);
  });

  it('is made for a topic of its own with --gateway ntfy, and `check` finds nothing wrong with it', async () => {
    const cwd = newFolder();
    const given = init.filter(
      (one, at) => one !== '--to' && init[at - 1] !== '--to' && one !== '--customers',
    );
    const stderr = expect.stringContaining('can read its messages') as unknown;
    expect(await hookbell([...given, '--gateway', 'ntfy'], { cwd })).toMatchObject({ code: 0, stderr });
    expect(await hookbell('check', { cwd })).toMatchObject({ code: 0, stderr: '' });
    const lists = join(cwd, 'hookbell/recipients');
    for (const file of readdirSync(lists)) {
      const list = readFileSync(join(lists, file), 'utf8');
      expect(list).toMatch(/ntfy: hookbell-[a-z0-9]{20}/);
      expect(parse(list)).not.toHaveProperty('numbers');
    }
  });

  it('is a folder that `check` finds nothing wrong with, fixtures included', async () => {
    const stdout = expect.stringMatching(/\d+ fixtures/) as unknown;
    expect(await hookbell(['check', recipe.folder])).toMatchObject({ code: 0, stderr: '', stdout });
  });

  it('says the same in German, since its texts are templates', () => {
    expect(recipeLanguages(recipe)).toEqual(['en', 'de']);
    const english = recipeDocuments(recipe, 'en');
    const german = recipeDocuments(recipe, 'de');
    if (!english.ok || !german.ok) throw new Error('cannot be read');
    for (const [at, { kind, name, value }] of english.value.entries()) {
      if (kind === 'sources') expect(JSON.stringify(value), name).not.toContain('"send"');
      if (kind !== 'templates' || name.endsWith('-de')) continue;
      // What customers read is there in both languages at once: the event chooses.
      const other = (english.value.find((one) => one.name === `${name}-de`) ?? german.value[at])?.value;
      expect(other, name).not.toEqual(value);
      // One word per case may need a condition that English does without.
      expect(outputsIn(other), name).toEqual(outputsIn(value));
    }
  });
});

it('what a sender may leave out leaves no gap in a recipe’s messages', async () => {
  const optional = new Set(['instance', 'summary', 'description', 'order_number']);
  for (const [recipe, locale] of [
    ['on-call', 'en-GB'],
    ['on-call', 'de-DE'],
    ['home-server', 'en-GB'],
    ['home-server', 'de-DE'],
    ['order --customers', 'en-GB'],
    ['order --customers', 'de-DE'],
  ]) {
    const cwd = newFolder();
    await shown(`init --recipe ${recipe} --locale ${locale} --country DE --to +4915112345670 --yes`, { cwd });
    for (const source of ['alertmanager', 'grafana', 'sendcloud']) {
      const folder = join(cwd, 'hookbell/fixtures', source);
      const files = existsSync(folder) ? readdirSync(folder) : [];
      for (const file of files.filter((one) => !one.includes('.expected.'))) {
        const sent: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
        const less = JSON.stringify(sent, (key, value: unknown) => (optional.has(key) ? undefined : value));
        writeFileSync(join(folder, file), less);
      }
    }
    await shown('check --update', { cwd });
    const expected = readdirSync(join(cwd, 'hookbell/fixtures'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.expected.json'))
      .map((file) => JSON.parse(readFileSync(join(cwd, 'hookbell/fixtures', file), 'utf8')) as unknown);
    const messages = JSON.stringify(expected, null, 1).match(/"message": .*/g) ?? [];
    expect(messages.length).toBeGreaterThan(3);
    for (const message of messages) expect(message).not.toMatch(/ {2}|\*\*| ,|• ,|:(?:\\n|",?$)/);
  }
});

it('init --recipe writes the account of a gateway with what the recipe says of it, and names its secrets', async () => {
  const cwd = newFolder();
  const read = (file: string): unknown => parse(readFileSync(join(cwd, 'hookbell', file), 'utf8'));
  const bot = 'init --recipe home-server --gateway telegram --to 7215550100 --yes';
  const stdout = await shown(bot, { cwd });
  expectSays(stdout, 'GATEWAY_TELEGRAM_TOKEN', 'NOTIFY_NTFY_TOPIC');
  const notify = { secret: 'NOTIFY_NTFY_TOPIC' };
  expect(read('accounts/telegram.yaml')).toMatchObject({ gateway: 'telegram', notify });
  expect(existsSync(join(cwd, 'hookbell/accounts/default.yaml'))).toBe(false);
  expect(read('sources/grafana.yaml')).toMatchObject({ account: 'telegram' });
});

it('init --recipe lists all, with what each is for, also where the name is none', async () => {
  const [list, stderr] = [await shown('init --recipe list'), await refused('init --recipe homeserver')];
  for (const { id, about } of recipes()) expect(list).toContain(`${id.padEnd(11)}  ${about.slice(0, 30)}`);
  expectSays(stderr, 'did you mean `home-server`?', 'repository: GitHub says');
});

it('init --recipe refuses what it cannot use, says what to do, and writes nothing', async () => {
  const cwd = newFolder();
  const to = '--to +4915112345670 --yes';
  const page = '--answer page=… is needed, such as page=https://studio.example';
  const refusals: readonly (readonly [string, string])[] = [
    [`order --provider stripe ${to}`, 'give either --recipe or --provider'],
    [`repository --customers ${to}`, 'no messages for customers'],
    [`order --answer shop=magento ${to}`, 'must be one of shopify, woocommerce'],
    [`order --answer shp=shopify ${to}`, 'did you mean `shop`?'],
    [`freelancer ${to}`, page],
    [`freelancer --answer page=studio ${to}`, 'does not look like https://studio.example'],
    [`order --gateway ntfy ${to}`, '`+4915112345670` is not a topic'],
    ['order --yes --gateway ntfy --customers', 'customers have phone numbers'],
    ['order --yes --gateway nfty', 'did you mean `ntfy`?'],
  ];
  for (const [args, why] of refusals)
    await expectRefused([[`init --recipe ${args}`, 2, why]], () => ({ cwd }));
  expect(existsSync(join(cwd, 'hookbell'))).toBe(false);
});

it('init --recipe is one of the choices of `init`, which then asks what the recipe needs', async () => {
  const asked: string[] = [];
  const CHOSEN = new Set(['recipe order', 'v2', 'woocommerce']);
  const typed: Readonly<Record<string, string>> = { Numbers: '0151 12345670', Country: 'DE' };
  const ask: Ask = {
    confirm: async (message) => ok(asked.push(message) > 0),
    search: async (message, choices) => {
      asked.push(message);
      return ok(choices.find(({ value }) => CHOSEN.has(value))?.value ?? '');
    },
    text: async ({ message, initial = '' }) => {
      asked.push(message);
      return ok(typed[message.split(' ')[0] ?? ''] ?? initial);
    },
  };
  const folder = folderWith({});
  expect(await hookbell(['init', folder], { ask })).toMatchObject({ code: 0 });
  expect(asked.map((one) => one.split(/[ ,]/).slice(0, 2).join(' ')).join('; ')).toBe(
    'Which service; Where do; Which shop; Country of; Numbers for; Notify customers; The language; The time; Quiet hours',
  );
  expect(parse(readFileSync(join(folder, 'recipients/shop-owners.yaml'), 'utf8'))).toEqual({
    numbers: ['4915112345670'],
    quiet: { from: '22:00', to: '07:00', timezone: 'Europe/Berlin', do: 'digest' },
  });
  expect(existsSync(join(folder, 'sources/woocommerce.yaml'))).toBe(true);
  expect(existsSync(join(folder, 'sources/shopify.yaml'))).toBe(false);
  expect(readFileSync(join(folder, 'templates/woocommerce-paid.yaml'), 'utf8')).toContain('ist bezahlt');
});
