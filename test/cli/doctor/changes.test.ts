import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../cli/doctor/changes.ts';
import { newestCheck, newestVersion, versionCheck } from '../../../cli/doctor/outside.ts';
import { compareVersions } from '../../../shared/doctor/compare-versions.ts';

const CHANGELOG = `# Changelog

## [Unreleased]

- Not yet.

## [0.3.0] - 2026-03-03

### Added

- [Silences](docs/alerts.md) by hand: with an end
  and a reason. More words.
- Bells.

### Fixed

- A fault; it was old.

## [0.2.0] - 2026-02-02

- Older.
`;

describe('versions', () => {
  it.each([
    ['0.1.0', '0.2.0'],
    ['0.9.0', '0.10.0'],
    ['1.2.3', '2.0.0'],
    ['1.2.3', '1.2.4'],
  ])('%s is before %s', (older, newer) => {
    expect(compareVersions(older, newer)).toBeLessThan(0);
    expect(compareVersions(newer, older)).toBeGreaterThan(0);
    expect(compareVersions(older, older)).toBe(0);
  });
});

describe('what the changelog has between two versions', () => {
  it('is the beginning of each change, without links, and nothing that is unreleased', () => {
    expect(changesBetween(CHANGELOG, '0.2.0', '0.3.0')).toEqual(['Silences by hand', 'Bells', 'A fault']);
    expect(changesBetween(CHANGELOG, '0.1.0', '0.3.0')).toEqual([
      'Silences by hand',
      'Bells',
      'A fault',
      'Older',
    ]);
    expect(changesBetween(CHANGELOG, '0.3.0', '0.3.0')).toEqual([]);
  });
});

describe('the check of the version', () => {
  const own = { version: '0.3.0', changelog: CHANGELOG };

  it('says what an older relay lacks, and to deploy', () => {
    expect(versionCheck({ version: '0.2.0' }, own)).toMatchObject({
      status: 'warn',
      detail:
        'the relay is 0.2.0, older than this hookbell, 0.3.0. New since then: Silences by hand; Bells; A fault',
      remedy: 'npx wrangler deploy',
    });
  });

  it('does not ask for a deploy where the relay is the newer one', () => {
    const { status, remedy } = versionCheck({ version: '0.4.0' }, own);
    expect([status, remedy]).not.toContain('npx wrangler deploy');
    expect(status).toBe('warn');
  });
});

/** A registry that answers so for as long as the test asks. */
async function asked(own: string, status: number, body: string) {
  const paths: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  const checks = newestCheck(await newestVersion({ fetch }, `http://127.0.0.1:${port}/`), own);
  server.close();
  return { checks, paths };
}

describe('the newest version', () => {
  it('is asked of npm, and named when it is newer', async () => {
    const { checks, paths } = await asked('0.2.0', 200, '{"version":"0.10.0"}');
    expect(paths).toEqual(['/hookbell/latest']);
    expect(checks).toMatchObject([
      { id: 'newest', status: 'warn', detail: 'hookbell 0.10.0 is out; this is 0.2.0' },
    ]);
  });

  it.each([
    ['it is this one', 200, '{"version":"0.2.0"}'],
    ['there is none', 404, '{"error":"Not found"}'],
    ['the registry sends something else', 200, '<html>'],
  ])('is no news when %s', async (_, status, body) => {
    expect((await asked('0.2.0', status, body)).checks).toEqual([]);
  });

  it('is no news when npm cannot be reached', async () => {
    expect(newestCheck(await newestVersion({ fetch }, 'http://127.0.0.1:9'), '0.2.0')).toEqual([]);
  });
});
