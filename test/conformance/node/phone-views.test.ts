import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localesOf } from '../../../cli/phone-views/check.ts';
import { complaintsAbout } from '../../../cli/phone-views/complaints.ts';
import { linesOf } from '../../../cli/phone-views/lines.ts';
import { phoneViewOf } from '../../../cli/phone-views/phone-view.ts';
import { providers } from '../../../src/provider/catalog/catalog.ts';

const FOLDER = join(import.meta.dirname, '..', 'phone-views');

describe.each([...providers])('what the starter of %s puts on phones', (id, provider) => {
  const views = Promise.all(
    localesOf(id).map(async (locale) => {
      const view = await phoneViewOf(provider, locale);
      if (!view.ok) throw new Error(view.error);
      return view.value;
    }),
  );

  it('is what its file says, sample by sample and in every language', async () => {
    const text = (await views).flatMap((view) => [...linesOf(view), '']).join('\n');
    await expect(text).toMatchFileSnapshot(join(FOLDER, `${id}.txt`));
  });

  it('has no leftovers of a template and nothing private, and is silent where it says so', async () => {
    expect((await views).flatMap(({ samples }) => samples.flatMap(complaintsAbout))).toEqual([]);
  });

  it('is said to the same people in every language', async () => {
    const receivers = (await views).map(({ samples }) =>
      samples.map(({ messages }) => messages.map(({ route, to }) => [route, to])),
    );
    for (const one of receivers) expect(one).toEqual(receivers[0]);
  });
});
