import { expect, it } from 'vitest';
import { compileConfig } from '../../../src/config/compile/compile.ts';
import { EMPTY_SET } from '../../../src/config/documents/schema.ts';
import { PHONE } from '../support.ts';

const text = (message: string) => ({ kind: 'text', message });
const YES = { approve: { label: 'Yes' } };
const OPEN = { verify: { scheme: 'none' } };

/** What is wrong with these routes. */
const faultsOf = (routes: readonly object[], templates: Record<string, object> = {}) => {
  const named = routes.map((route, at) => ({ name: `r${at}`, to: PHONE, ...route }));
  const { errors } = compileConfig(
    { ...EMPTY_SET, sources: { shop: { ...OPEN, routes: named } }, templates },
    1,
  );
  return errors.map(({ path, message }) => [path.replace('sources.shop.routes', ''), message] as const);
};

it('a document whose actions say too little or the wrong thing is refused, with the place and the reason', () => {
  const send = text('x');
  for (const [actions, place, said] of [
    [{ start: { label: 'x' } }, '.start', 'reserved for opting in again'],
    [{ ack: { label: 'x' } }, '.ack', 'add `incident`'],
    [{ resolve: {} }, '.resolve', 'add `incident`'],
    [{ approve: {} }, '.approve.label', 'is required'],
    [{ approve: { label: 'x', expires: '90d' } }, '.approve.expires', 'between 1m and 30d'],
    [{ 'a b': { label: 'x' } }, '.a b', 'is not an action name'],
    [{ approve: { label: '{{ payload.x | nope }}' } }, '.approve.label', 'nope'],
  ] as const)
    expect([actions, faultsOf([{ actions, send }])]).toEqual([
      actions,
      [[`[0].actions${place}`, expect.stringContaining(said)]],
    ]);
  const incident = { key: '{{ payload.id }}' };
  for (const [actions, place] of [
    [{ silence_1h: {} }, '.silence_1h.silence'],
    [{ quiet: { label: 'Quiet', silence: '1h' } }, '.quiet.silence'],
    [{ silence: { silence: '25:00' } }, '.silence.silence'],
    [{ silence: { silence: '10s' } }, '.silence.silence'],
  ] as const)
    expect([actions, faultsOf([{ actions, send, incident }]).map(([path]) => path)]).toEqual([
      actions,
      [`[0].actions${place}`],
    ]);
});

it('a document whose template names an action that its route does not have is refused', () => {
  const said = expect.stringContaining('there is no action `aprove`; did you mean `approve`?') as unknown;
  expect(faultsOf([{ actions: YES, send: text('{{ actions.aprove.url }}') }])).toEqual([
    ['[0].actions', said],
  ]);
  const routes = [
    { template: 'ask', actions: YES },
    { template: 'ask', actions: {} },
  ];
  const faults = faultsOf(routes, { ask: text('{{ actions.approve.url }}') });
  expect(faults.map(([path]) => path)).toEqual(['[1].actions']);
});
