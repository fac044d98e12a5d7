import { describe, expect, it } from 'vitest';
import { newMoment, readMoment } from '../../../../src/ingest/form/spam/moment.ts';

const env = { ADMIN_TOKEN: 'a token of the tests' };
const AT = 1_790_000_000_000;

describe('a moment', () => {
  it('says when it was given out', async () => {
    expect(await readMoment(env, 'contact', newMoment(env, 'contact', AT))).toBe(AT);
  });

  const moment = newMoment(env, 'contact', AT);
  const [time = '', code = ''] = moment.split('.');
  it.each([
    ['of another source', newMoment(env, 'booking', AT)],
    ['of another deployment', newMoment({ ADMIN_TOKEN: 'another token' }, 'contact', AT)],
    ['with an earlier time', `${Number(time) - 60_000}.${code}`],
    ['with a zero in front', `0${moment}`],
    ['with a blank', ` ${moment}`],
    ['without its code', time],
    ['of nothing', ''],
    ['that is long', '1'.repeat(100_000)],
  ])('%s is none', async (_, made) => {
    expect(await readMoment(env, 'contact', made)).toBeNull();
  });
});
