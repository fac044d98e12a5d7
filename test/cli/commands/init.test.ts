import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { GREETING } from '../../../cli/init/answers.ts';
import type { Ask } from '../../../cli/ask.ts';
import { stopped } from '../../../cli/failure.ts';
import { ok } from '../../../src/lib/result.ts';
import { expectRefused, folderWith, hookbell, newFolder, refused, shown, type Refusal } from '../offline.ts';
import { GHOST } from '../../config/ghost.ts';
import { containing } from '../../config/support.ts';
import { person } from '../init/new-source.ts';

const TO = '--to "+49 151 12345670" --yes';
const STRIPE = `init --provider stripe --source shop ${TO}`;

/** A person who takes what is proposed, and stops at one of the questions. */
const stopsAt = (last: number): { readonly ask: Ask; readonly asked: string[] } => {
  const asked: string[] = [];
  const say = (question: string, answer: string) => {
    asked.push(question);
    return Promise.resolve(asked.length > last ? stopped('stopped; nothing was changed') : ok(answer));
  };
  const ask = person({
    search: (question, [first]) => say(question, first?.value ?? ''),
    text: ({ message, initial = '' }) =>
      say(message, message.startsWith('Numbers') ? '+4915112345670' : initial),
  });
  return { ask, asked };
};

const textIn = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');
const documentIn = (folder: string, file: string): unknown => parse(textIn(folder, file));

it('init does not overwrite without being asked to', async () => {
  const cwd = newFolder();
  await shown(STRIPE, { cwd });
  const file = 'hookbell/sources/shop.yaml';
  writeFileSync(join(cwd, file), 'provider: stripe\nsecrets: [MINE]\nroutes: []\n');
  expect(await refused(STRIPE, { cwd })).toContain(file);
  expect(textIn(cwd, file)).toContain('MINE');
  await shown(`${STRIPE} --force`, { cwd });
  expect(textIn(cwd, file)).not.toContain('MINE');
});

it('init sends to lists that are there, as they are, and says which there are', async () => {
  const team = `people: { ann: '+4915112345678', ben: '+4915112345679' } # by turns\n`;
  const night = "numbers: ['4915187654321']\nquiet: { from: '22:00', to: '07:00', timezone: UTC }\n";
  for (const [options, to, escalate] of [
    ['--to team', 'team'],
    ['--to team --escalate night', 'team', 'night'],
    ['--to team,night --to +4917139200011', 'team,night,4917139200011'],
    ['--to night --escalate team/ben', 'night', 'team/ben'],
    ['--to tem', /--to: there is no recipients list `tem`; did you mean `team`/],
    ['--to team --escalate x', /--escalate: there is no recipients list `x`; there are night, team/],
    ['--to team --escalate team', /--escalate: team is notified at once/],
    ['--to night --quiet 22:00-07:00', /write `quiet` into recipients\/night.yaml/],
    ['--to team --gateway ntfy', /`ann` of the list `team` has no topic/],
  ] as const) {
    const folder = folderWith({ 'recipients/team.yaml': team, 'recipients/night.yaml': night });
    const line = `init ${folder} --provider grafana ${options} --yes`;
    if (typeof to !== 'string') expect(await refused(line)).toMatch(to);
    else {
      await shown(line);
      const step = escalate && { escalate: [{ after: '15m', to: [escalate] }] };
      const routes = [{}, step ?? {}, {}].map((more) => ({ to: to.split(','), ...more }));
      expect(documentIn(folder, 'sources/grafana.yaml')).toMatchObject({ routes });
    }
    expect(readdirSync(join(folder, 'recipients'))).toEqual(['night.yaml', 'team.yaml']);
    expect([textIn(folder, 'recipients/team.yaml'), textIn(folder, 'recipients/night.yaml')]).toEqual([
      team,
      night,
    ]);
  }
});

it('init puts a number and quiet hours into the lists, and leaves hours and comments of a list as they are', async () => {
  const list = "numbers:\n  - '4915187654321' # Zoë\n";
  const quiet = "quiet: { from: '20:00', to: '06:00', timezone: UTC } # ours\n";
  const folder = folderWith({ 'recipients/team.yaml': `# Us\n${quiet}${list}` });
  await shown(`init --provider sentry ${TO} ${folder} --quiet 22:00-07:00 --timezone Europe/Berlin`);
  expect(documentIn(folder, 'recipients/on-call.yaml')).toEqual({
    numbers: ['4915112345670'],
    quiet: { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' },
  });
  expect(textIn(folder, 'recipients/team.yaml')).toBe(`# Us\n${quiet}${list}  - '4915112345670'\n`);
  expect(await hookbell(['check', folder])).toMatchObject({ code: 0, stderr: '' });
});

it('init leaves out the secret that a provider hands over later, and says how', async () => {
  const cwd = newFolder();
  expect(await shown(`init --provider asana ${TO}`, { cwd })).toContain('hookbell pair asana');
  const text = textIn(cwd, 'hookbell/sources/asana.yaml');
  expect(parse(text)).not.toHaveProperty('secrets');
  expect(text).toContain('secrets: [ASANA_WEBHOOK_SECRET]');
});

it('init leaves nothing behind when a person stops it, at whichever question', async () => {
  const questions = stopsAt(99);
  await shown('init', { cwd: newFolder(), ask: questions.ask });
  expect(questions.asked.length).toBeGreaterThan(5);
  const stderr = `${GREETING}\nhookbell: stopped; nothing was changed\n`;
  for (const [at] of questions.asked.entries()) {
    const cwd = newFolder();
    const { ask } = stopsAt(at);
    expect(await hookbell('init', { cwd, ask })).toEqual({ code: 130, stdout: '', stderr });
    expect(existsSync(join(cwd, 'hookbell'))).toBe(false);
  }
});

it('init refuses what it cannot use, in one line, and writes nothing', async () => {
  const cwd = newFolder();
  const national = /--to: .* has no country code, and no country was given/;
  const zone = '`UTC` is not a time zone of France: leave it out for Europe/Paris';
  const recipe = 'init --recipe on-call --escalate +4915112345670 --yes';
  const refusals: readonly Refusal[] = [
    ['init --yes', 2, 'which service posts the webhooks'],
    ['init --provider strype --yes', 2, 'no provider `strype`; did you mean `stripe`?'],
    ['init --provider stripe --yes', 2, 'who gets the messages'],
    ['init --provider stripe --to 0151 --yes', 2, national],
    [`${STRIPE} --country XX`, 2, '`XX` is not a country such as DE'],
    [`${STRIPE} --country FR --timezone UTC`, 2, zone],
    [`${STRIPE} --locale !!`, 2, '`!!` is not a language'],
    [`${STRIPE} --source "a b"`, 2, '`a b` is not a name'],
    [`init --provider grafana ${TO} --escalate Ben`, 2, '--escalate: "Ben" has no digits'],
    [recipe, 2, '--escalate works only with --provider'],
  ];
  await expectRefused(refusals, () => ({ cwd }));
  expect(existsSync(join(cwd, 'hookbell'))).toBe(false);
});

const init = (provider: string): string => `init --provider ${provider} ${TO}`;

it('init takes the file of a sender, from a path or from the folder, and says what is wrong with it or what else fits', async () => {
  const cwd = folderWith({
    'gazette.json': JSON.stringify(GHOST),
    'wrong.yaml': 'name: Wrong\nsetup: [a]\nverfy: {}\nsamples: { a: { body: {} } }\n',
  });
  await shown(init('./gazette.json'), { cwd });
  expect(documentIn(cwd, 'hookbell/providers/gazette.yaml')).toEqual(GHOST);
  const route = { name: 'anything', to: 'team', send: { kind: 'text', message: containing("'default'") } };
  const source = { provider: 'gazette', secrets: ['GAZETTE_WEBHOOK_SECRET'], routes: [route] };
  expect(documentIn(cwd, 'hookbell/sources/gazette.yaml')).toMatchObject(source);
  await shown(`${init('gazette')} --source other`, { cwd });
  expect(documentIn(cwd, 'hookbell/sources/other.yaml')).toMatchObject({
    provider: 'gazette',
    routes: [route],
  });
  await shown('check', { cwd });
  expect(await refused(init('./wrong.yaml'), { cwd })).toContain(
    'verfy unknown key `verfy`; did you mean `verify`?',
  );
  expect(await refused(init('./none.yaml'), { cwd })).toContain('there is no file ./none.yaml');
  expect(await refused(init('gazete'), { cwd })).toContain('did you mean `gazette`?');
  expect(await refused(init('replicate'), { cwd })).toContain(
    'use `standard-webhooks`, which replicate fits',
  );
  const unknown = await refused(init('frobnix'), { cwd });
  for (const way of [
    '`standard-webhooks` fits if',
    'providers new frobnix --from',
    '`generic` takes anything',
  ])
    expect(unknown).toContain(way);
});
