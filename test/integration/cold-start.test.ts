import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { CURRENT_KEY, type Published } from '../../src/config/load.ts';
import { eventually } from './outside.ts';
import { admin, config, postJson, UNPACED, type MessageJson } from './relay.ts';

const OPEN = { verify: { scheme: 'none' } };
const route = (change: object) => ({ name: 'all', to: '4915112345678', ...change });

/** As an isolate of an older deploy meets it that has nothing in memory: most of it says nothing to it. */
const NEWER: Published = {
  activation: 1,
  version: 4,
  set: {
    sources: {
      shop: { ...OPEN, routes: [route({ template: 'paid' })] },
      newer: { ...OPEN, incident: { key: 'x' } },
      half: { ...OPEN, routes: [route({ template: 'paid' }), route({ name: 'b', template: 'newer' })] },
    },
    templates: { paid: { kind: 'text', message: 'Paid {{ payload.n }}' }, newer: { kind: 'fax' } },
    recipients: { newer: { groups: [] } },
    accounts: { default: UNPACED },
    silences: {},
  },
};

const listed = async () =>
  (await admin<{ items: readonly MessageJson[] }>('GET', '/messages?limit=10')).body.items;

describe('a cold isolate whose configuration it does not understand in all its parts', () => {
  beforeAll(() => config.put(CURRENT_KEY, JSON.stringify(NEWER)));
  afterEach(() => vi.restoreAllMocks());

  it('serves the sources that it does, to the end', async () => {
    expect((await postJson('shop', { n: 7 })).status).toBe(202);
    await eventually(async () =>
      expect(await listed()).toMatchObject([{ state: 'sent', params: { message: 'Paid 7' } }]),
    );
  });

  it.each([
    ['newer', 'sources.newer.incident unknown key'],
    ['half', 'templates.newer'],
  ])('takes nothing for one that it does not, and logs why: %s', async (id, reason) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const response = await postJson(id, { n: 8 });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(logged.mock.calls.flat().join('\n')).toContain(
      `version 4 of the configuration is not valid for the deployed code: ${reason}`,
    );
    expect(await listed()).toHaveLength(1);
  });

  it('still answers 404 where there is none', async () => {
    expect((await postJson('none', {})).status).toBe(404);
  });

  it('shows what it can read in lists, and counts', async () => {
    const { status, body } = await admin<{ sources: object }>('GET', '/stats');
    expect(status).toBe(200);
    expect(Object.keys(body.sources)).toContain('shop');
  });
});
