import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { en } from '../../console/texts/en.ts';
import { openSource, postWebhook, publish } from './support/sources.ts';
import { test } from './support/test.ts';
import { PAGES_OF_THE_CONSOLE } from './support/pages.ts';

/** In a payload, a text, a list, a silence: wherever a number can stand. */
const NUMBER = '4915199887766';

/** Buttons that change nothing but what this browser shows. */
const HARMLESS = [
  en.now.notify,
  en.now.showAll,
  en.account.signOut,
  en.common.copy,
  en.common.close,
  en.common.more,
  en.common.again,
  en.common.live,
  en.common.liveStopped,
  en.common.liveLost,
  en.common.search,
  en.events.search,
  en.doctor.again,
  ...Object.values(en.charts.ranges),
  en.versions.changes,
];

const digitsIn = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const texts: string[] = [];
    const read = (root: Document | ShadowRoot): void => {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot !== null) read(element.shadowRoot);
        for (const { value } of element.attributes) texts.push(value);
        if ('value' in element) texts.push(String(element.value));
      }
      texts.push(root instanceof Document ? root.body.innerText : (root.textContent ?? ''));
    };
    read(document);
    return texts.join('\n').replaceAll(/[\s()/-]/g, '');
  });

/** The names of all buttons of a page, without those of the frame around it. */
const buttonsOn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main button')].map(
      (button) => button.getAttribute('aria-label') ?? button.textContent.trim(),
    ),
  );

describe('A viewer', () => {
  test('finds no number and no button that changes anything on any page', async ({ stage, open }) => {
    const { admin } = stage;
    await publish(admin, 'recipients', 'viewed', { numbers: [NUMBER] });
    await publish(
      admin,
      'sources',
      'viewed',
      openSource(undefined, {
        routes: [
          {
            name: 'all',
            to: NUMBER,
            send: { kind: 'text', message: 'Call {{ payload.phone }}, says {{ payload.name }}' },
          },
        ],
      }),
    );
    const event = await postWebhook(stage, 'viewed', {
      type: 'call',
      name: 'Wilhelmine',
      phone: `+${NUMBER}`,
    });
    const { page, goTo } = await open({ as: 'viewer' });
    const messages = await stage.admin('GET', `/messages?event=${event}`);
    const [, message = ''] = /"id":"(msg_[^"]+)"/.exec(JSON.stringify(messages.body)) ?? [];
    for (const path of [
      ...PAGES_OF_THE_CONSOLE,
      `/events/${event}`,
      `/messages/${message}`,
      '/sources/viewed',
    ]) {
      await goTo(path);
      const text = await digitsIn(page);
      expect(text, path).not.toContain(NUMBER);
      expect(text, path).not.toContain(NUMBER.slice(2));
      if (path !== '/sources/viewed') expect(text, path).not.toContain('Wilhelmine');
      expect(
        (await buttonsOn(page)).filter((name) => !HARMLESS.some((one) => name.startsWith(one))),
        path,
      ).toEqual([]);
    }
    await goTo(`/messages/${message}`);
    await page
      .getByText(/^\+49\d*•+\d\d$/)
      .first()
      .waitFor();

    // To an editor all of it is there, so that it was looked for in the right places.
    const editor = await open();
    await editor.goTo(`/messages/${message}`);
    expect(await digitsIn(editor.page)).toContain(NUMBER);
    expect(await digitsIn(editor.page)).toContain('Wilhelmine');
    await editor.goTo(`/events/${event}`);
    expect(await buttonsOn(editor.page)).toContain(en.events.replayButton);
  });
});
