import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { patchOf } from '../../../patch/patch.ts';
import { admin, folderWith, hookbell, inForce, json, publish, relayUrl } from '../support.ts';

const OPEN = 'verify: { scheme: none } # anybody\nroutes: []\n';
const TWO = "numbers: ['4915112345679'] # Zoë\n";

const keeping = z.object({
  managed: z.object({ by: z.string() }).nullable(),
  taken_over: z.object({ name: z.string(), version: z.number() }).nullable(),
});
const kept = async () => keeping.parse(await admin('GET', '/config/versions?limit=1'));

let folder: string;
const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
const pushed = (...more: string[]) => hookbell(['push', folder, '--yes', '--managed', ...more]);

beforeEach(async () => {
  await publish();
  folder = folderWith({ 'sources/open.yaml': OPEN, 'recipients/two.yaml': TWO });
});

afterEach(async () => {
  if ((await kept()).managed !== null) await admin('POST', '/config/takeover', { name: 'the next test' });
});

describe('push --managed', () => {
  it('marks the set, and sends the texts of the files', async () => {
    const { code, stdout } = await pushed();
    expect(code).toBe(0);
    expect(stdout).toMatch(/✓ published version \d+ .*; managed in git\n$/);
    expect(await kept()).toMatchObject({ managed: { by: 'token' }, taken_over: null });
    expect(await admin('GET', '/config/files?path=sources/open.yaml')).toEqual({
      path: 'sources/open.yaml',
      text: OPEN,
    });
  });

  it('asks in words that say what the mark means', async () => {
    expect((await hookbell(['push', folder, '--managed'])).stderr).toMatch(
      /"Publish \d documents? \(.*\) to \S+, and from then on let only pushes with --managed change the configuration\?"/,
    );
    await hookbell(['push', folder, '--yes']);
    expect((await hookbell(['push', folder, '--managed'])).stderr).toContain(
      '"From now on, let only pushes with --managed change the configuration on ',
    );
    expect((await kept()).managed).toBeNull();
  });

  it('sends changed comments without asking and without a version', async () => {
    await pushed();
    const version = await inForce();
    write('recipients/two.yaml', TWO.replace('Zoë', 'Zoë, at night'));
    const { code, stdout } = await hookbell(['push', folder, '--managed']);
    expect(code).toBe(0);
    expect(stdout).toContain(`is the same as the active version (${version}); managed in git`);
    expect(await inForce()).toBe(version);
    expect(await admin('GET', '/config/files?path=recipients/two.yaml')).toMatchObject({
      text: TWO.replace('Zoë', 'Zoë, at night'),
    });
  });

  it('leaves files that are too large out, and says so', async () => {
    write('recipients/two.yaml', `${TWO}# ${'x'.repeat(1_000_000)}\n`);
    const { code, stderr } = await pushed();
    expect(code).toBe(0);
    expect(stderr).toContain('the files are too large to upload');
    expect(await admin('GET', '/config/files')).toMatchObject({ items: [] });
  });

  it('is tried with --dry-run', async () => {
    const { code, stdout } = await hookbell(['push', folder, '--dry-run', '--managed']);
    expect(code).toBe(0);
    expect(stdout).toContain('nothing was published');
    expect((await kept()).managed).toBeNull();
  });

  it('sends files by which a change is offered as a patch', async () => {
    await pushed();
    const file = z
      .object({ path: z.string(), text: z.string() })
      .parse(await admin('GET', '/config/files?path=recipients/two.yaml'));
    const before = await admin('GET', '/recipients/two');
    const patch = patchOf(file, { kind: 'recipients', name: 'two' }, before, {
      numbers: ['4915112345679', '4915112345670'],
    });
    expect(patch.ok ? patch.value : patch.error).toContain(
      "+numbers: ['4915112345679', '4915112345670'] # Zoë",
    );
  });
});

describe('a managed set', () => {
  beforeEach(() => pushed());

  it('is not asked about by a push without --managed, which says why and what to do', async () => {
    const version = await inForce();
    write('recipients/two.yaml', TWO.replace('679', '670'));
    const { code, stdout, stderr } = await hookbell(['push', folder]);
    expect(code).toBe(1);
    expect(stdout).toContain('~ recipients/two  changed');
    expect(stderr).toMatch(
      /hookbell: the configuration has been managed in git since \S+ \S+ \(token\): only pushes with --managed change it; nothing was changed\n/,
    );
    const start = `HOOKBELL_URL=${relayUrl()} npx hookbell`;
    expect(stderr).toContain(`from the folder in git: ${start} push ${folder} --managed\n`);
    expect(stderr).toContain(`or take it over, with your name: ${start} takeover Ann\n`);
    expect(stderr).not.toContain('use --yes');
    expect((await hookbell(['push', folder, '--yes'])).code).toBe(1);
    expect(await inForce()).toBe(version);
  });

  it('may be checked with a folder', async () => {
    write('recipients/two.yaml', TWO.replace('679', '670'));
    const { code, stdout } = await hookbell(['push', folder, '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/nothing was published\nbut the configuration has been managed in git since/);
  });

  it('goes back with --managed, and stays managed', async () => {
    const version = await inForce();
    const refused = await hookbell(['rollback', String(version - 1), '--yes']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`rollback ${version - 1} --managed`);
    expect(refused.stdout).toBe('');
    expect((await hookbell(['rollback', String(version - 1), '--yes', '--managed'])).code).toBe(0);
    expect(await inForce()).toBe(version - 1);
    expect((await kept()).managed).not.toBeNull();
  });

  it('is named by versions, diff and pull', async () => {
    const said =
      /the configuration has been managed in git since \S+ \S+ \(token\): only pushes with --managed change it/;
    expect((await hookbell(['versions'])).stdout).toMatch(said);
    expect((await hookbell(['diff', folder])).stdout).toMatch(said);
    expect((await hookbell(['pull', folder])).stderr).toMatch(said);
    const shape = z.object({ managed: z.object({ by: z.string() }) });
    expect(await json(['diff', folder], shape)).toEqual({ managed: { by: 'token' } });
    expect(await json(['versions'], shape)).toEqual({ managed: { by: 'token' } });
  });
});

describe('takeover', () => {
  it('asks, and then lets anybody publish', async () => {
    await pushed();
    const version = await inForce();
    const asked = await hookbell(['takeover', 'Ann']);
    expect(asked.stderr).toMatch(/"Take it over as Ann, on \S+\?"/);
    expect((await kept()).managed).not.toBeNull();
    const { code, stdout } = await hookbell(['takeover', 'Ann', '--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain(`✓ version ${version + 1}: taken over by Ann; anybody may publish`);
    const { stdout: versions } = await hookbell(['versions']);
    expect(versions).toMatch(/\* .* token +taken over by Ann\n/);
    expect(versions).toMatch(
      new RegExp(`Ann took the configuration over from git .* \\(version ${version + 1}\\)\n`),
    );
    write('recipients/two.yaml', TWO.replace('679', '670'));
    expect((await hookbell(['push', folder, '--yes'])).code).toBe(0);
  });

  it('of a set that is not managed is refused, as is one without a name', async () => {
    const { code, stderr } = await hookbell(['takeover', 'Ann', '--yes']);
    expect(code).toBe(1);
    expect(stderr).toContain('is not managed');
    expect((await hookbell(['takeover'])).code).toBe(2);
    await pushed();
    expect((await hookbell(['takeover', '', '--yes'])).stderr).toContain('must not be empty');
  });

  it('is what the next managed push names, with what it undoes unless it was pulled', async () => {
    await pushed();
    await admin('POST', '/config/takeover', { name: 'Ann' });
    const { version } = { version: await inForce() };
    await admin('PUT', '/recipients/two', { numbers: ['4915112345600'] });
    await admin('PUT', '/recipients/three', { numbers: ['4915112345601'] });
    const { stdout } = await hookbell(['push', folder, '--managed']);
    expect(stdout).toMatch(
      new RegExp(
        `Ann took the configuration over from git .* \\(version ${version}\\)\\. The changes since then in 2 documents would be lost: recipients/three, recipients/two\\. With this push the configuration is managed in git again\\.\nTo keep them, pull them first:\n  \\S+ npx hookbell pull ${folder}\n`,
      ),
    );
    await hookbell(['pull', folder, '--yes']);
    // In the file that was there, with its comment.
    expect(readFileSync(join(folder, 'recipients/two.yaml'), 'utf8')).toBe(
      "numbers: ['4915112345600'] # Zoë\n",
    );
    const again = await pushed();
    expect(again.stdout).toContain('The folder has all changes since then.');
    expect(await kept()).toMatchObject({ managed: { by: 'token' }, taken_over: null });
    expect((await pushed()).stdout).not.toContain('took the set over');
  });
});
