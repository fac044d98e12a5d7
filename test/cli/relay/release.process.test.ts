import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createClient } from '../../../cli/client.ts';
import { packageVersion } from '../../../cli/doctor/package-version.ts';
import { reportRelease } from '../../../cli/relay/release.ts';
import { relayUrl, TOKEN } from '../support.ts';

const release = z.object({
  version: z.string(),
  newest: z.nullable(z.object({ version: z.string(), since: z.string(), changes: z.array(z.string()) })),
});

const client = () => createClient({ url: relayUrl(), token: TOKEN });

const known = async (): Promise<string | undefined> => {
  const answer = await client().get('/release', release);
  return answer.ok ? answer.value.data.newest?.version : undefined;
};

/** As from another version of the command line. */
const put = (version: string, since: string) =>
  client().request('PUT', '/release', z.unknown(), { body: { version, since, changes: [] } });

afterEach(async () => void (await put('0.0.1', packageVersion())));

describe('the newest known hookbell', () => {
  it('is reported when it is newer than the relay', async () => {
    await reportRelease(client(), '98.0.0');
    expect(await known()).toBe('98.0.0');
  });

  it('is not reported when the relay is as new', async () => {
    await put('0.0.1', packageVersion());
    await reportRelease(client());
    await reportRelease(client(), packageVersion());
    expect(await known()).toBe('0.0.1');
  });

  it('stays when an older command line, or one that cannot reach npm, is used after it', async () => {
    await put('99.0.0', packageVersion());
    await reportRelease(client(), '98.0.0');
    await reportRelease(client());
    expect(await known()).toBe('99.0.0');
  });

  it('is reported again, with other changes, when another version was deployed meanwhile', async () => {
    await put('99.0.0', '0.0.2');
    await reportRelease(client(), '98.0.0');
    expect(await known()).toBe('98.0.0');
  });

  it('does not matter to a command when the login may not report it', async () => {
    await put('0.0.1', packageVersion());
    await reportRelease(createClient({ url: relayUrl(), token: 'wrong' }), '98.0.0');
    expect(await known()).toBe('0.0.1');
  });
});
