import { describe, expect, it } from 'vitest';
import type { Ask } from '../../../cli/ask.ts';
import { askAnswers } from '../../../cli/init/answers.ts';
import { readStarter, type ProviderStarter } from '../../../cli/init/starters.ts';
import { ok } from '../../../src/lib/result.ts';
import { zendesk } from '../../../src/provider/catalog/zendesk.ts';

const ASKING: ProviderStarter = {
  provider: zendesk,
  starter: {
    ...readStarter('zendesk'),
    asks: { subdomain: { question: 'The subdomain', example: 'acme', pattern: '^[a-z]+$' } },
  },
};

const typing = (text: string): Ask => ({
  confirm: async () => ok(true),
  text: async () => ok(text),
  search: async () => ok(''),
});

describe('what a starter asks', () => {
  it('is answered by the command line, without a question', async () => {
    expect(await askAnswers(['subdomain= shop '], typing('other'), ASKING)).toEqual(
      ok({ subdomain: 'shop' }),
    );
  });

  it('is asked of a person, who may leave it open', async () => {
    expect(await askAnswers([], typing('shop'), ASKING)).toEqual(ok({ subdomain: 'shop' }));
    expect(await askAnswers([], typing('-'), ASKING)).toEqual(ok({ subdomain: '' }));
  });

  it('stays open without a terminal', async () => {
    expect(await askAnswers([], null, ASKING)).toEqual(ok({ subdomain: '' }));
  });

  it('cannot stay open where the source itself needs it', async () => {
    const needing = {
      ...ASKING,
      starter: { ...ASKING.starter, source: { verify: { account: '[[ask:subdomain]]' } } },
    };
    const message = '--answer subdomain=… is needed, such as subdomain=acme: The subdomain';
    expect(await askAnswers([], null, needing)).toMatchObject({ ok: false, error: { message } });
    expect(await askAnswers([], typing('-'), needing)).toMatchObject({ ok: false });
    expect(await askAnswers(['subdomain=shop'], null, needing)).toEqual(ok({ subdomain: 'shop' }));
  });

  it.each([
    ['shop', '--answer: `shop` must be name=value, such as subdomain=acme'],
    ['subdomian=shop', '--answer: there is no question `subdomian`; did you mean `subdomain`?'],
    ['subdomain=a.b/c', '`a.b/c` does not look like acme'],
  ])('is refused as %s, and the refusal says why', async (given, message) => {
    expect(await askAnswers([given], null, ASKING)).toMatchObject({ ok: false, error: { message } });
  });

  it('is nothing, for most providers', async () => {
    const begin = { ...ASKING, starter: readStarter('stripe'), provider: { ...zendesk, id: 'stripe' } };
    expect(await askAnswers([], typing('x'), begin)).toEqual(ok({}));
    expect(await askAnswers(['subdomain=x'], null, begin)).toMatchObject({
      ok: false,
      error: { message: '--answer: the starter of stripe has no questions' },
    });
  });
});
