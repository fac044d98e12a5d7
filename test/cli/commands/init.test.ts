import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { GREETING } from '../../../cli/init/greeting.ts';
import type { Ask } from '../../../cli/ask.ts';
import { stopped } from '../../../cli/failure.ts';
import { DEMO_SECRETS } from '../../../cli/dev/demo-webhooks.ts';
import { ok } from '../../../src/lib/result.ts';
import { folderWith, hookbell, json, newFolder, phoneTexts, post, until } from '../support.ts';

const STRIPE = ['init', '--provider', 'stripe', '--source', 'shop', '--to', '+49 151 12345670', '--yes'];

/** A person who takes what is proposed, and stops at one of the questions. */
const stopsAt = (last: number): { readonly ask: Ask; readonly asked: string[] } => {
  const asked: string[] = [];
  const say = (question: string, answer: string) => {
    asked.push(question);
    return Promise.resolve(asked.length > last ? stopped('stopped; nothing was changed') : ok(answer));
  };
  const ask: Ask = {
    confirm: async () => ok(true),
    search: (question, [first]) => say(question, first?.value ?? ''),
    text: ({ message, initial = '' }) =>
      say(message, message.startsWith('Numbers') ? '+4915112345670' : initial),
  };
  return { ask, asked };
};

describe('init', () => {
  it('leads from nothing to a message on a phone: init, check, push, a webhook', async () => {
    const cwd = newFolder();
    const made = await hookbell([...STRIPE, '--country', 'DE', '--timezone', 'Europe/Berlin'], { cwd });
    expect(made.stderr).toContain('This machine cannot be reached from outside');
    expect(made.code).toBe(0);
    expect(made.stdout).toContain('/hooks/shop');
    expect(made.stdout).toContain('add a line to .dev.vars:  STRIPE_WEBHOOK_SECRET=');
    expect(made.stdout).not.toContain('wrangler');

    // Messages of other tests count towards the hourly limits.
    mkdirSync(join(cwd, 'hookbell/accounts'));
    writeFileSync(join(cwd, 'hookbell/accounts/default.yaml'), 'rate: false\nper_recipient: false\n');
    const checked = await hookbell(['check'], { cwd });
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(checked.stdout).toContain('4 fixtures');

    const pushed = await hookbell(['push', '--yes'], { cwd });
    expect(pushed.stderr).toBe('');
    expect(pushed.stdout).toContain('published version');

    const body = readFileSync(join(cwd, 'hookbell/fixtures/shop/checkout.session.completed.json'), 'utf8');
    const signature = await new Stripe('sk_test_not_used').webhooks.generateTestHeaderStringAsync({
      payload: body,
      secret: DEMO_SECRETS.STRIPE_WEBHOOK_SECRET,
    });
    const { messages } = await post('shop', body, { 'stripe-signature': signature });
    expect(messages).toHaveLength(1);
    await until(async () => (await phoneTexts('4915112345670')).length > 0, 'the message');
    const [text] = await phoneTexts('4915112345670');
    const expected = readFileSync(
      join(cwd, 'hookbell/fixtures/shop/checkout.session.completed.expected.json'),
      'utf8',
    );
    expect(expected).toContain(JSON.stringify(text));
  });

  it('changes nothing the second time', async () => {
    const cwd = newFolder();
    await hookbell(STRIPE, { cwd });
    const again = await hookbell(STRIPE, { cwd });
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('nothing to write: all files exist');
  });

  it('does not overwrite without being asked to', async () => {
    const cwd = newFolder();
    await hookbell(STRIPE, { cwd });
    const file = join(cwd, 'hookbell/sources/shop.yaml');
    writeFileSync(file, 'provider: stripe\nsecrets: [MINE]\nroutes: []\n');
    const refused = await hookbell(STRIPE, { cwd });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('hookbell/sources/shop.yaml');
    expect(readFileSync(file, 'utf8')).toContain('MINE');
    expect((await hookbell([...STRIPE, '--force'], { cwd })).code).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain('MINE');
  });

  it('puts a number into a list that is there, and keeps its comments', async () => {
    const folder = folderWith({
      'recipients/shop-owners.yaml': "# The two of us\nnumbers:\n  - '4915187654321' # Zoë\n",
    });
    await hookbell([...STRIPE, folder]);
    const text = readFileSync(join(folder, 'recipients/shop-owners.yaml'), 'utf8');
    expect(text).toBe("# The two of us\nnumbers:\n  - '4915187654321' # Zoë\n  - '4915112345670'\n");
  });

  it('writes quiet hours into the lists, and leaves those of a list as they are', async () => {
    const folder = folderWith({
      'recipients/team.yaml':
        "numbers: ['4915187654321']\nquiet: { from: '20:00', to: '06:00', timezone: UTC }\n",
    });
    const sentry = ['init', '--provider', 'sentry', '--to', '+49 151 12345670', '--yes', folder];
    const hours = ['--quiet', '22:00-07:00', '--timezone', 'Europe/Berlin'];
    expect(await hookbell([...sentry, ...hours])).toMatchObject({ code: 0 });
    const list = (name: string): unknown =>
      parse(readFileSync(join(folder, `recipients/${name}.yaml`), 'utf8'));
    expect(list('on-call')).toEqual({
      numbers: ['4915112345670'],
      quiet: { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' },
    });
    expect(list('team')).toEqual({
      numbers: ['4915187654321', '4915112345670'],
      quiet: { from: '20:00', to: '06:00', timezone: 'UTC' },
    });
    expect(await hookbell(['check', folder])).toMatchObject({ code: 0, stderr: '' });
  });

  it('writes a second line, and shows who is notified when', async () => {
    const folder = newFolder();
    const grafana = ['init', '--provider', 'grafana', '--to', '+49 151 12345670', '--yes', folder];
    const { code, stdout } = await hookbell([...grafana, '--escalate', '+49 151 12345671']);
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'critical on-call (+49 1511 2345670); after 15m second-line (+49 1511 2345671)',
    );
    const text = readFileSync(join(folder, 'recipients/second-line.yaml'), 'utf8');
    expect(parse(text)).toEqual({ numbers: ['4915112345671'] });
    expect(text).toContain('# Who is notified if nobody acknowledges an alert of grafana within 15 minutes.');
    expect(await hookbell(['check', folder])).toMatchObject({ code: 0, stderr: '' });
  });

  it('gives the second source of a provider a secret of its own', async () => {
    const cwd = newFolder();
    await hookbell(STRIPE, { cwd });
    await hookbell(
      STRIPE.map((one) => (one === 'shop' ? 'club' : one)),
      { cwd },
    );
    const source: unknown = parse(readFileSync(join(cwd, 'hookbell/sources/club.yaml'), 'utf8'));
    expect(source).toMatchObject({ secrets: ['CLUB_WEBHOOK_SECRET'] });
  });

  it('leads to a topic that nobody guesses, without a login: init --gateway ntfy, check, push, a webhook', async () => {
    const cwd = newFolder();
    const made = await hookbell(
      ['init', '--provider', 'stripe', '--source', 'shop', '--gateway', 'ntfy', '--yes'],
      { cwd },
    );
    const [topic = ''] = /hookbell-[0-9a-z]{20}/.exec(made.stdout) ?? [];
    expect(topic).not.toBe('');
    expect(made.stderr).toContain(`subscribe to ${topic}`);
    expect(made.stderr).toContain('can read its messages');
    expect(await hookbell(['check'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect((await hookbell(['push', '--yes'], { cwd })).stderr).toBe('');
    const body = readFileSync(join(cwd, 'hookbell/fixtures/shop/checkout.session.completed.json'), 'utf8');
    const signature = await new Stripe('sk_test_not_used').webhooks.generateTestHeaderStringAsync({
      payload: body,
      secret: DEMO_SECRETS.STRIPE_WEBHOOK_SECRET,
    });
    await post('shop', body, { 'stripe-signature': signature });
    await until(async () => (await phoneTexts(topic)).length > 0, 'the message');
  });

  it('names the secrets of a new account', async () => {
    const cwd = newFolder();
    const bot = ['--gateway', 'telegram', '--to', '7215550100', '--yes'];
    const made = await hookbell(['init', '--provider', 'stripe', ...bot], { cwd });
    expect(made.code).toBe(0);
    expect(made.stdout).toContain('GATEWAY_TELEGRAM_TOKEN');
    expect(readFileSync(join(cwd, 'hookbell/accounts/telegram.yaml'), 'utf8')).toContain('gateway: telegram');
  });

  it('leaves out the secret that a provider hands over later, and says how', async () => {
    const cwd = newFolder();
    const made = await hookbell(['init', '--provider', 'asana', '--to', '+4915112345670', '--yes'], { cwd });
    expect(made.stdout).toContain('hookbell pair asana');
    const text = readFileSync(join(cwd, 'hookbell/sources/asana.yaml'), 'utf8');
    expect(parse(text)).not.toHaveProperty('secrets');
    expect(text).toContain('secrets: [ASANA_WEBHOOK_SECRET]');
  });

  it('leaves nothing behind when a person stops it, at whichever question', async () => {
    const questions = stopsAt(99);
    expect((await hookbell(['init'], { cwd: newFolder(), ask: questions.ask })).code).toBe(0);
    for (const [at] of questions.asked.entries()) {
      const cwd = newFolder();
      const run = await hookbell(['init'], { cwd, ask: stopsAt(at).ask });
      expect(run).toEqual({
        code: 130,
        stdout: '',
        stderr: `${GREETING}\nhookbell: stopped; nothing was changed\n`,
      });
      expect(existsSync(join(cwd, 'hookbell'))).toBe(false);
    }
  });

  it('prints what it did as JSON', async () => {
    const cwd = newFolder();
    const shape = z.object({
      files: z.array(z.string()),
      url: z.string(),
      secrets: z.array(z.object({ name: z.string() })),
    });
    const made = await json(
      [
        'init',
        '--provider',
        'generic',
        '--source',
        'form',
        '--to',
        '+4915112345670',
        '--yes',
        '--url',
        'https://relay.example',
      ],
      shape,
      { cwd },
    );
    expect(made.url).toBe('https://relay.example/hooks/form/<GENERIC_WEBHOOK_TOKEN>');
    for (const file of made.files) expect(existsSync(join(cwd, file))).toBe(true);
  });

  it.each([
    [['--yes'], /which service posts the webhooks/],
    [['--provider', 'strype', '--yes'], /no provider `strype`; did you mean `stripe`\?/],
    [['--provider', 'stripe', '--yes'], /who gets the messages/],
    [
      ['--provider', 'stripe', '--to', '0151', '--yes'],
      /--to: .* has no country code, and no country was given/,
    ],
    [
      ['--provider', 'stripe', '--to', '+4915112345670', '--country', 'XX', '--yes'],
      /`XX` is not a country such as DE/,
    ],
    [['--provider', 'stripe', '--to', '+4915112345670', '--locale', '!!', '--yes'], /`!!` is not a language/],
    [['--provider', 'stripe', '--to', '+4915112345670', '--source', 'a b', '--yes'], /`a b` is not a name/],
    [
      ['--provider', 'grafana', '--to', '+4915112345670', '--escalate', 'Ben', '--yes'],
      /--escalate: "Ben" has no digits/,
    ],
    [
      ['--recipe', 'on-call', '--escalate', '+4915112345670', '--yes'],
      /--escalate works only with --provider/,
    ],
  ])('refuses %j', async (args, message) => {
    const cwd = newFolder();
    const { code, stderr, stdout } = await hookbell(['init', ...args], { cwd });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(existsSync(join(cwd, 'hookbell'))).toBe(false);
  });
});

const made = (...more: readonly string[]) =>
  hookbell([...STRIPE, '--country', 'FR', ...more], { cwd: newFolder() });

describe('what init says of language and zone', () => {
  it('is English with the country’s formats and zone, where the texts are not in its language', async () => {
    const { code, stdout, stderr } = await made();
    expect(code).toBe(0);
    expect(stdout.replaceAll('\n', ' ')).toContain('Language: en-FR. Time zone: Europe/Paris.');
    expect(stderr).not.toContain('English');
  });

  it('is a language as it is given, with a note that the texts are English', async () => {
    const { stdout, stderr } = await made('--locale', 'fr-FR');
    expect(stdout.replaceAll('\n', ' ')).toContain('Language: fr-FR.');
    expect(stderr.replaceAll('\n', ' ')).toContain('The texts are in English until you translate them');
  });

  it('is no UTC beside a country: it is refused, with the way to have it', async () => {
    const { code, stderr } = await made('--timezone', 'UTC');
    expect(code).toBe(2);
    expect(stderr).toContain('`UTC` is not a time zone of France: leave it out for Europe/Paris');
  });
});
