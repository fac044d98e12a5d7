import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RESOLVES_NOTHING } from '../../../src/outbox/incidents/arrivals.ts';
import { runOf } from '../../../src/outbox/incidents/incident.ts';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, item, LINES, route, type SentMessage } from './bench.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const PHONES = ['4915100000001', '4915100000002'];
const CLUSTER = 'alerts/on-call/a';

const names = fc.subarray(NAMES, { minLength: 1 });

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('fire' as const),
      names,
      phone: fc.nat(1),
      cluster: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('resolve' as const), names, phone: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('lone' as const), names, phone: fc.nat(1) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(SECOND, 20 * SECOND, MINUTE, 7 * MINUTE, HOUR, 5 * HOUR),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('publish' as const), policy: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('send' as const), isSending: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), names }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('back' as const), ms: fc.constantFrom(SECOND, HOUR) }),
  },
);

/** The parts that a publish may change; the throttle stays, so that it can be counted. */
interface Policy {
  readonly route: object;
  readonly over?: object;
}

const POLICIES: readonly Policy[] = [
  { route: {} },
  { route: { group: { wait: '30s', interval: '5m' } } },
  { route: { group: { by: ['{{ item.x }}'], wait: '1s', interval: '1m', max: 2 } } },
  { route: { quiet: { from: '14:00', to: '18:00' } } },
  { route: { quiet: { from: '13:00', to: '20:00', do: 'digest' } } },
  { route: {}, over: { silences: { x: { when: 'item.name == "b" or item.name == "c"' } } } },
];

const policyOf = (index: number, throttle: object | null, incident: object) => {
  const { route: own, over } = POLICIES[index] ?? { route: {} };
  return {
    routes: [
      route({
        to: PHONES,
        incident: { key: '{{ item.name }}', resolved: 'item.x', ...incident },
        digest: { kind: 'text', message: LINES },
        ...(throttle !== null && { throttle }),
        ...own,
      }),
    ],
    over,
  };
};

/** Every name with what was said of it, in order: `+` it is open, `-` it has ended. */
function mentions(messages: readonly SentMessage[], phone: string): ReadonlyMap<string, string> {
  const said = new Map<string, string>();
  for (const { text, state, phone: to } of messages)
    if (state === 'sent' && to === phone)
      for (const word of text.matchAll(/([+-])(\w)/g))
        said.set(word[2] ?? '', (said.get(word[2] ?? '') ?? '') + (word[1] ?? ''));
  return said;
}

const isClosing = ({ about }: SentMessage): boolean =>
  about !== null && about.resolved > 0 && about.new + about.firing === 0;

const run = fc.record({
  steps: fc.array(step, { minLength: 5, maxLength: 40 }),
  policy: fc.nat(5),
  throttle: fc.constantFrom(null, { max: 1, per: '10m' }, [
    { max: 3, per: '10m' },
    { max: 5, per: '2h' },
  ]),
  repeat: fc.constantFrom({}, { repeat: '1h' }),
});

it('whatever comes, in whatever order each item has one outcome, what was reported as open is reported as ended, once, and no throttle is exceeded', () =>
  inStorage(({ storage }) =>
    fc.assert(
      fc.asyncProperty(run, async ({ steps, policy, throttle, repeat }) => {
        const first = policyOf(policy, throttle, repeat);
        const one = new IncidentsBench(storage, first.routes, first.over);
        for (const now of steps) {
          const phones = 'phone' in now ? [PHONES[now.phone] ?? ''] : [];
          if (now.do === 'fire') {
            const inhibitedBy = now.cluster ? [CLUSTER] : [];
            await one.take(...now.names.map((name) => item(name, { phones, inhibitedBy })));
          } else if (now.do === 'resolve')
            await one.take(...now.names.map((name) => item(name, { phones, isResolved: true })));
          else if (now.do === 'lone')
            await one.take(...now.names.map((name) => item(name.toUpperCase(), { key: null, phones })));
          else if (now.do === 'pass') await one.pass(now.ms);
          else if (now.do === 'back') one.now -= now.ms;
          else if (now.do === 'crash') await one.crash();
          else if (now.do === 'close')
            for (const key of now.names) {
              one.incidents.change({ source: 'alerts', route: 'on-call', key }, 'resolved', 'token');
              await one.run();
            }
          else if (now.do === 'publish') {
            const next = policyOf(now.policy, throttle, repeat);
            await one.publish(next.routes, next.over);
          } else {
            one.isSending = now.isSending;
            await one.run();
          }
        }
        one.isSending = true;
        const last = policyOf(0, throttle, repeat);
        await one.publish(last.routes, last.over);
        await one.pass(6 * HOUR);
        for (const phone of PHONES)
          await one.take(...NAMES.map((name) => item(name, { phones: [phone], isResolved: true })));
        await one.pass(DAY);

        expect(one.outcomes).not.toContain('waiting');
        expect(one.incidents.open.size).toBe(0);
        for (const { ref, n } of one.items.filter(({ n: nth }) => nth > RESOLVES_NOTHING)) {
          const seq = runOf(one.incident(ref), n)?.seq;
          if (seq !== undefined) expect([seq, one.messages[seq - 1]?.state]).toEqual([seq, 'sent']);
        }
        for (const phone of PHONES) {
          for (const [name, said] of mentions(one.messages, phone))
            if (name === name.toLowerCase())
              expect([name, said]).toEqual([name, '+-'.repeat(said.length / 2)]);
            else expect([name, said]).toEqual([name, '+'.repeat(said.length)]);
          const times = one.messages
            .filter((message) => message.phone === phone && message.state === 'sent' && !isClosing(message))
            .map(({ at }) => at);
          for (const { max, per } of [throttle ?? []].flat())
            for (const [index, at] of times.entries()) {
              const earlier = times[index - max];
              const length = per === '2h' ? 2 * HOUR : 10 * MINUTE;
              // A clock that was set back counts what came before as now.
              const isSetBack = steps.some((some) => some.do === 'back');
              if (typeof earlier === 'number' && at !== null && !isSetBack)
                expect(at - earlier).toBeGreaterThanOrEqual(length);
            }
        }
      }),
      { numRuns: 120 },
    ),
  ));
