import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { EMPTY_SET } from '../../src/config/schema.ts';
import { admin, publish } from '../integration/relay.ts';
import { fences, pageOf } from './pages.ts';
import { setOf } from './set-of.ts';

const blocks = (language: string, ...pages: readonly string[]) =>
  pages.flatMap((page) =>
    fences(pageOf(page), language).map(({ line, code }) => [`${page}, line ${line}`, code] as const),
  );

/** JSON, or a line of JSON after another. */
function parseLines(json: string): void {
  if (/^[{[].*[}\]]\n./.test(json)) for (const line of json.trim().split('\n')) JSON.parse(line);
  else JSON.parse(json);
}

describe('the documents in the docs', () => {
  const all = blocks(
    'yaml',
    'sources.md',
    'configuration.md',
    'templates.md',
    'api.md',
    'providers.md',
    'alerts.md',
    'answers.md',
  );

  it('are found', () => {
    expect(all.length).toBeGreaterThan(6);
  });

  it.each(all)('are right: %s', (_, yaml) => {
    expect(compileConfig(setOf(yaml), 1).errors).toEqual([]);
  });

  it.each(blocks('json', 'configuration.md', 'templates.md', 'api.md', 'answers.md'))(
    'are JSON: %s',
    (_, json) => {
      expect(() => parseLines(json)).not.toThrow();
    },
  );

  it('show every key of an account with its default', () => {
    const [yaml = ''] = blocks('yaml', 'configuration.md').flatMap(([, code]) =>
      code.includes('accounts/default.yaml') ? [code] : [],
    );
    const written = compileConfig(setOf(yaml), 1).config.accounts.get('default');
    expect(written).toEqual(compileConfig(EMPTY_SET, 1).config.accounts.get('default'));
  });
});

const SET = {
  sources: {
    'shop-payments': { provider: 'stripe', secrets: ['STRIPE_SECRET'] },
    alerts: { verify: { scheme: 'none' } },
    tasks: { provider: 'asana' },
  },
};

interface Call {
  readonly path: string;
  readonly body?: string;
}

/** The calls of the admin API in a page's shell: those that only read, and previews, which change nothing. */
function calls(page: string): readonly Call[] {
  const shell = fences(pageOf(page), 'sh').map(({ code }) => code.replaceAll('\\\n', ' '));
  const commands = shell.flatMap((code) =>
    code.split(/^(?=curl )/m).filter((one) => one.startsWith('curl ')),
  );
  return commands.flatMap((command): Call[] => {
    const [, path] = /"\$API(\/[^"]*)"/.exec(command) ?? [];
    if (path === undefined || path.includes('$')) return [];
    const [, body] = /-d '([^']*)'/.exec(command) ?? [];
    if (body !== undefined) return path.endsWith('/preview') ? [{ path, body }] : [];
    return / -(?:X|d) /.test(command) ? [] : [{ path }];
  });
}

interface PreviewJson {
  readonly routes: readonly unknown[];
  readonly warnings: readonly unknown[];
}

describe('the calls in docs/api.md', () => {
  it('give what the page says of a draft', async () => {
    const { path = '', body = '' } = calls('api.md').find((call) => call.body?.includes('"draft"')) ?? {};
    const { routes, warnings } = (await admin<PreviewJson>('POST', path, JSON.parse(body))).body;
    const written = blocks('json', 'api.md').flatMap(([, json]) => (json.includes('hello"') ? [json] : []));
    expect(written.slice(-2).map((json) => JSON.parse(json) as unknown)).toEqual([routes[0], warnings]);
  });

  it.each(calls('api.md').map((call) => [call.path, call] as const))(
    'are answered: %s',
    async (path, { body }) => {
      await publish(SET);
      const answer =
        body === undefined
          ? await admin('GET', path)
          : await admin('POST', path, JSON.parse(body) as unknown);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    },
  );

  it('are found', () => {
    expect(calls('api.md').length).toBeGreaterThan(4);
  });
});
