import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../cli/built.ts';
import { providers } from '../platform/providers.ts';
import { hover, isFolder, marks, offered, type Folder } from './editor.ts';

it('an editor offers the keys of a source that are not there yet, with what each means', async () => {
  const keys = await offered('sources', 'provider: stripe\n¦');
  const labels = [...keys.keys()];
  expect(labels).toEqual(
    expect.arrayContaining(['secrets', 'routes', 'country', 'locale', 'timezone', 'dedupe']),
  );
  expect(labels).not.toContain('provider');
  expect([...keys].filter(([, about]) => about === '')).toEqual([]);
});

it('an editor offers providers, the keys of a route and of a message of its kind, and schemes', async () => {
  const route = 'provider: stripe\nroutes:\n  - name: paid\n    to: [owners]\n    ';
  const rows: readonly (readonly [Folder, string, string])[] = [
    ['sources', 'provider: ¦', 'stripe alertmanager html-form'],
    ['sources', `${route}¦`, 'when send template once stop'],
    ['sources', `${route}send:\n      kind: ¦`, 'text image poll'],
    ['templates', 'kind: poll\n¦', 'question options'],
    ['sources', 'verify:\n  scheme: ¦', 'hmac jwt token none'],
  ];
  for (const [folder, text, labels] of rows)
    expect([...(await offered(folder, text)).keys()], text).toEqual(
      expect.arrayContaining(labels.split(' ')),
    );
  expect((await offered('sources', 'provider: ¦')).size).toBe(providers.size);
});

it('an editor says what a key means where the pointer is', async () => {
  expect(await hover('accounts', 'ra¦te: { per_minute: 30 }\n')).toMatch(/pace|minute|rate/i);
});

it('an editor marks what is wrong in a half-written document', async () => {
  const rows: readonly (readonly [Folder, string, RegExp])[] = [
    ['sources', 'provider: stripe\nsecret: [A]\nroutes: []\n', /^3: .*secret/],
    ['sources', 'provider: stripe\nroutes:\n  - nam: paid\n', /^4: .*(nam|name)/],
    ['templates', 'kind: text\nmesage: Hello\n', /mesage|message/],
    ['recipients', 'numbers: "4915112345678"\n', /^2: /],
    ['silences', 'whem: true\n', /whem|when/],
  ];
  for (const [folder, text, mark] of rows) expect((await marks(folder, text)).join('\n')).toMatch(mark);
});

it('an editor marks nothing in documents that a relay takes', async () => {
  const documents = globSync('examples/{demo,recipes/*/*}/*/*.yaml', { cwd: ROOT });
  expect(documents.length).toBeGreaterThan(20);
  for (const path of documents) {
    const folder = basename(dirname(path));
    if (isFolder(folder))
      expect(await marks(folder, readFileSync(join(ROOT, path), 'utf8')), path).toEqual([]);
  }
});
