import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Ask } from '../../../cli/ask.ts';
import { recipes } from '../../../cli/recipes/recipe.ts';
import { ok } from '../../../src/lib/result.ts';
import { folderWith, hookbell, newFolder, ROOT } from '../support.ts';

const secret = z.object({ name: z.string(), set: z.array(z.string()).min(1) });
const printed = z.object({
  files: z.array(z.string()),
  sources: z.array(z.object({ setup: z.string(), secrets: z.array(secret) })).min(1),
  secrets: z.array(secret),
});

const IDS = recipes().map(({ id }) => id);

/** The commands of a recipe's page, as somebody pastes them. */
function commandsOf(id: string): readonly string[][] {
  const page = readFileSync(join(ROOT, 'docs/recipes', `${id}.md`), 'utf8');
  const block = /```sh\n([^]*?)```/.exec(page)?.[1] ?? '';
  return block
    .trim()
    .split('\n')
    .map((command) =>
      [...command.replace('npx hookbell ', '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, a, b]) => a ?? b ?? ''),
    );
}

describe.each(IDS)('init --recipe %s', (id) => {
  const [init = [], check = []] = commandsOf(id);

  it.each(['en-GB', 'de-DE'])(
    'makes of the command on its page what `check` finds nothing wrong with, in %s',
    async (locale) => {
      const cwd = newFolder();
      const made = await hookbell([...init, '--locale', locale], { cwd });
      expect(made).toMatchObject({ code: 0 });
      expect(await hookbell(check, { cwd })).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it('names every secret that its documents name, and how to set it', async () => {
    const cwd = newFolder();
    const { stdout } = await hookbell([...init, '--json'], { cwd });
    const { sources, secrets, files } = printed.parse(JSON.parse(stdout));
    const named = files
      .filter((file) => /(sources|accounts)\//.test(file))
      .flatMap(
        (file) =>
          readFileSync(join(cwd, file), 'utf8').match(/\b[A-Z_]+_(?:TOKEN|SECRET|KEY|TOPIC)\b/g) ?? [],
      );
    const all = [...sources.flatMap((one) => one.secrets), ...secrets];
    expect(all.map(({ name }) => name).sort()).toEqual([...new Set(named)].sort());
    for (const { setup } of sources) expect(setup).not.toContain('<source>');
  });

  it('changes nothing the second time', async () => {
    const cwd = newFolder();
    await hookbell(init, { cwd });
    const again = await hookbell(init, { cwd });
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('nothing to write: all files exist');
  });
});

describe('init --recipe with --gateway', () => {
  it.each(IDS)('makes %s for a topic of its own, which `check` finds nothing wrong with', async (id) => {
    const cwd = newFolder();
    const own = (commandsOf(id)[0] ?? []).flatMap((one, at, all) =>
      one === '--to' || all[at - 1] === '--to' || one === '--customers' ? [] : [one],
    );
    const made = await hookbell([...own, '--gateway', 'ntfy'], { cwd });
    expect(made).toMatchObject({ code: 0 });
    expect(made.stderr).toContain('can read its messages');
    expect(await hookbell(['check'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    const written = readdirSync(join(cwd, 'hookbell/recipients')).map((file) =>
      readFileSync(join(cwd, 'hookbell/recipients', file), 'utf8'),
    );
    for (const list of written) {
      expect(list).toMatch(/ntfy: hookbell-[a-z0-9]{20}/);
      expect(parse(list)).not.toHaveProperty('numbers');
    }
  });

  it('writes the account with what the recipe says of it, and names its secrets', async () => {
    const cwd = newFolder();
    const bot = ['--gateway', 'telegram', '--to', '7215550100', '--yes'];
    const made = await hookbell(['init', '--recipe', 'home-server', ...bot], { cwd });
    expect(made.code).toBe(0);
    for (const secret of ['GATEWAY_TELEGRAM_TOKEN', 'NOTIFY_NTFY_TOPIC'])
      expect(made.stdout).toContain(secret);
    expect(parse(readFileSync(join(cwd, 'hookbell/accounts/telegram.yaml'), 'utf8'))).toMatchObject({
      gateway: 'telegram',
      notify: { secret: 'NOTIFY_NTFY_TOPIC' },
    });
    expect(existsSync(join(cwd, 'hookbell/accounts/default.yaml'))).toBe(false);
    expect(parse(readFileSync(join(cwd, 'hookbell/sources/grafana.yaml'), 'utf8'))).toMatchObject({
      account: 'telegram',
    });
  });

  it('refuses a number for a topic, a chat id that is none, and customers, who have numbers', async () => {
    const init = ['init', '--recipe', 'order', '--yes', '--gateway'];
    const number = await hookbell([...init, 'ntfy', '--to', '+49 151 12345678'], { cwd: newFolder() });
    expect(number).toMatchObject({ code: 2 });
    expect(number.stderr).toContain('`+49 151 12345678` is not a topic');
    const customers = await hookbell([...init, 'ntfy', '--customers'], { cwd: newFolder() });
    expect(customers).toMatchObject({ code: 2 });
    expect(customers.stderr).toContain('customers have phone numbers');
    const unknown = await hookbell([...init, 'nfty'], { cwd: newFolder() });
    expect(unknown.stderr).toContain('did you mean `ntfy`?');
  });

  it('has phone numbers where the gateway takes them', async () => {
    const cwd = newFolder();
    const waha = ['--gateway', 'waha', '--gateway-option', 'base_url=https://chat.example.com'];
    const made = await hookbell(
      ['init', '--recipe', 'on-call', '--yes', '--to', '+49 151 12345678', ...waha],
      { cwd },
    );
    expect(made.code).toBe(0);
    expect(await hookbell(['check'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(cwd, 'hookbell/recipients/on-call.yaml'), 'utf8')).toContain('4915112345678');
  });
});

describe('init --recipe', () => {
  it('lists all, with what each is for', async () => {
    const { code, stdout } = await hookbell(['init', '--recipe', 'list']);
    expect(code).toBe(0);
    for (const { id, about } of recipes())
      expect(stdout).toContain(`${id.padEnd(11)}  ${about.slice(0, 30)}`);
  });

  it('suggests the name that was meant, and lists all', async () => {
    const { code, stderr } = await hookbell(['init', '--recipe', 'homeserver', '--to', '+4915112345670']);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean `home-server`?');
    expect(stderr).toContain('repository: GitHub says');
  });

  it.each([
    [['--recipe', 'order', '--provider', 'stripe'], 'give either --recipe or --provider'],
    [['--recipe', 'repository', '--customers'], 'no messages for customers'],
    [['--recipe', 'order', '--answer', 'shop=magento'], 'must be one of shopify, woocommerce'],
    [['--recipe', 'order', '--answer', 'shp=shopify'], 'did you mean `shop`?'],
    [['--recipe', 'freelancer'], '--answer page=… is needed, such as page=https://studio.example'],
    [['--recipe', 'freelancer', '--answer', 'page=studio'], 'does not look like https://studio.example'],
  ])('refuses %j and says what to do', async (args, message) => {
    const cwd = newFolder();
    const { code, stderr } = await hookbell(['init', ...args, '--to', '+4915112345670', '--yes'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(existsSync(join(cwd, 'hookbell'))).toBe(false);
  });

  it('is one of the choices of `init`, which then asks what the recipe needs', async () => {
    const asked: string[] = [];
    const ask: Ask = {
      confirm: async (message) => {
        asked.push(message);
        return ok(true);
      },
      search: async (message, choices) => {
        asked.push(message);
        return ok(
          choices.find(({ value }) => ['recipe order', 'v2', 'woocommerce'].includes(value))?.value ?? '',
        );
      },
      text: async ({ message, initial = '' }) => {
        asked.push(message);
        return ok(
          message.startsWith('Numbers') ? '0151 12345670' : message.startsWith('Country') ? 'DE' : initial,
        );
      },
    };
    const folder = folderWith({});
    expect(await hookbell(['init', folder], { ask })).toMatchObject({ code: 0 });
    expect(asked.map((one) => one.split(/[ ,]/).slice(0, 3).join(' '))).toEqual([
      'Which service posts',
      'Where do messages',
      'Which shop is',
      'Country of numbers',
      'Numbers for shop-owners',
      'Notify customers ',
      'The language of',
      'The time zone',
      'Quiet hours ',
    ]);
    const list: unknown = parse(readFileSync(join(folder, 'recipients/shop-owners.yaml'), 'utf8'));
    expect(list).toEqual({
      numbers: ['4915112345670'],
      quiet: { from: '22:00', to: '07:00', timezone: 'Europe/Berlin', do: 'digest' },
    });
    expect(existsSync(join(folder, 'sources/woocommerce.yaml'))).toBe(true);
    expect(existsSync(join(folder, 'sources/shopify.yaml'))).toBe(false);
    expect(readFileSync(join(folder, 'templates/woocommerce-thanks.yaml'), 'utf8')).toContain('Vielen Dank');
  });

  it('does not overwrite a source of the same name', async () => {
    const folder = folderWith({ 'sources/github.yaml': 'provider: github\nsecrets: [MINE]\nroutes: []\n' });
    const args = ['init', folder, '--recipe', 'repository', '--to', '+4915112345670', '--yes'];
    const refused = await hookbell(args);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('sources/github.yaml');
    expect(readFileSync(join(folder, 'sources/github.yaml'), 'utf8')).toContain('MINE');
    expect(existsSync(join(folder, 'recipients'))).toBe(false);
  });
});
