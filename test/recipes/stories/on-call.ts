import { at, storm, type Story } from '../story.ts';
import { alerts, robot } from '../webhooks.ts';

export const PHONES = ['4915112345678', '4915112345679', '4915112345680'] as const;

const disk = {
  name: 'DiskFillsUp',
  instance: 'db-1',
  severity: 'warning',
  summary: 'The disk of db-1 will be full in 20 hours',
} as const;
const errors = {
  name: 'HighErrorRate',
  instance: 'web-1',
  severity: 'critical',
  summary: '12% of requests fail',
} as const;
const down = (n: number) =>
  ({
    name: 'InstanceDown',
    instance: `web-${n + 1}`,
    severity: 'critical',
    summary: `web-${n + 1} is down`,
    service: `service-${(n % 10) + 1}`,
  }) as const;

/** A warning and a critical alert in the same night, and a storm of forty on Wednesday. */
export const onCall: Story = {
  recipe: 'on-call',
  title: 'A week of three on call: nights, a storm, a cluster that alerts twice',
  phones: { [PHONES[0]]: 'Anna', [PHONES[1]]: 'Ben', [PHONES[2]]: 'Cleo' },
  posts: [
    at('Mon 11:00', alerts('alertmanager', [disk], 'firing')),
    at('Mon 12:30', alerts('alertmanager', [disk], 'resolved')),
    at('Tue 02:00', alerts('alertmanager', [disk], 'firing')),
    at('Tue 02:30', alerts('alertmanager', [errors], 'firing')),
    at('Tue 03:50', alerts('alertmanager', [errors], 'resolved')),
    at('Tue 06:00', alerts('alertmanager', [disk], 'firing', ', still')),
    at('Tue 09:00', alerts('alertmanager', [disk], 'resolved')),
    at('Wed 15:00', robot('Down')),
    ...storm('Wed 15:00:05', { count: 40, everyMs: 250 }, (n) => alerts('alertmanager', [down(n)], 'firing')),
    ...storm('Wed 15:30', { count: 40, everyMs: 250 }, (n) => alerts('alertmanager', [down(n)], 'resolved')),
    at('Wed 15:31', robot('Up')),
    at('Thu 10:00', alerts('alertmanager', [errors], 'firing')),
    at('Thu 10:00:03', alerts('alertmanager', [errors], 'firing', ', from the other Alertmanager')),
    at('Thu 10:20', alerts('alertmanager', [errors], 'resolved')),
    at('Fri 16:00', robot('Down')),
    at('Fri 18:30', { ...robot('Up'), what: 'the shop is up, sent 90 minutes late' }),
  ],
};
