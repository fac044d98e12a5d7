import { expect } from 'vitest';
import { test } from './support/test.ts';
import { watch } from './support/watch.ts';

test('`watch` hears of errors, dialogs, refusals and other hosts', async ({ stage }) => {
  const context = await stage.browser.newContext();
  const { troubles, expectRefusal } = await watch(context, [new URL(stage.url).host]);
  expectRefusal(418, '/teapot');
  const page = await context.newPage();
  await page.goto(`${stage.url}/admin`);
  await page.evaluate(async () => {
    // oxlint-disable-next-line no-restricted-globals -- in the page, out of reach of its caller
    setTimeout(() => {
      throw new Error('thrown by the test');
    });
    // oxlint-disable-next-line no-console -- heard of
    console.error('said by the test');
    await fetch('/admin/api/v1/none').catch(() => undefined);
    await fetch('http://other.example/').catch(() => undefined);
    alert('shown by the test');
  });
  await expect.poll(() => troubles().join('\n')).toMatch(/uncaught: .*thrown by the test/);
  await expect.poll(() => troubles().join('\n')).toContain('policy: connect-src http://other.example/');
  const heard = troubles().join('\n');
  for (const one of [
    'console: said by the test',
    'refused: 401 /none',
    'a dialog: shown by the test',
    'was not refused: 418 /teapot',
  ])
    expect(heard).toContain(one);
  await context.close();
});
