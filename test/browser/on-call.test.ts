import { describe, expect } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { violationsOf } from './support/axe.ts';
import { publish } from './support/sources.ts';
import { button, heading, test } from './support/test.ts';

const HOUR = 3_600_000;
const local = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

describe('The page of who is on call', () => {
  test('says who has the turn and who is next, and somebody swaps on a phone', async ({ stage, open }) => {
    await publish(stage.admin, 'recipients', 'swapped', {
      people: { anna: '4915100000051', ben: '4915100000052' },
      rotation: { order: ['anna', 'ben'], every: '1w', from: local(Date.now() - HOUR), timezone: 'UTC' },
    });
    const { page, goTo, watch } = await open({ as: 'operator', width: 390 });
    await goTo('/on-call');
    await heading(page, en.nav.onCall).waitFor();
    const list = page.locator('section', { has: page.getByRole('heading', { name: 'swapped' }) });
    await list.getByText('Now: anna until').waitFor();
    await list.getByText('Next: ben').waitFor();
    // A screen reader has the four weeks as a table with a name.
    const table = list.getByRole('table', { name: 'swapped: the next four weeks' });
    expect(await table.getByRole('rowheader').allTextContents()).toEqual([
      'anna',
      'ben',
      'anna',
      'ben',
      'anna',
    ]);
    expect(await list.getByRole('link', { name: 'Calendar link' }).getAttribute('href')).toMatch(
      /\/calendar\/swapped\.[0-9a-z]{24}\.ics$/,
    );
    await list.getByRole('button', { name: 'Swap …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('From', { exact: true }).fill(local(Date.now() - HOUR));
    await dialog.getByLabel('Until', { exact: true }).fill(local(Date.now() + HOUR));
    expect(await violationsOf(page)).toEqual([]);
    await button(page, 'Publish the swap').click();
    await list.getByText('Now: ben until').waitFor();
    // A second person for the same time is refused, with the reason.
    await list.getByRole('button', { name: 'Swap …' }).click();
    await dialog.getByLabel('From', { exact: true }).fill(local(Date.now()));
    await dialog.getByLabel('Until', { exact: true }).fill(local(Date.now() + HOUR));
    watch.expectRefusal(422, '/recipients/swapped/overrides');
    await button(page, 'Publish the swap').click();
    await dialog.getByText(/overlaps with override 1/).waitFor();
  });

  test('shows a viewer who is on call, and no link', async ({ stage, open }) => {
    await publish(stage.admin, 'recipients', 'seen', {
      people: { zoe: '4915100000053' },
      rotation: { order: ['zoe'], every: '1w', from: local(Date.now()), timezone: 'UTC' },
    });
    const { page, goTo } = await open({ as: 'viewer' });
    await goTo('/on-call');
    const list = page.locator('section', { has: page.getByRole('heading', { name: 'seen' }) });
    await list.getByText('Next: Nobody else').waitFor();
    expect(await list.getByRole('link').count()).toBe(0);
    expect(await list.getByRole('button').count()).toBe(0);
  });
});
