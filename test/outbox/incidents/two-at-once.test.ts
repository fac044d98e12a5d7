import { describe, expect, it } from 'vitest';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, route, PHONE, item } from './bench.ts';
import { refOf } from './said.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const OTHER = '4915112345679';
const inc = (over: object) => ({ key: '{{ item.name }}', resolved: 'item.status == "resolved"', ...over });

const quietUntil = (to: string): object => ({
  recipients: { team: { numbers: [PHONE], quiet: { from: '11:00', to, timezone: 'UTC', do: 'hold' } } },
});

const teamOf = (...numbers: readonly string[]): object => ({ recipients: { team: { numbers } } });

describe('two ordinary things at once', () => {
  it('a call that fails leaves the incident as its receiver knew it', () =>
    inStorage(async ({ storage }) => {
      const b = new IncidentsBench(storage, [route({ incident: inc({ repeat: '1h' }) })]);
      await b.fire('a');
      b.ends = null;
      await b.resolve('a');
      await b.fire('a');
      await b.end('failed');
      b.ends = 'sent';
      await b.retry();
      await b.crash();
      await b.pass(3 * HOUR);
      expect(b.sent.length).toBeGreaterThan(1);
    }));

  it('what fires after it expired is new, although a call was under way', () =>
    inStorage(async ({ storage }) => {
      const b = new IncidentsBench(storage, [route({ incident: inc({ repeat: '50m', expires: '1h' }) })]);
      await b.fire('a');
      b.ends = null;
      await b.pass(50 * MINUTE);
      await b.pass(10 * MINUTE + 1000);
      await b.fire('a');
      await b.end('failed');
      b.ends = 'sent';
      await b.retry();
      expect(b.sent.length).toBeGreaterThan(1);
    }));

  it('quiet hours that are running end when they would have, whatever is published', () =>
    inStorage(async ({ storage }) => {
      const b = new IncidentsBench(storage, [route({ to: 'team' })], quietUntil('13:00'));
      await b.fire('a');
      await b.publish([route({ to: 'team' })], quietUntil('18:00'));
      await b.pass(2 * HOUR);
      expect(b.sent).toHaveLength(1);
    }));

  it('what was missed in quiet hours is counted in one message, however often it is looked at before that is sent', () =>
    inStorage(async ({ storage }) => {
      const b = new IncidentsBench(storage, [route({ to: 'team' })], quietUntil('13:00'));
      await b.fire('a');
      await b.resolve('a');
      b.isSending = false;
      await b.pass(2 * HOUR);
      await b.publish([route({ to: 'team' })], quietUntil('13:00'));
      expect(b.messages).toHaveLength(1);
      b.isSending = true;
      await b.run();
      expect(b.sent).toEqual([expect.stringContaining('1 opened and resolved meanwhile')]);
    }));

  it('who is back on a list was notified of nothing yet', () =>
    inStorage(async ({ storage }) => {
      const b = new IncidentsBench(storage, [route({ to: 'team' })], teamOf(PHONE, OTHER));
      await b.take(item('a', { phones: [PHONE, OTHER] }));
      await b.take(item('a', { phones: [PHONE, OTHER], isResolved: true }));
      await b.publish([route({ to: 'team' })], teamOf(PHONE));
      await b.take(item('a', { phones: [PHONE] }));
      b.isSending = false;
      await b.publish([route({ to: 'team' })], teamOf(PHONE, OTHER));
      const i = b.incident(refOf('a', OTHER));
      expect(i.notifiedIn).toBeNull();
    }));

  it('who joins is notified of what is open in one message, whatever the groups wait for', () =>
    inStorage(async ({ storage }) => {
      const r = route({ to: 'team', group: { by: ['{{ item.name }}'], wait: '30s', interval: '5m' } });
      const b = new IncidentsBench(storage, [r], teamOf(PHONE, OTHER));
      await b.take(item('z', { phones: [PHONE, OTHER], group: 'z' }));
      await b.pass(MINUTE);
      await b.publish([r], teamOf(PHONE));
      await b.take(item('a', { phones: [PHONE], group: 'a' }), item('b', { phones: [PHONE], group: 'b' }));
      await b.publish([r], teamOf(PHONE, OTHER));
      await b.pass(MINUTE);
      expect(b.messages.filter((m) => m.phone === OTHER)).toHaveLength(2);
    }));

  it('what was notified in the night is not counted as missed after a restart', () =>
    inStorage(async ({ storage }) => {
      const over = {
        recipients: {
          team: {
            numbers: [PHONE],
            quiet: { from: '13:00', to: '18:00', timezone: 'UTC', do: 'hold', resolved: 'send' },
          },
        },
      };
      const run = async (isCrash: boolean) => {
        const b = new IncidentsBench(storage, [route({ to: 'team' })], over);
        await b.fire('a');
        await b.pass(2 * HOUR);
        await b.fire('b');
        await b.pass(MINUTE);
        await b.resolve('a');
        await b.pass(MINUTE);
        await b.resolve('a');
        await b.pass(MINUTE);
        if (isCrash) await b.crash();
        await b.pass(6 * HOUR);
        return b.messages.map((m) => [m.text, m.state, m.about?.form]);
      };
      const plain = await run(false);
      const crashed = await run(true);
      expect(crashed).toEqual(plain);
    }));

  it('a repeat comes after its time, although the incident that kept the time expired before a restart', () =>
    inStorage(async ({ storage }) => {
      const group = { wait: '1s', interval: '1m' };
      const b = new IncidentsBench(storage, [
        route({ group, incident: inc({ repeat: '30m', expires: '50m' }) }),
      ]);
      await b.take(item('a', { group: 'x' }), item('b', { group: 'x' }));
      await b.pass(45 * MINUTE);
      await b.take(item('a', { group: 'x' }));
      await b.pass(7 * MINUTE);
      const before = b.sent.length;
      await b.crash();
      expect(b.sent).toHaveLength(before);
      await b.pass(9 * MINUTE);
      expect(b.sent).toHaveLength(before + 1);
    }));
});
