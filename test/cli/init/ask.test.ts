import { describe, expect, it } from 'vitest';
import type { Ask } from '../../../cli/ask.ts';
import { makePlan, type Given } from '../../../cli/init/ask.ts';
import { ok } from '../../../src/lib/result.ts';

const GIVEN: Given = {
  source: 'mine',
  to: ['+49 171 3920001'],
  country: 'DE',
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
};

/** A person who gives these quiet hours, and to other questions the likely answers. */
function person(quiet: string): { readonly ask: Ask; readonly questions: readonly string[] } {
  const questions: string[] = [];
  const ask: Ask = {
    confirm: async () => ok(true),
    text: async ({ message, initial = '' }) => {
      questions.push(message);
      return ok(message.startsWith('Quiet hours') ? quiet : initial);
    },
    search: async () => ok('stripe'),
  };
  return { ask, questions };
}

describe('quiet hours of a new source', () => {
  it('are asked for where the provider sends alerts', async () => {
    const { ask, questions } = person('22:00-07:00');
    const plan = await makePlan({ ...GIVEN, provider: 'alertmanager' }, ask, undefined);
    expect(questions).toEqual([expect.stringContaining('Quiet hours, such as 22:00-07:00')]);
    expect(plan).toMatchObject({ ok: true, value: { quiet: { from: '22:00', to: '07:00' } } });
  });

  it('may be left empty', async () => {
    const { ask } = person('');
    expect(await makePlan({ ...GIVEN, provider: 'grafana' }, ask, undefined)).toMatchObject({
      ok: true,
      value: { quiet: null },
    });
  });

  it.each(['stripe', 'typeform', 'generic'])('are not asked for with %s', async (provider) => {
    const { ask, questions } = person('22:00-07:00');
    expect(await makePlan({ ...GIVEN, provider }, ask, undefined)).toMatchObject({
      ok: true,
      value: { quiet: null },
    });
    expect(questions).toEqual([]);
  });

  it('are none without a terminal, unless they are given', async () => {
    const none = await makePlan({ ...GIVEN, provider: 'pingdom' }, null, undefined);
    expect(none).toMatchObject({ ok: true, value: { quiet: null } });
    const given = await makePlan({ ...GIVEN, provider: 'stripe', quiet: '20:00-8:00' }, null, undefined);
    expect(given).toMatchObject({ ok: true, value: { quiet: { from: '20:00', to: '08:00' } } });
  });

  it('that nobody can mean are refused, and say how they are written', async () => {
    const plan = await makePlan({ ...GIVEN, provider: 'pingdom', quiet: 'at night' }, null, undefined);
    expect(plan).toMatchObject({
      ok: false,
      error: { message: '`at night` is not quiet hours such as 22:00-07:00' },
    });
  });
});
