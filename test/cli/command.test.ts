import { expect, it } from 'vitest';
import type { Ask } from '../../cli/ask.ts';
import { agreed } from '../../cli/command.ts';
import { stopped } from '../../cli/failure.ts';
import { readIncident } from '../../cli/waits.ts';
import { createOutput } from '../../cli/output.ts';
import { ok } from '../../src/lib/result.ts';
import { person } from './init/new-source.ts';

const answering = (answer: Awaited<ReturnType<Ask['confirm']>>) => person({ confirm: async () => answer });

const out = createOutput({ stdout: process.stdout, stderr: process.stderr, env: {} }, false);

const outcome = async (ask: Ask | null, isYes = false) => {
  const may = await agreed({ ask, out }, 'Sure?', isYes, 'nothing was changed');
  return may.ok ? 'agreed' : may.error;
};

it('a change is made by --yes or when a person agrees, and else not', async () => {
  expect(await outcome(null, true)).toBe('agreed');
  expect(await outcome(answering(ok(true)))).toBe('agreed');
  expect(await outcome(answering(ok(false)))).toEqual({ message: 'nothing was changed', exit: 1 });
  expect(await outcome(null)).toMatchObject({ exit: 2 });
  expect(await outcome(answering(stopped('Ctrl-C')))).toEqual({ message: 'Ctrl-C', exit: 130 });
});

it('an incident is named on the command line by its id, or by source, route and key', () => {
  for (const value of ['inc_0hk7nd0gz3a9w4qk', 'alerts/on-call/cluster', 'alerts/on-call/a/b ü\n'])
    expect(readIncident(value)).toEqual({ ok: true, value });
  for (const wrong of ['', 'disk', 'alerts/on-call', 'alerts/on-call/', 'inc_%', 'evt_1'])
    expect(readIncident(wrong)).toMatchObject({ ok: false, error: { message: /is no incident/ } });
});
