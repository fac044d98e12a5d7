import { DEMO_SECRETS, type DemoSecrets } from './demo-webhooks.ts';

export const DEMO_LOGIN = { email: 'demo@example.com', apiKey: 'demo-gateway-key' };
const DEMO_TOKEN = 'demo-admin-token';

type Vars = Readonly<Record<string, string>>;

/** The origin of a value. The demo's own values are not secret. */
type ValueOrigin = 'demo' | '.dev.vars' | 'environment';

export interface DemoVars {
  readonly vars: Vars;
  readonly adminToken: string;
  /** The secrets by which the demo's sources check webhooks. */
  readonly secrets: DemoSecrets;
  /** Undefined if there is no such variable. */
  readonly originOf: (name: string) => ValueOrigin | undefined;
  /** Names in `.dev.vars`: those in force, and those that the simulator's values replace. */
  readonly own: readonly string[];
  readonly unused: readonly string[];
}

/** The gateway of an account, and its login. */
const OF_AN_ACCOUNT = /^GATEWAY_(?:.+_)?(BASE_URL|EMAIL|API_KEY|APP_KEY)$/;

const part = (name: string): string | undefined => OF_AN_ACCOUNT.exec(name)?.[1];

/**
 * A person's own values always win over the demo's, except for gateways: the demo must not reach anybody's phone, so
 * every account uses the simulator.
 */
export function demoVars(devVars: Vars, tokenOfEnvironment: string, simulatorUrl: string): DemoVars {
  const unused = Object.keys(devVars).filter((name) => part(name) !== undefined);
  const own = Object.fromEntries(Object.entries(devVars).filter(([name]) => part(name) === undefined));
  const gateway: Vars = {
    BASE_URL: `${simulatorUrl}/api`,
    EMAIL: DEMO_LOGIN.email,
    API_KEY: DEMO_LOGIN.apiKey,
  };
  const simulated = ['GATEWAY_BASE_URL', 'GATEWAY_EMAIL', 'GATEWAY_API_KEY', ...unused].flatMap((name) => {
    const value = gateway[part(name) ?? ''];
    return value === undefined ? [] : [[name, value] as const];
  });
  const demo: Vars = { ...DEMO_SECRETS, ADMIN_TOKEN: DEMO_TOKEN, ...Object.fromEntries(simulated) };
  const environment: Vars = tokenOfEnvironment === '' ? {} : { ADMIN_TOKEN: tokenOfEnvironment };
  const inForce = (name: keyof DemoSecrets): string => own[name] ?? DEMO_SECRETS[name];
  return {
    // Last: other makers' gateways are simulated, too, whatever anybody sets.
    vars: { ...demo, ...own, ...environment, GATEWAY_STAND_INS: `${simulatorUrl}/makers` },
    adminToken: environment['ADMIN_TOKEN'] ?? own['ADMIN_TOKEN'] ?? DEMO_TOKEN,
    secrets: {
      STRIPE_WEBHOOK_SECRET: inForce('STRIPE_WEBHOOK_SECRET'),
      ALERTMANAGER_TOKEN: inForce('ALERTMANAGER_TOKEN'),
    },
    originOf: (name) => {
      if (name in environment) return 'environment';
      if (name in own) return '.dev.vars';
      return name in demo ? 'demo' : undefined;
    },
    own: Object.keys(own).filter((name) => !(name in environment)),
    unused,
  };
}
