import remedies from '../../../assets/remedies.json';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { partsOf, releaseRemedy, withoutCommand } from '../../../shared/doctor/remedy.ts';
import { ownClockCheck } from '../../../shared/doctor/own-clock.ts';

const commands = (text: string): readonly string[] =>
  partsOf(text).flatMap((part) => ('command' in part ? [part.command] : []));
const actions = (text: string) => partsOf(text).flatMap((part) => ('action' in part ? [part.action] : []));
const joined = (text: string): string =>
  partsOf(text)
    .map((part) => ('command' in part ? part.command : part.words))
    .join('');

describe('a remedy', () => {
  it('is the same text in its parts, whose commands end before the sentence goes on', () => {
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['When it may send again: npx hookbell resume sales', ['npx hookbell resume sales']],
      [
        'Read why: npx hookbell messages --state dead. Then npx hookbell retry --state dead, or cancel each by its id',
        ['npx hookbell messages --state dead', 'npx hookbell retry --state dead'],
      ],
      [
        'If too slow, push; npx hookbell messages --state queued shows which wait',
        ['npx hookbell messages --state queued'],
      ],
      [
        'Set the login again (npx wrangler secret put GATEWAY_EMAIL, npx wrangler secret put GATEWAY_API_KEY), then npx hookbell resume default',
        [
          'npx wrangler secret put GATEWAY_EMAIL',
          'npx wrangler secret put GATEWAY_API_KEY',
          'npx hookbell resume default',
        ],
      ],
      ['Is the gateway up?', []],
    ];
    for (const [text, found] of cases) {
      expect(commands(text)).toEqual(found);
      expect(joined(text)).toBe(text);
    }
  });

  it('has a button for what a page can do, and a line to paste for the rest', () => {
    expect(actions('npx hookbell resume sales')).toEqual([{ does: 'resume', account: 'sales' }]);
    expect(actions('npx hookbell messages --state uncertain')).toEqual([
      { does: 'show', path: '/messages', query: { state: 'uncertain' } },
    ]);
    expect(actions('npx hookbell rollback 4')).toEqual([{ does: 'show', path: '/versions', query: {} }]);
    expect(actions('See npx hookbell accounts sales')).toEqual([
      { does: 'show', path: '/accounts', query: {} },
    ]);
    expect(actions('npx wrangler secret put STRIPE_SECRET')).toEqual([{ does: 'paste' }]);
  });

  it('of every check in the relay is read without a word lost', () => {
    const folder = join(import.meta.dirname, '../../../src/admin/doctor');
    const texts = readdirSync(folder).flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/['`]([^'`\n]*npx [^'`\n]*)['`]/g)].map(
        ([, text = '']) => text.replaceAll(/\$\{[^}]*\}/g, 'NAME'),
      ),
    );
    expect(texts.length).toBeGreaterThan(10);
    for (const text of texts) {
      expect(joined(text)).toBe(text);
      for (const command of commands(text)) expect(command).toMatch(/[\w>"…]$/);
    }
  });
});

describe('the clock of this machine', () => {
  it('may be half a minute apart', () => {
    const at = '2026-03-01T12:00:00.000Z';
    expect(ownClockCheck(at, Date.parse(at) + 29_000).status).toBe('ok');
    expect(ownClockCheck(at, Date.parse(at) - 31_000)).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('31 s') as unknown,
    });
  });
});

describe('the remedy for spam', () => {
  it('names the form in a terminal, where its command is pasted', () => {
    expect(releaseRemedy(remedies.spam, 17)).toBe(
      'If it is not spam, release it: npx hookbell rejections release 17',
    );
  });
  it('has no command on a page with a button', () => {
    expect(withoutCommand(remedies.spam)).toBe('If it is not spam, release it.');
    expect(withoutCommand(remedies.secret_missing)).toBe(remedies.secret_missing);
  });
});
