import { BINDINGS, ConnectionLost, PLACES, RELAY, type CreateWorld } from '../simulation.ts';

const MINUTE_MS = 60_000;

/**
 * A first world, until there is a larger one: one sender that repeats until its event is accepted, a gateway that takes every call, and
 * the rule that nothing accepted is lost.
 */
export const createWorld: CreateWorld = (simulation) => {
  const { random } = simulation;
  const accepted = new Set<number>();
  const shown = new Set<number>();
  let isDone = false;

  simulation.outside('gateway.example', ({ body }) => {
    const message = new URLSearchParams(body).get('message') ?? '';
    const number = Number(/\d+$/.exec(message)?.[0]);
    shown.add(number);
    simulation.trace({ who: 'phone', what: 'shows', detail: { message } });
    return {
      kind: 'answer',
      afterMs: random.int(20, 200),
      response: Response.json({ success: true, data: { status_code: 200 } }),
    };
  });

  const post = async (path: string, body: unknown): Promise<number> => {
    const headers = {
      authorization: `Bearer ${BINDINGS['ADMIN_TOKEN']}`,
      'content-type': 'application/json',
    };
    const request = new Request(`${RELAY}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    try {
      const { status } = await simulation.request(random.pick(PLACES), request);
      return status;
    } catch (thrown) {
      if (thrown instanceof ConnectionLost) return 0;
      throw thrown;
    }
  };
  const untilTaken = async (path: string, body: unknown): Promise<void> => {
    for (let status = 0; status < 200 || status >= 300;) {
      status = await post(path, body);
      if (status !== 200) await simulation.sleep(MINUTE_MS);
    }
  };

  simulation.spawn('sender', async () => {
    await untilTaken('/admin/api/v1/config', SET);
    // Until every place has it.
    await simulation.sleep(2 * MINUTE_MS);
    const end = simulation.startedAt + simulation.duration;
    for (let number = 1; simulation.now() < end; number += 1) {
      await simulation.sleep(random.int(1, 10 * MINUTE_MS));
      simulation.count('webhooks');
      let status = 0;
      while (status === 0 || status >= 500) {
        status = await post('/hooks/alerts', { number });
        if (status < 300 && status > 0) accepted.add(number);
        else await simulation.sleep(MINUTE_MS);
      }
    }
    isDone = true;
  });

  const isLost = (number: number): boolean => !shown.has(number);
  return {
    settleMs: 2 * 60 * MINUTE_MS,
    isQuiet: () => isDone && ![...accepted].some(isLost),
    atQuiet: async () => {
      const lost = [...accepted].filter(isLost);
      if (lost.length > 0) simulation.report('nothing accepted is lost', `message ${lost.join(', ')}`);
    },
  };
};

const SET = {
  sources: {
    alerts: {
      provider: 'generic',
      verify: { scheme: 'none' },
      limit: false,
      dedupe: { key: '{{ payload.number }}', window: '3d' },
      routes: [
        {
          name: 'all',
          to: ['4915112345678'],
          send: { kind: 'text', message: 'number {{ payload.number }}' },
        },
      ],
    },
  },
  templates: {},
  recipients: {},
  accounts: { default: { per_recipient: false } },
};
