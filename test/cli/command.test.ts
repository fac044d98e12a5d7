import { expect, it } from 'vitest';
import type { Ask } from '../../cli/ask.ts';
import { allowed, type Cli } from '../../cli/command.ts';
import { stopped } from '../../cli/failure.ts';
import { readIncident } from '../../cli/incident.ts';
import { createOutput } from '../../cli/output.ts';
import { ok } from '../../src/lib/result.ts';
import { person } from './init/new-source.ts';

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

const answering = (answer: Awaited<ReturnType<Ask['confirm']>>) => person({ confirm: async () => answer });

const isAllowed = async (ask: Ask | null, isYes = false): Promise<boolean | null> => {
  const answer = await allowed(asking(ask), 'Sure?', isYes);
  return answer.ok ? answer.value : null;
};

it('a change is allowed by --yes or by a person, and by nobody else', async () => {
  expect(await isAllowed(null, true)).toBe(true);
  expect(await isAllowed(answering(ok(true)))).toBe(true);
  expect(await isAllowed(answering(ok(false)))).toBe(false);
  expect(await isAllowed(null)).toBeNull();
  expect(await isAllowed(answering(stopped('Ctrl-C')))).toBeNull();
});

it('an incident is named on the command line by its id, or by source, route and key', () => {
  for (const value of ['inc_0hk7nd0gz3a9w4qk', 'alerts/on-call/cluster', 'alerts/on-call/a/b ü\n'])
    expect(readIncident(value)).toEqual({ ok: true, value });
  for (const wrong of ['', 'disk', 'alerts/on-call', 'alerts/on-call/', 'inc_%', 'evt_1'])
    expect(readIncident(wrong)).toMatchObject({ ok: false, error: { message: /is no incident/ } });
});
