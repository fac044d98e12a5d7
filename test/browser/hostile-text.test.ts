import { expect } from 'vitest';
import { messagesOf, openSource, PHONE, postWebhook, publish } from './support/sources.ts';
import { test } from './support/test.ts';

/** Of others' texts: what becomes an element, runs, or reaches for another host once somebody forgets that it is data. */
const TAG = '<img src=x onerror=alert(1)><script>alert(2)</script>';
const HOSTILE = {
  name: TAG,
  email: `"><svg onload=alert(3)><iframe src="http://hostile.example/">`,
  [`${TAG} as a name`]: `[link](javascript:alert(4)) ![x](http://hostile.example/x.png)`,
  word: 'w'.repeat(100_000),
  ['k'.repeat(2_000)]: 'long name',
  right: 'שלום \u202Eevil\u202C مرحبا بالعالم',
  deep: { a: [{ b: [TAG, { c: 'x'.repeat(500) }] }] },
};

test('the text of a payload is data on every page that shows it', async ({ stage, open }) => {
  const send = {
    kind: 'text',
    message: '{{ payload.name }} {{ payload.email }} {{ payload.right }} {{ payload.word | truncate: 3000 }}',
  };
  await publish(stage.admin, 'sources', 'hostile', openSource(send));
  const form = new URLSearchParams(
    Object.entries(HOSTILE).map(([name, value]) => [name, typeof value === 'string' ? value : TAG]),
  ).toString();
  const events = [
    await postWebhook(stage, 'hostile', { type: TAG, ...HOSTILE }),
    await postWebhook(stage, 'hostile', `type=${encodeURIComponent(TAG)}&${form}`, {
      'content-type': 'application/x-www-form-urlencoded',
    }),
  ];
  const { page, goTo } = await open({ width: 390 });
  const [message = ''] = await messagesOf(stage, events[0] ?? '');
  for (const path of [
    '/',
    '/events?source=hostile',
    ...events.map((id) => `/events/${id}`),
    `/messages?phone=${PHONE}`,
    `/messages/${message}`,
    '/sources/hostile',
    `/templates/hostile:all?event=${events[0]}`,
  ]) {
    await goTo(path);
    const made = await page.evaluate(() => ({
      elements: [...document.querySelectorAll('img, iframe, svg[onload], script:not([src]), [onerror]')].map(
        (element) => element.outerHTML.slice(0, 100),
      ),
      isTooWide: document.documentElement.scrollWidth > innerWidth,
    }));
    expect(made, path).toEqual({ elements: [], isTooWide: false });
    // It is there to be read, indeed.
    if (path.includes('evt_') || path.includes('msg_'))
      expect(await page.locator('body').innerText(), path).toContain('<img src=x onerror=alert(1)>');
  }
});
