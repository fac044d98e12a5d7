import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { idOfName } from '../../../src/outbox/incidents/incident-id.ts';
import { eventually } from '../../eventually.ts';
import { hookbell, json, OPEN_SET, post, publish } from '../support.ts';

const PHONE = '4915112345681';

const list = z.object({
  items: z.array(z.object({ id: z.string(), key: z.string(), state: z.string() })),
  next_cursor: z.string().nullable(),
});

const fire = (key: string, status = 'firing') => post('alerts', { key, status });

const read = async (...args: readonly string[]): Promise<string> => (await hookbell(args)).stdout;
const show = () => read('incidents', 'show', 'alerts/on-call/router');

describe('incidents', () => {
  let event: string;

  beforeAll(async () => {
    await publish({
      ...OPEN_SET,
      sources: {
        alerts: {
          verify: { scheme: 'none' },
          limit: false,
          routes: [
            {
              name: 'on-call',
              to: PHONE,
              incident: { key: '{{ payload.key }}', resolved: 'payload.status == "resolved"' },
              send: { kind: 'text', message: '{{ count }} firing' },
            },
          ],
        },
      },
    });
    ({ event } = await fire('disk'));
    await fire("Ada's \u001b[2J disk");
    await eventually(async () => expect(await read('events', event)).toContain('notified in msg_'));
  });

  it('are listed in lines of at most 80 columns, with a command that shows one', async () => {
    const { code, stdout, stderr } = await hookbell(['incidents'], { columns: 80 });
    expect(code).toBe(0);
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^STARTED +STATE +FOR +FIRED +INCIDENT +RECEIVERS$/);
    expect(rows.join('\n')).toMatch(/open +\d+ s +1× +alerts\/on-call\/disk +1 notified$/m);
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(80);
    expect(stderr).toMatch(/^show: HOOKBELL_URL=\S+ npx hookbell incidents show (alerts|inc_)/);
    expect(stdout + stderr).not.toContain('\u001b');
    expect(await read('incidents', 'list', '--source', 'never')).toBe('no incidents\n');
    const { items } = await json(['incidents', 'list', '--limit', '1'], list);
    expect(items).toHaveLength(1);
  });

  it('are shown with who was notified, by name and by id', async () => {
    const shown = await hookbell(['incidents', 'show', 'alerts/on-call/disk']);
    expect(shown.stdout).toMatch(/^incident +alerts\/on-call\/disk$/m);
    expect(shown.stdout).toMatch(new RegExp(`^${PHONE} +notified +1 notified$`, 'm'));
    expect(shown.stdout).toMatch(new RegExp(`^\\S+ +${PHONE} +msg_\\w+ +(queued|sending|sent) +1$`, 'm'));
    expect(shown.stderr).toMatch(
      /^acknowledge: HOOKBELL_URL=\S+ npx hookbell incidents acknowledge alerts\/on-call\/disk\n$/,
    );
    const id = idOfName('alerts/on-call/disk');
    expect(await json(['incidents', 'show', id], z.object({ id: z.string() }))).toEqual({ id });
  });

  it('are in their event and their message', async () => {
    const notified = /disk +4915112345681 +notified in (msg_\w+)/.exec(await read('events', event));
    const message = await read('messages', notified?.[1] ?? '');
    expect(message).toMatch(/^notifies of +1 new, 0 resolved, 1 open$/m);
    expect(message).toMatch(/^incidents +alerts\/on-call\/disk$/m);
  });

  it('are acknowledged', async () => {
    await fire('fan');
    const { code, stdout } = await hookbell(['incidents', 'acknowledge', 'alerts/on-call/fan']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^alerts\/on-call\/fan is acknowledged, by \S+ at \d{4}-\S+ \S+; (nobody gets a message|1 receiver will be notified that somebody has it, unless they already were)\n/,
    );
    const { items } = await json(['incidents', '--state', 'acknowledged'], list);
    expect(items.map(({ key }) => key)).toEqual(['fan']);
  });

  it('are resolved by hand, once', async () => {
    const { code, stdout } = await hookbell(['incidents', 'resolve', 'alerts/on-call/fan']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^alerts\/on-call\/fan is resolved; (nobody has to be notified|1 receiver will be notified)/,
    );
    const again = await hookbell(['incidents', 'resolve', 'alerts/on-call/fan']);
    expect(again).toMatchObject({ code: 1, stderr: 'hookbell: the incident is not open\n' });
    const { items } = await json(['incidents', '--state', 'resolved'], list);
    expect(items.map(({ key }) => key)).toEqual(['fan']);
  });

  it('are listed only if they are critical, when asked for those', async () => {
    expect((await json(['incidents', '--critical'], list)).items).toEqual([]);
    await post('alerts', { key: 'core', status: 'firing', severity: 'critical' });
    const { items } = await json(['incidents', '--critical'], list);
    expect(items.map(({ key }) => key)).toEqual(['core']);
  });

  it.each([
    [
      ['incidents', 'show', 'disk'],
      1,
      /`disk` is not an incident: give its id \(inc_…\), or source\/route\/key/,
    ],
    [['incidents', 'show', 'alerts/on-call/none'], 1, /there is no such incident/],
    [['incidents', 'resolve', 'alerts/on-call/none'], 1, /there is no such incident/],
    [['incidents', 'show'], 2, /missing required argument/],
    [
      ['incidents', 'list', '--state', 'opened'],
      1,
      /state: must be one of open, acknowledged, resolved; did you mean `open`\?/,
    ],
    [['incidents', '--cursor', 'nonsense'], 1, /`cursor` must be a `next_cursor`/],
    [['events', 'inc_YQ'], 1, /inc_YQ is an incident: `\S+ npx hookbell incidents show inc_YQ` shows it/],
  ])('says what is wrong with %j', async (args, exit, message) => {
    const { code, stdout, stderr } = await hookbell(args);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

describe('an incident that escalates', () => {
  const [LEAD, BOSS] = ['4915112345682', '4915112345683'] as const;

  it('is shown with the steps that were taken, and with who is notified next', async () => {
    const route = {
      name: 'on-call',
      to: PHONE,
      incident: { key: '{{ payload.key }}' },
      escalate: [
        { after: '1s', to: LEAD },
        { after: '2h', to: BOSS },
      ],
      send: { kind: 'text', message: '{{ count }} firing' },
    };
    await publish({
      ...OPEN_SET,
      sources: { alerts: { verify: { scheme: 'none' }, limit: false, routes: [route] } },
    });
    await fire('router');
    await eventually(async () => expect(await show()).toMatch(new RegExp(`^escalated +to ${LEAD} at `, 'm')));
    expect(await show()).toMatch(new RegExp(`^next +${BOSS} at `, 'm'));
    await hookbell(['incidents', 'acknowledge', 'alerts/on-call/router']);
    expect(await show()).not.toMatch(/^next /m);
  });
});
