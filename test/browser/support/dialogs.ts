import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Texts } from '../../../console/texts/en.ts';
import { seed } from './seed.ts';
import { postWebhook, publish } from './sources.ts';
import type { Stage } from './stage.ts';
import { button } from './test.ts';

/** A dialog: its name, the page that opens it, and how. */
type Shown = readonly [name: string, path: string, show: (page: Page) => Promise<void>];

export const click =
  (name: string) =>
  (page: Page): Promise<void> =>
    button(page, name).first().click();

/** Makes all that the dialogs are about, while the account is paused. Gives the paths of `seed`. */
export async function setTable(stage: Stage): Promise<readonly string[]> {
  const { admin } = stage;
  const paths = await seed(stage);
  await publish(admin, 'templates', 'seeded', {
    kind: 'text',
    // Another text than whoever set the table before: the newest versions have a change of it.
    message: `*New order* of {{ payload.name }} at ${Date.now()}`,
  });
  await admin('POST', '/accounts/default/pause');
  onTestFinished(async () => void (await admin('POST', '/accounts/default/resume')));
  // It waits.
  await postWebhook(stage, 'seeded', { type: 'order', name: 'Zoë Schmidt' });
  return paths;
}

/** Each dialog of the console that no other test opens, in a language; those of one thing have its path. */
export const dialogsOf = (t: Texts, [event = '', , , message = '']: readonly string[]): readonly Shown[] => [
  ['keys', '/', (page) => page.keyboard.press('?')],
  ['replay of many', '/events?source=seeded', click(t.events.replayButton)],
  ['retry of many', '/messages?source=seeded&state=dead', click(t.messages.retryMany)],
  ['cancelling many', '/messages?source=seeded&state=queued', click(t.messages.cancelMany)],
  ['a new silence', '/silences', click(t.silences.add)],
  ['a new list', '/recipients', click(t.recipients.add)],
  ['warnings about a list', '/recipients', saveOdd(t)],
  ['a new template', '/templates', click(t.templates.add)],
  ['publishing a text', '/templates/seeded', publishText(t)],
  // The text is still changed: the tab keeps it.
  ['discarding a text', '/templates/seeded', click(t.templates.discard)],
  ['rolling back', '/templates/seeded', rollBack(t)],
  ['changes of a version', '/versions', click(t.versions.changes)],
  ['activating a version', '/versions', click(t.versions.activate)],
  ['inviting', '/sessions', click(t.sessions.invite)],
  ['deleting a source', '/sources/seeded', click(t.sources.remove)],
  ['sending to many', '/send', sendMany(t)],
  ['resuming', '/accounts', click(t.accounts.resume)],
  ['an account', '/accounts', click(t.common.edit)],
  ['a new account', '/accounts', click(t.accounts.add)],
  ['replaying', event, click(t.events.replayButton)],
  ['retrying', message, click(t.messages.retry)],
  ['cancelling', message, click(t.messages.cancel)],
];

/** Writes something else into the open template, and asks to publish it. */
const publishText =
  (t: Texts) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('textbox', { name: t.params.message, exact: true }).first().click();
    await page.keyboard.type('Hello ');
    await page.getByText(t.templates.notPublished).waitFor();
    await click(`${t.templates.publish} …`)(page);
  };

const rollBack =
  (t: Texts) =>
  async (page: Page): Promise<void> => {
    const history = page.locator('section', {
      has: page.getByRole('heading', { name: t.templates.history }),
    });
    await history.getByRole('button', { name: t.templates.compare }).last().click();
    await button(page, `${t.templates.rollBackAll} …`).click();
  };

const sendMany =
  (t: Texts) =>
  async (page: Page): Promise<void> => {
    await page.getByLabel(t.find.number, { exact: true }).fill('+4915100000121, +4915100000122');
    await page.getByLabel(t.params.message, { exact: true }).fill('Hello');
    await button(page, t.send.submitMany('2')).click();
  };

const saveOdd =
  (t: Texts) =>
  async (page: Page): Promise<void> => {
    await button(page, t.recipients.add).click();
    await page.getByLabel(t.common.name, { exact: true }).fill('odd');
    await page.getByLabel(t.common.numbers, { exact: true }).fill('Ben: +49 171 555');
    await button(page, t.recipients.save(1)).click();
    await page.getByText(t.recipients.savedWithWarnings).waitFor();
  };
