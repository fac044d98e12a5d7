import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { de } from '../../console/texts/de.ts';
import { en } from '../../console/texts/en.ts';
import { PAGES_OF_THE_CONSOLE } from './support/pages.ts';
import { seed } from './support/seed.ts';
import { heading, test } from './support/test.ts';

/** All that a person reads or hears of a page, besides code, and texts of others: a document's, a webhook's, a message's. */
const textsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const others =
      'noscript, code, pre, textarea, .bubble, .cm-editor, [dir=auto], [lang=en], .markdown em, .markdown strong';
    const found = new Set<string>();
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
      const of = node.parentElement;
      if (of === null || of.closest(`script, style, ${others}`) !== null) continue;
      // A sentence with a name in it is one text: what somebody else wrote may stand in quotes around the name.
      const isWhole = of.querySelector(':scope > code') !== null;
      const parts = isWhole ? [...of.childNodes] : [node];
      found.add(parts.map((one) => (one.nodeName === 'CODE' ? '`name`' : (one.textContent ?? ''))).join(''));
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
      if (element.closest(others) === null)
        for (const name of ['aria-label', 'title', 'placeholder'])
          found.add(element.getAttribute(name) ?? '');
    return [...found].map((text) => text.trim()).filter((text) => /\p{L}{2}/u.test(text));
  });

const ENGLISH =
  /\b(the|is|are|were|must|has|have|been|with|without|which|there|and|or|not|of|to|it|that|this|your|you|for|from|by|what|when|who)\b/i;

/** Without names, and what somebody else has written. */
const own = (text: string): string =>
  text.replaceAll(/`[^`]*`|„[^“]*“|"[^"]*"|'[^']*'|[\w]+(?:-[\w]+)+|\w+\/[\w ]+|Isle of Man/g, '');

/** The words of a catalogue that German does not share. */
const words = (part: object): readonly string[] =>
  Object.values(part).flatMap((one: unknown) =>
    typeof one === 'string' ? [one] : typeof one === 'object' && one !== null ? words(one) : [],
  );
const german = new Set(words(de));
const onlyEnglish = new Set(words(en).filter((text) => !german.has(text)));

describe('The language', () => {
  test('is the browser’s, and another one when somebody chooses it', async ({ open }) => {
    const { page, goTo } = await open({ language: 'de' });
    await goTo('/messages');
    await heading(page, de.messages.title).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
    await page.getByLabel(de.account.language).first().selectOption('en');
    await heading(page, en.messages.title).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
    await page.reload();
    await heading(page, en.messages.title).waitFor();
  });

  test(
    'of every page is German for a German, without a sentence in English',
    { timeout: 150_000 },
    async ({ stage, open }) => {
      const paths = [...PAGES_OF_THE_CONSOLE, ...(await seed(stage))];
      const { page, goTo, watch } = await open({ language: 'de' });
      // Asked whether a new source could be published, the relay says which secret is missing.
      watch.expectRefusal(422, '/config');
      const found: string[] = [];
      for (const path of paths) {
        await goTo(path);
        found.push(
          ...(await textsOf(page))
            .filter(
              (text) =>
                (/ /.test(text) && ENGLISH.test(own(text))) ||
                (onlyEnglish.has(text) && !/^[a-z]+$/.test(text)),
            )
            .map((text) => `${path}: ${text}`),
        );
      }
      expect(found).toEqual([]);
    },
  );
});
