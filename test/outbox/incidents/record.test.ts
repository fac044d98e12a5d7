import { describe, expect, it } from 'vitest';
import { diskOf } from '../full-disk.ts';
import { route } from './bench.ts';
import { ANNA, BEN, CARL, staged, story, type Scene } from './story.ts';

const ofDb = () => ({ group: 'db' });
const SCENE: Scene = {
  routes: [route({ throttle: { max: 3, per: '10m' }, group: { wait: '1s', interval: '1s' } })],
  items: ofDb,
};

type Ends = 'sent' | 'failed' | 'uncertain';

/** Tells what comes after the end of a call about `a` and `b` was recorded while the disk was full, for one write of this kind. */
const afterFullDisk =
  (write: 'UPDATE incidents' | 'INTO subscribers', ends: Ends) =>
  (strings: TemplateStringsArray, ...values: readonly string[]): Promise<void> =>
    staged(SCENE, async (one, tell, { sql }) => {
      const disk = diskOf(sql, (query) => query.includes(write));
      await tell`calls pending; +a +b; 1m`;
      disk.fails = 1;
      await expect(one.end(ends)).rejects.toThrow('disk is full');
      expect(disk.fails).toBe(0);
      one.ends = 'sent';
      await tell(strings, ...values);
    });

describe('the end of a call that cannot be recorded at once', () => {
  it.each([
    ['UPDATE incidents', ''],
    ['UPDATE incidents', 'crash'],
    ['INTO subscribers', ''],
    ['INTO subscribers', 'crash'],
  ] as const)(
    'is recorded before what comes next (%s, %s)',
    (write, crash) => afterFullDisk(write, 'sent')`
      run                   > +a +b =2
      ${crash}; 10m; -a; 1m > -a =1
      -b                    > -b =0
      outcomes              > notified notified notified notified
    `,
  );

  it('is recorded before the message is tried again', () => afterFullDisk('UPDATE incidents', 'failed')`
    retry > +a +b =2
  `);

  it('may have arrived, and its resolution is due', () => afterFullDisk('UPDATE incidents', 'uncertain')`
    -a -b > -a -b =0
    retry; 1m
  `);

  it('takes one place of the throttle', () => afterFullDisk('INTO subscribers', 'sent')`
    run    > +a +b =2
    +c; 1m > +c =3
    +d; 1m > +d =4
    +e; 1m
  `);
});

describe('what is recorded before the configuration is read', () => {
  it('takes a place of the throttle, if the call may have arrived', () => story({
    routes: [route({ throttle: { max: 1, per: '10m' } })],
  })`
    calls pending; +a; crash; calls sent; -a +b > -a =0
    retry; 9m; 2m                               > +b =1
  `);

  it('is said by the next repeat, if a person has cancelled it', () => story({
    routes: [route({ incident: { key: '{{ item.name }}', repeat: '1h' } })],
  })`
    pause; +a; restart; cancel 1; go; crash; 59m; 2m > +a =1
  `);
});

it('the time of the last message stays known while all that is left is held back: the next repeat is not early', () => story(
  {
    routes: [
      route({ name: 'cluster', to: BEN, incident: { key: '{{ item.cluster }}' } }),
      route({
        group: { wait: '1s', interval: '1s' },
        incident: { key: '{{ item.name }}', repeat: '1h', inhibited_by: 'cluster/eu' },
      }),
    ],
    items: (name) => (name === 'eu' ? {} : { group: 'db', inhibitedBy: ['alerts/cluster/eu'] }),
  },
)`
    +a +b +c; 20m    > +a +b +c =3
    -a; 10m          > -a =2
    +cluster/eu @ben > ben: +eu =1
    1m; -c; 1m       > -c =1
    -cluster/eu @ben > ben: -eu =0
    1m; 40m; 20m     > =1
  `);

it.each(['@ben @anna @carl', '@anna @ben @carl', '@anna @carl @ben'])(
  'a receiver whose notification cannot be made keeps no other from being notified, and is notified later (%s)',
  (all) =>
    staged({ routes: [route({ to: [ANNA, BEN, CARL] })] }, async (one, tell) => {
      one.poisoned = BEN;
      await tell`+a ${all} > +a =1 | carl: +a =1`;
      one.poisoned = null;
      await tell`1m > ben: +a =1`;
    }),
);
