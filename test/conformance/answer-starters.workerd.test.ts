import { exports } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { starterOf } from './starters.ts';
import { providers } from '../../src/provider/catalog/catalog.ts';
import { eventually } from '../eventually.ts';
import { after, allRoutes, MINUTE, phoneOf, postSample, textsAt } from '../integration/alert-stage.ts';
import { publish, reached } from '../integration/relay.ts';

void reached;
afterEach(() => void vi.restoreAllMocks());

const TABLE = ['typeform', 'calendly'].map(
  (id, at) => [id, phoneOf(950 + 2 * at), phoneOf(951 + 2 * at)] as const,
);

/** Anna and Ben have the starter's source, and read its first sample. Returns the links that Anna got. */
async function asked(id: string, anna: string, ben: string): Promise<readonly string[]> {
  const provider = providers.get(id);
  const [sample] = provider === undefined ? [] : starterOf(provider).samples;
  if (provider === undefined || sample === undefined) throw new Error(`no sample of ${id}`);
  await publish({ ...allRoutes(provider, anna), recipients: { team: { people: { Anna: anna, Ben: ben } } } });
  await postSample(sample, anna);
  for (const phone of [anna, ben]) await eventually(async () => expect(await textsAt(phone)).toHaveLength(1));
  const [text = ''] = await textsAt(anna);
  return [...text.matchAll(/\/a\/[0-9a-z]{24}/g)].map(([path]) => `https://relay.example.com${path}`);
}

const press = async (link = ''): Promise<void> => {
  const { status } = await exports.default.fetch(link, { method: 'POST', redirect: 'manual' });
  expect(status).toBe(303);
};

describe('two owners of a starter', () => {
  const [[form, formAnna, formBen] = raise(), [bookings, bookingAnna, bookingBen] = raise()] = TABLE;

  it('of a form read who answers, once a press can be undone no more', async () => {
    const [take] = await asked(form, formAnna, formBen);
    await press(take);
    expect(await textsAt(formBen)).toHaveLength(1);
    await after(MINUTE + 1_000);
    await eventually(async () =>
      expect((await textsAt(formBen)).at(-1)).toBe('👋 *Anna* is on it: Book a table (Ada Lovelace)'),
    );
  });

  it('of bookings read who declined which one, and where it is cancelled', async () => {
    const [, decline] = await asked(bookings, bookingAnna, bookingBen);
    await press(decline);
    await after(MINUTE + 1_000);
    await eventually(async () =>
      expect((await textsAt(bookingBen)).at(-1)).toMatch(
        /^❌ \*Anna\* declined: 30-minute consultation with Ada Lovelace\n[^\n]*\nCancel it in Calendly: https:/u,
      ),
    );
  });
});

function raise(): never {
  throw new Error('no such row');
}
