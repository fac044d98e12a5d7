import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { isInstalled, startAlertmanager } from '../e2e/alertmanager.ts';
import { eventually } from '../eventually.ts';
import { NO_PACE, publish } from './support/sources.ts';
import { test } from './support/test.ts';

const TOKEN = 'alertmanager-token-of-the-browser-tests';
/** The people on call in the document. */
const [ANNA, BEN] = ['4915112345678', '4915187654321'] as const;
/** It waits for a real Alertmanager and for reminders. */
const WITHIN_MS = 180_000;
const MARKED = 'scrap-1.example.com';
const OTHER = 'scrap-2.example.com';

/** The documents of docs/answers.md with an incident, but that reminders come soon. */
function documents() {
  const page = readFileSync(join(import.meta.dirname, '../../docs/answers.md'), 'utf8');
  const [, yaml = ''] =
    /```yaml\n(# sources\/alerts\.yaml\nprovider: alertmanager\n[^]*?)```/.exec(page) ?? [];
  expect(yaml).toContain('repeat: 1h');
  const [source, list] = yaml.replace('repeat: 1h', 'repeat: 2s').split('\n---\n');
  expect(list).toContain('# recipients/on-call.yaml');
  const document = z.record(z.string(), z.unknown());
  return { source: document.parse(parse(source ?? '')), list: document.parse(parse(list ?? '')) };
}

/** The texts that a phone got about one machine, oldest first. */
const textsOf = async (phoneUrl: string, phone: string, instance: string): Promise<readonly string[]> => {
  const answer = await fetch(`${phoneUrl}/_control/calls?phone=${phone}&limit=1000`);
  const { items } = z
    .object({ items: z.array(z.object({ params: z.record(z.string(), z.string()) })) })
    .parse(await answer.json());
  return items
    .map(({ params }) => (params['message'] ?? '').trim())
    .filter((text) => text.includes(instance));
};

describe.skipIf(!isInstalled())('An alert of a real Alertmanager', () => {
  test(
    'is acknowledged by a thumb: nobody is woken again, the other hears who has it, the end reaches both',
    async ({ stage }) => {
      const { admin, phoneUrl, url, browser, setSecret } = stage;
      await setSecret('ALERTMANAGER_TOKEN', TOKEN);
      const { source, list } = documents();
      await publish(admin, 'accounts', 'default', NO_PACE);
      await publish(admin, 'recipients', 'on-call', list);
      await publish(admin, 'sources', 'alerts', source);
      const textsTo = (phone: string, instance = MARKED) => textsOf(phoneUrl, phone, instance);
      const folder = mkdtempSync(join(tmpdir(), 'hookbell-alertmanager-'));
      const alertmanager = await startAlertmanager(folder, `${url}/hooks/alerts`, TOKEN);
      const context = await browser.newContext({
        viewport: { width: 390, height: 844 },
        isMobile: true,
        hasTouch: true,
      });
      try {
        await alertmanager.post([MARKED, OTHER], null);
        let link = '';
        await eventually(async () => {
          const [text = ''] = await textsTo(ANNA);
          link = /http:\S+\/a\/[0-9a-z]{24}/.exec(text)?.[0] ?? '';
          expect(link).not.toBe('');
          expect(await textsTo(BEN)).not.toEqual([]);
        });
        const page = await context.newPage();
        await page.goto(link);
        expect(await page.locator('blockquote').textContent()).toContain(`${MARKED} does not answer`);
        await page.getByRole('button', { name: 'I have it' }).tap();
        await page.getByRole('heading', { name: 'Done', exact: true }).waitFor();
        const heard = `Anna has it: ${MARKED} does not answer`;
        await eventually(async () => expect(await textsTo(BEN)).toContain(heard));

        // The alert beside it, which nobody has, is repeated meanwhile.
        const [annas, bens] = [await textsTo(ANNA), await textsTo(BEN)];
        const before = (await textsTo(BEN, OTHER)).length;
        await eventually(async () => expect((await textsTo(BEN, OTHER)).length).toBeGreaterThan(before + 2));
        expect([await textsTo(ANNA), await textsTo(BEN)]).toEqual([annas, bens]);
        expect(annas).not.toContain(heard);

        await alertmanager.post([MARKED, OTHER], new Date());
        const ended = `✅ ${MARKED} does not answer`;
        for (const phone of [ANNA, BEN])
          await eventually(async () => expect((await textsTo(phone)).at(-1)).toBe(ended));
        expect(await textsTo(ANNA)).toEqual([...annas, ended]);
        expect(await textsTo(BEN)).toEqual([...bens, ended]);
      } finally {
        await context.close();
        await alertmanager.kill();
        await admin('DELETE', '/sources/alerts');
        await admin('DELETE', '/recipients/on-call');
        rmSync(folder, { recursive: true, force: true });
      }
    },
    WITHIN_MS,
  );
});
