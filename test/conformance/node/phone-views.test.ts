import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { localesOf, complaintsAbout, linesOf } from '../../../cli/phone-views/check.ts';
import { phoneViewOf } from '../../../cli/phone-views/phone-view.ts';
import { providers } from '../../platform/providers.ts';
import { rule } from '../rule.ts';
import { starterOf } from '../starters.ts';

const FOLDER = join(import.meta.dirname, '..', 'phone-views');

const ALL = [...providers];

rule(
  'the one message of a sender without routes is clean, and says what lists do, not its ids',
  ALL.filter(([, one]) => starterOf(one).routes.length === 0),
  async (_, one) => {
    const view = await phoneViewOf(one, 'en-GB', {});
    if (!view.ok) throw new Error(view.error.join('\n'));
    expect(view.value.samples.flatMap(complaintsAbout)).toEqual([]);
    for (const { text } of view.value.samples.flatMap(({ messages }) => messages))
      expect(text).not.toMatch(/\n\w+: /);
  },
);

rule(
  'what a starter puts on phones is clean, to the same people in every language, and as it was seen',
  ALL.filter(([, one]) => starterOf(one).routes.length > 0),
  async (id, one) => {
    const views = await Promise.all(
      localesOf(id, {}).map(async (locale) => {
        const view = await phoneViewOf(one, locale, {});
        if (!view.ok) throw new Error(view.error.join('\n'));
        return view.value;
      }),
    );
    // Sample by sample and in every language, where somebody has looked at it; `--update` writes it.
    const text = views.flatMap((view) => [...linesOf(view), '']).join('\n');
    const file = join(FOLDER, `${id}.txt`);
    if (existsSync(file)) await expect(text).toMatchFileSnapshot(file);
    // No leftovers of a template and nothing private, and it is silent where it says so.
    expect(views.flatMap(({ samples }) => samples.flatMap(complaintsAbout))).toEqual([]);
    const receivers = views.map(({ samples }) =>
      samples.map(({ messages }) => messages.map(({ route, to }) => [route, to])),
    );
    for (const other of receivers) expect(other).toEqual(receivers[0]);
  },
);
