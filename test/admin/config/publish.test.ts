import { beforeAll, describe, expect, it } from 'vitest';
import { admin, post } from '../../integration/relay.ts';
import { open } from '../../config/support.ts';
import { form, lines, type ProblemJson } from '../support.ts';

const text = { 'content-type': 'text/plain' };
const isThere = async (id: string): Promise<boolean> => (await post(id, 'x', text)).status === 202;

beforeAll(() => admin('POST', '/config', { sources: { form: form() } }));

describe('a dry run', () => {
  it('says what a publish would say, and changes nothing', async () => {
    const { body } = await admin<{ dry_run: boolean; warnings: { path: string }[] }>(
      'PUT',
      '/sources/shop?dry_run=true',
      open(),
    );
    expect(body.dry_run).toBe(true);
    const paths = body.warnings.map(({ path }) => path).filter((path) => path.endsWith('.verify'));
    expect(paths).toEqual(['sources.form.verify', 'sources.shop.verify']);
    expect((await admin('PUT', '/sources/shop?dry_run=true', {})).status).toBe(422);
    expect((await admin('DELETE', '/sources/form?dry_run=true')).status).toBe(200);
    expect((await admin('POST', '/config?dry_run=true', {})).status).toBe(200);
    expect(await isThere('shop')).toBe(false);
    expect(await isThere('form')).toBe(true);
  });

  it.each([
    ['dryrun=true', 'dryrun: unknown key `dryrun`; did you mean `dry_run`?'],
    ['dry-run=true', 'dry-run: unknown key `dry-run`; did you mean `dry_run`?'],
    ['dry_run=yes', 'dry_run: must be one of true, false'],
    ['dry_run=1', 'dry_run: must be one of true, false'],
    ['dry_run=', 'dry_run: must be one of true, false'],
    ['dry_run=false&dry_run=true', 'dry_run: must be given once'],
  ])('that is misspelt does not publish: ?%s', async (query, error) => {
    for (const [method, path, body] of [
      ['POST', '/config', {}],
      ['PUT', '/sources/shop', open()],
      ['DELETE', '/sources/form', undefined],
    ] as const) {
      const answer = await admin<ProblemJson>(method, `${path}?${query}`, body);
      expect(answer.status).toBe(422);
      expect(lines(answer.body)).toEqual([error]);
    }
    expect(await isThere('shop')).toBe(false);
    expect(await isThere('form')).toBe(true);
  });
});

describe('a publish', () => {
  it('that is refused is a problem that says what, where and how to fix it', async () => {
    const { status, body } = await admin<ProblemJson>('PUT', '/sources/shop', { provider: 'strip' });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      type: 'urn:hookbell:problem:invalid-configuration',
      title: 'Invalid configuration',
      detail: 'The configuration is not valid; nothing was changed.',
    });
    expect(lines(body)).toEqual([
      'sources.shop.provider: there is no provider `strip`; did you mean `stripe`?',
    ]);
  });

  it('with `dry_run=false` publishes', async () => {
    expect((await admin('PUT', '/sources/real?dry_run=false', open())).body).toHaveProperty('version');
    expect(await isThere('real')).toBe(true);
  });
});

const newest = async () => {
  const { body } = await admin<{ items: { note: string }[] }>('GET', '/config/versions?limit=1');
  return body.items[0]?.note;
};

describe('the note of a publish', () => {
  it('is what the list of versions says, in place of what was changed', async () => {
    await admin('POST', `/config?note=${encodeURIComponent('prices in € – for the fair')}`, {});
    expect(await newest()).toBe('prices in € – for the fair');
    await admin('PUT', '/sources/form?note=a%20form', open());
    expect(await newest()).toBe('a form');
    await admin('POST', '/config', {});
    expect(await newest()).toBe('replace the whole set');
  });

  it.each([
    ['', 'must not be empty'],
    ['x'.repeat(201), 'must have at most 200 characters'],
    ['two\nlines', 'must be on one line, without control characters'],
    ['\u001b[31mred', 'must be on one line, without control characters'],
    ['\u202etxt', 'must be on one line, without control characters'],
  ])('%j is refused, and nothing is published', async (note, message) => {
    const before = await newest();
    const { status, body } = await admin<{ errors: object[] }>(
      'POST',
      `/config?note=${encodeURIComponent(note)}`,
      {},
    );
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ path: 'note', message }]);
    expect(await newest()).toBe(before);
  });
});
