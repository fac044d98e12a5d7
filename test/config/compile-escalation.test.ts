import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { namesOf, receiversOf } from '../../src/config/compile-escalation.ts';
import type { Route } from '../../src/config/config.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/duration.ts';
import { open, routeErrors, routeWith, setOf } from './support.ts';

const AT = 'sources.shop.routes[0]';
const BEN = '4915100000002';
const RECIPIENTS = {
  team: { people: { anna: '4915100000001' } },
  'second-line': { people: { ben: BEN } },
  nobody: { numbers: [] },
};
const INCIDENT = { incident: { key: '{{ payload.id }}' } };

const compiledWith = (change: object, recipients: object = RECIPIENTS) =>
  compileConfig(
    setOf({
      sources: { shop: open({ routes: [routeWith({ to: 'team', ...INCIDENT, ...change })] }) },
      recipients: { ...recipients },
    }),
    1,
  );

function routeOf(change: object): Route {
  const { config, errors } = compiledWith(change);
  const route = config.sources.get('shop')?.routes[0];
  if (route === undefined) throw new Error(JSON.stringify(errors));
  return route;
}

const errorsOf = (change: object): readonly string[] =>
  routeErrors({ to: 'team', ...INCIDENT, ...change }, { recipients: RECIPIENTS });

const warningsOf = (change: object, place = '.escalate'): readonly string[] =>
  compiledWith(change).warnings.flatMap(({ path, message }) =>
    path.includes(place) ? [`${path}: ${message}`] : [],
  );

describe('the steps of a route', () => {
  it('have the times and receivers of the document', () => {
    const route = routeOf({
      escalate: [
        { after: '10m', to: ['second-line', 'team/anna'] },
        { after: '1h', to: '+49 151 00000003' },
      ],
    });
    expect(route.escalate).toMatchObject([
      { afterMs: 10 * MINUTE, to: [{ numbers: [BEN] }, { numbers: ['4915100000001'] }] },
      { afterMs: HOUR, to: [{ numbers: ['4915100000003'] }] },
    ]);
    expect(route.escalate.map(namesOf)).toEqual([['second-line', 'team/anna'], ['4915100000003']]);
    expect(receiversOf(route)).toHaveLength(4);
  });

  it('are none, and who acknowledges an incident has it for a day, where nothing is said', () => {
    expect(routeOf({}).escalate).toEqual([]);
    expect(routeOf({}).alerting?.incident?.acknowledgedForMs).toBe(DAY);
    expect(routeOf({ acknowledged_for: '2h' }).alerting?.incident?.acknowledgedForMs).toBe(2 * HOUR);
  });

  it.each<[string, object, string]>([
    [
      'without an incident',
      { incident: undefined, escalate: [{ after: '10m', to: 'second-line' }] },
      `${AT}.escalate: needs \`incident\`: only an incident can be acknowledged`,
    ],
    [
      'of a time for acknowledgements without an incident',
      { incident: undefined, acknowledged_for: '1h' },
      `${AT}.acknowledged_for: needs \`incident\`: only an incident can be acknowledged`,
    ],
    [
      'that is not later than the one before',
      {
        escalate: [
          { after: '10m', to: 'second-line' },
          { after: '10m', to: BEN },
        ],
      },
      `${AT}.escalate[1].after: must be longer than that of the step before, 10m`,
    ],
    [
      'to a receiver from the payload',
      { escalate: [{ after: '10m', to: ['second-line', '{{ payload.phone }}'] }] },
      `${AT}.escalate[0].to: must be a number or a recipients list: there is no payload any more when a step is taken`,
    ],
    [
      'to a list that is not there',
      { escalate: [{ after: '10m', to: ['second-lin'] }] },
      `${AT}.escalate[0].to[0]: there is no recipients list \`second-lin\`; did you mean \`second-line\`?`,
    ],
    [
      'of a status',
      { to: undefined, send: { kind: 'status', text: 'x' }, escalate: [{ after: '10m', to: BEN }] },
      `${AT}.escalate[0].to: is refused here: a status goes to all contacts and has no receiver`,
    ],
  ])('%s are refused', (_, change, error) => {
    expect(errorsOf(change)).toEqual([error]);
  });

  it('are five at most, and not none', () => {
    const steps = Array.from({ length: 6 }, (_, at) => ({ after: `${at + 1}m`, to: BEN }));
    expect(errorsOf({ escalate: steps })).toEqual([expect.stringContaining(`${AT}.escalate`)]);
    expect(errorsOf({ escalate: [] })).toEqual([expect.stringContaining(`${AT}.escalate`)]);
    expect(errorsOf({ escalate: steps.slice(1) })).toEqual([]);
  });
});

describe('a route whose own lists are empty', () => {
  const escalate = [
    { after: '10m', to: 'nobody' },
    { after: '20m', to: ['nobody', 'second-line'] },
    { after: '30m', to: 'team' },
  ];

  it('begins with the first step that has receivers, and publishing says so', () => {
    const route = routeOf({ to: ['nobody'], escalate });
    expect(route.to.flatMap((one) => (one.from === 'document' ? one.numbers : []))).toEqual([BEN]);
    expect(route.escalate).toHaveLength(3);
    expect(warningsOf({ to: ['nobody'], escalate }, '.routes[0]')).toEqual([
      `${AT}.to: has no receivers, so incidents begin with step 2: fill its lists`,
      `${AT}.escalate[0].to: has no receivers, so the next step is taken at once: fill its lists`,
    ]);
  });

  it('has none where no step has any, and keeps one from a payload', () => {
    expect(routeOf({ to: 'nobody', escalate: escalate.slice(0, 1) }).to).toMatchObject([{ list: 'nobody' }]);
    expect(routeOf({ to: ['nobody', '{{ payload.phone }}'], escalate }).to).toMatchObject([
      { list: 'nobody' },
      { from: 'payload' },
    ]);
  });
});

describe('a warning', () => {
  it('names a step that notifies nobody new, or nobody at all', () => {
    expect(
      warningsOf({
        escalate: [
          { after: '10m', to: ['second-line', 'team'] },
          { after: '20m', to: ['team', BEN] },
          { after: '30m', to: 'nobody' },
        ],
      }),
    ).toEqual([
      `${AT}.escalate[1].to: notifies nobody new: all of them are notified earlier`,
      `${AT}.escalate[2].to: has no receivers, so the next step is taken at once: fill its lists`,
    ]);
  });

  it('names a step before the first message of its group', () => {
    const escalate = [{ after: '20s', to: 'second-line' }];
    expect(warningsOf({ escalate, group: { wait: '30s' } })).toEqual([
      `${AT}.escalate[0].after: is shorter than \`group.wait\`, 30s: nobody is notified by then`,
    ]);
    expect(warningsOf({ escalate, group: { wait: '20s' } })).toEqual([]);
    expect(warningsOf({ escalate })).toEqual([]);
  });
});
