import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { demoVars } from '../../cli/dev/demo-vars.ts';
import { DEMO_SECRETS } from '../../cli/dev/demo-webhooks.ts';

const SIMULATOR = 'http://127.0.0.1:8788';
const account = fc.constantFrom('', 'SALES_', 'A_B_');
const ofGateway = fc
  .tuple(account, fc.constantFrom('BASE_URL', 'EMAIL', 'API_KEY', 'APP_KEY'))
  .map(([name, part]) => `GATEWAY_${name}${part}`);
const other = fc.constantFrom(...Object.keys(DEMO_SECRETS), 'ADMIN_TOKEN', 'SHOP_SECRET', 'CALLS_PER_RUN');
const value = fc.string({ minLength: 1 });

describe('the values under npm start', () => {
  it('are the person’s wherever there is one, and then the demo signs with it', () => {
    fc.assert(
      fc.property(fc.dictionary(other, value), (devVars) => {
        const demo = demoVars(devVars, '', SIMULATOR);
        expect(demo.vars).toMatchObject(devVars);
        expect(demo.own).toEqual(Object.keys(devVars));
        expect(demo.secrets).toEqual({ ...DEMO_SECRETS, ...pick(devVars, Object.keys(DEMO_SECRETS)) });
        expect(demo.adminToken).toBe(demo.vars['ADMIN_TOKEN']);
        for (const name of Object.keys(devVars)) expect(demo.originOf(name)).toBe('.dev.vars');
      }),
    );
  });

  it('are the simulator’s for every gateway that the person has, so that no real phone is reached', () => {
    fc.assert(
      fc.property(fc.dictionary(ofGateway, fc.constant('real')), (devVars) => {
        const { vars, own, unused } = demoVars(devVars, '', SIMULATOR);
        expect(Object.values(vars)).not.toContain('real');
        for (const name of Object.keys(vars).filter((one) => one.endsWith('BASE_URL')))
          expect(vars[name]).toBe(`${SIMULATOR}/api`);
        expect(unused).toEqual(Object.keys(devVars));
        expect(own).toEqual([]);
      }),
    );
  });

  it('take the admin token of the environment before the one of .dev.vars, and the demo’s where there is no other', () => {
    const demo = demoVars({ ADMIN_TOKEN: 'of the file' }, 'of the environment', SIMULATOR);
    expect([demo.adminToken, demo.vars['ADMIN_TOKEN']]).toEqual(['of the environment', 'of the environment']);
    expect([demo.originOf('ADMIN_TOKEN'), demo.own]).toEqual(['environment', []]);
    const none = demoVars({}, '', SIMULATOR);
    expect(none.secrets).toEqual(DEMO_SECRETS);
    expect(['STRIPE_WEBHOOK_SECRET', 'SHOP_SECRET'].map(none.originOf)).toEqual(['demo', undefined]);
  });
});

const pick = (vars: Readonly<Record<string, string>>, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(vars).filter(([name]) => names.includes(name)));
