import { describe, expect, it } from 'vitest';
import type { Ask } from '../../cli/ask.ts';
import { allowed, calledAs, type Cli } from '../../cli/command.ts';
import { stopped } from '../../cli/failure.ts';
import { createOutput } from '../../cli/output.ts';
import { ok, type Result } from '../../src/lib/result.ts';

const asking = (ask: Ask | null): Cli => ({
  out: createOutput({ stdout: process.stdout, stderr: process.stderr, env: {} }, false),
  env: {},
  readStdin: () => '',
  exitWith: () => undefined,
  interrupt: { handle: () => () => undefined, leave: () => process.exit() },
  ask,
  relay: () => stopped('not asked for'),
  relayUrl: () => stopped('not asked for'),
  paste: (...args) => args.join(' '),
  pasteIn: (text) => text,
  place: { at: 'here' },
  tenant: null,
});

const answering = (answer: Awaited<ReturnType<Ask['confirm']>>): Ask => ({
  confirm: () => Promise.resolve(answer),
  text: () => Promise.resolve(stopped('not asked for')),
  search: () => Promise.resolve(stopped('not asked for')),
});

const value = (result: Result<boolean, unknown>): boolean | null => (result.ok ? result.value : null);

describe('a change', () => {
  it('is allowed by --yes or by a person, and by nobody else', async () => {
    expect(value(await allowed(asking(null), 'Sure?', true))).toBe(true);
    expect(value(await allowed(asking(answering(ok(true))), 'Sure?', false))).toBe(true);
    expect(value(await allowed(asking(answering(ok(false))), 'Sure?', false))).toBe(false);
    expect(value(await allowed(asking(null), 'Sure?', false))).toBeNull();
    expect(value(await allowed(asking(answering(stopped('Ctrl-C'))), 'Sure?', false))).toBeNull();
  });
});

describe('an example', () => {
  it.each([
    ['hookbell push hookbell', 'npx hookbell push hookbell'],
    ['GATEWAY_TELEGRAM_TOKEN=… hookbell gateway pair', 'GATEWAY_TELEGRAM_TOKEN=… npx hookbell gateway pair'],
  ])('of %s calls the program by its name', (text, typed) => {
    expect(calledAs('npx hookbell', text)).toBe(typed);
  });
});
