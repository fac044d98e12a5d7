import { at, storm, type Story } from '../story.ts';
import { alerts, backup, disk, monitor } from '../webhooks.ts';

export const ME = '4915112345678';

const memory = {
  name: 'HighMemory',
  instance: 'nas',
  severity: 'warning',
  summary: 'nas uses 92 % of its memory',
} as const;
const heat = { name: 'TooHot', instance: 'nas', severity: 'critical', summary: 'nas is at 84 °C' } as const;

/** No internet on Thursday, a disk fails on Friday night, and on Saturday the backup does not even start. */
export const homeServer: Story = {
  recipe: 'home-server',
  title: 'A week of a home server: backups, disks, an internet outage',
  chosen: 'grafana',
  phones: { [ME]: 'You', ntfy: 'ntfy, the owner’s channel' },
  posts: [
    at('Mon 03:00', backup(0)),
    at('Tue 01:10', monitor(1, 'Photos', 'down')),
    at('Tue 02:00', monitor(1, 'Photos', 'up')),
    at('Tue 03:00', backup(0)),
    at('Tue 20:00', alerts('grafana', [memory], 'firing')),
    at('Tue 23:30', alerts('grafana', [memory], 'resolved', ', at night')),
    at('Wed 02:20', alerts('grafana', [heat], 'firing')),
    at('Wed 02:50', alerts('grafana', [heat], 'resolved')),
    at('Wed 03:00', backup(1)),
    at('Wed 08:30', alerts('grafana', [memory], 'resolved', ', posted again, 9 h late')),
    at('Thu 03:00', backup(0)),
    ...storm('Thu 14:00', { count: 40, everyMs: 500 }, (n) => monitor(10 + n, `Service ${n + 1}`, 'down')),
    ...storm('Thu 14:20', { count: 40, everyMs: 500 }, (n) => monitor(10 + n, `Service ${n + 1}`, 'up')),
    at('Fri 02:00', disk()),
    at('Fri 02:30', disk()),
    at('Fri 03:00', backup(0)),
    at('Sun 09:00', backup(0)),
  ],
};
