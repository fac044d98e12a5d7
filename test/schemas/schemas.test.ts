import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../cli/built.ts';
import { documentSchemas } from '../../openapi/document-schemas.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import { startLanguageServer, type LanguageServer } from './language-server.ts';

const SCHEMAS = 'node_modules/hookbell/assets/schemas';
/** The schema of each folder's documents. */
const OF = {
  sources: 'source',
  templates: 'template',
  recipients: 'recipients',
  accounts: 'account',
  silences: 'silence',
};

let folder = '';
let editor: LanguageServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hookbell-schemas-'));
  mkdirSync(join(folder, SCHEMAS), { recursive: true });
  for (const [name, schema] of Object.entries(documentSchemas()))
    writeFileSync(join(folder, SCHEMAS, `${name}.json`), JSON.stringify(schema));
  editor = await startLanguageServer(folder);
});

afterAll(async () => {
  await editor.close();
  rmSync(folder, { recursive: true, force: true });
});

let files = 0;

/** Opens a document whose place is marked by `¦`, as `init` begins its file. */
function typed(
  kind: keyof typeof OF,
  text: string,
): { readonly file: string; readonly at: { line: number; character: number } } {
  const before = text.slice(0, text.indexOf('¦') < 0 ? undefined : text.indexOf('¦'));
  const lines = before.split('\n');
  files += 1;
  const file = `hookbell/${kind}/file-${files}.yaml`;
  const modeline = `# yaml-language-server: $schema=../../${SCHEMAS}/${OF[kind]}.json\n`;
  editor.open(file, modeline + text.replace('¦', ''));
  return { file, at: { line: lines.length, character: (lines.at(-1) ?? '').length } };
}

async function offered(kind: keyof typeof OF, text: string): Promise<readonly string[]> {
  const { file, at } = typed(kind, text);
  return (await editor.complete(file, at)).map(({ label }) => label);
}

describe('an editor with YAML support', () => {
  it('offers the keys of a source that are not there yet, with what each means', async () => {
    const { file, at } = typed('sources', 'provider: stripe\n¦');
    const keys = await editor.complete(file, at);
    const labels = keys.map(({ label }) => label);
    expect(labels).toEqual(
      expect.arrayContaining(['secrets', 'routes', 'country', 'locale', 'timezone', 'dedupe']),
    );
    expect(labels).not.toContain('provider');
    expect(keys.filter(({ about }) => about === '').map(({ label }) => label)).toEqual([]);
  });

  it('offers providers by their names', async () => {
    const names = await offered('sources', 'provider: ¦');
    expect(names).toEqual(expect.arrayContaining(['stripe', 'alertmanager', 'html-form']));
    expect(names).toHaveLength(providers.size);
  });

  it('offers the keys of a route, and of a message of its kind', async () => {
    const source = 'provider: stripe\nroutes:\n  - name: paid\n    to: [owners]\n';
    expect(await offered('sources', `${source}    ¦`)).toEqual(
      expect.arrayContaining(['when', 'send', 'template', 'once', 'stop']),
    );
    expect(await offered('sources', `${source}    send:\n      kind: ¦`)).toEqual(
      expect.arrayContaining(['text', 'image', 'poll']),
    );
    expect(await offered('templates', 'kind: poll\n¦')).toEqual(
      expect.arrayContaining(['question', 'options']),
    );
  });

  it('offers the schemes of a signature', async () => {
    expect(await offered('sources', 'verify:\n  scheme: ¦')).toEqual(
      expect.arrayContaining(['hmac', 'jwt', 'token', 'none']),
    );
  });

  it('says what a key means where the pointer is', async () => {
    const { file, at } = typed('accounts', 'ra¦te: { per_minute: 30 }\n');
    expect(await editor.hover(file, at)).toMatch(/pace|minute|rate/i);
  });

  it.each([
    ['sources', 'provider: stripe\nsecret: [A]\nroutes: []\n', /^3: .*secret/],
    ['sources', 'provider: strip\nroutes: []\n', /^2: /],
    ['sources', 'provider: stripe\nroutes:\n  - nam: paid\n', /^4: .*(nam|name)/],
    ['templates', 'kind: text\nmesage: Hello\n', /mesage|message/],
    ['recipients', 'numbers: "4915112345678"\n', /^2: /],
    ['silences', 'whem: true\n', /whem|when/],
  ] as const)('marks what is wrong in a half-written document of %s: %j', async (kind, text, mark) => {
    const { file } = typed(kind, text);
    expect((await editor.marks(file)).join('\n')).toMatch(mark);
  });

  it('marks nothing in documents that a relay takes', async () => {
    const documents = globSync(
      '{demo,assets/recipes/*/*}/{sources,templates,recipients,accounts,silences}/*.yaml',
      { cwd: ROOT },
    );
    expect(documents.length).toBeGreaterThan(20);
    const wrong: string[] = [];
    for (const path of documents) {
      const kind = basename(dirname(path));
      if (!isKind(kind)) continue;
      const { file } = typed(kind, readFileSync(join(ROOT, path), 'utf8'));
      const marks = await editor.marks(file);
      if (marks.length > 0) wrong.push(`${path}: ${marks.join('; ')}`);
    }
    expect(wrong).toEqual([]);
  });
});

const isKind = (kind: string): kind is keyof typeof OF => Object.hasOwn(OF, kind);
