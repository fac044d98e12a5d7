import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import subjects from '../../assets/subjects.json';
import { providers } from '../../src/provider/catalog/catalog.ts';
import { compileText } from '../../src/template/text.ts';
import { rule } from '../conformance/rule.ts';

const START = Date.now();

/** The modules of an isolate that has just started. */
beforeEach(() => {
  vi.resetModules();
});
const subjectsAnew = () => import('../../src/config/subjects.ts');

/** Assets that answer so, one after the other. */
function assets(...answers: readonly (() => Promise<Response>)[]) {
  const addresses: string[] = [];
  const fetch = async (address: string): Promise<Response> => {
    addresses.push(address);
    return answers[addresses.length - 1]?.() ?? new Response(null, { status: 500 });
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no more of it is used
  return { env: { ASSETS: { fetch } } as unknown as Env, addresses };
}

const there = async (): Promise<Response> => Response.json(subjects);

function warnings(): readonly unknown[] {
  const lines: unknown[] = [];
  const spy = vi.spyOn(console, 'warn').mockImplementation((line: unknown) => {
    lines.push(typeof line === 'string' ? JSON.parse(line) : line);
  });
  onTestFinished(() => spy.mockRestore());
  return lines;
}

describe('the subjects of providers in an isolate', () => {
  it('are read once for all that need them, and never again', async () => {
    const { providerSubject, readSubjects } = await subjectsAnew();
    const { env, addresses } = assets(there);
    await Promise.all(Array.from({ length: 50 }, async () => readSubjects(env, START)));
    expect(addresses).toEqual(['https://assets.invalid/subjects.json']);
    expect(readSubjects(env, START + 60_000)).toBeNull();
    expect(providerSubject('opsgenie')).toBe(subjects.opsgenie);
    expect(providerSubject('airtable')).toBeUndefined();
    expect(providerSubject('constructor')).toBeUndefined();
  });

  it.each([
    ['were not deployed', async () => new Response('not found', { status: 404 })],
    ['are cut off', async () => new Response('{"opsgenie": "#{{')],
    ['do not come', async () => Promise.reject(new Error('network'))],
  ])('that %s fail no webhook: the log has it, and the next read asks again', async (_, answer) => {
    const { providerSubject, readSubjects } = await subjectsAnew();
    const { env } = assets(answer, there);
    const logged = warnings();
    await readSubjects(env, START);
    expect(logged).toMatchObject([{ stage: 'subjects.read.failed' }]);
    expect(providerSubject('opsgenie')).toBeUndefined();
    await readSubjects(env, START);
    expect(providerSubject('opsgenie')).toBe(subjects.opsgenie);
  });

  it('that do not arrive hold up a webhook for two seconds at most', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { readSubjects } = await subjectsAnew();
    const { env } = assets(() => new Promise(() => undefined));
    const waits = readSubjects(env, START);
    await vi.advanceTimersByTimeAsync(2_000);
    await expect(waits).resolves.toBeUndefined();
  });
});

describe('the file of subjects', () => {
  rule('has lines of providers that there are, in Liquid', Object.entries(subjects), (id, text) => {
    expect(providers.has(id)).toBe(true);
    expect(compileText(text).ok).toBe(true);
  });
});
