import { expect, it } from 'vitest';
import { forPlace, placeAt, placeOfTenant, secretSteps, type RelayPlace } from '../../cli/place.ts';

const HERE: RelayPlace = { at: 'here' };
const CLOUDFLARE: RelayPlace = { at: 'cloudflare' };
const ACME = placeOfTenant({ name: 'acme', worker: 'hookbell-acme' });

it('a text of a relay says what to do on this machine, for a tenant, and at Cloudflare', () => {
  const here = 'put A_B into .dev.vars and restart `npm start`';
  const tenant = 'put A_B into tenants/acme/secrets.env and run `hookbell tenant deploy acme`';
  const login = 'refuses the token in HOOKBELL_TOKEN; check the address in --url or HOOKBELL_URL';
  const ofTenant =
    'refuses the token in tenants/acme/secrets.env; check the address in tenants/acme/tenant.yaml';
  for (const [text, onThisMachine, forTenant] of [
    ['npx wrangler secret put A_B', here, tenant],
    ['A_B is not set: `npx wrangler secret put A_B`', `A_B is not set: ${here}`, `A_B is not set: ${tenant}`],
    ['npx wrangler rollback', 'npx wrangler rollback', 'npx wrangler rollback --name hookbell-acme'],
    ['npx wrangler deploy', 'restart `npm start`', 'npx hookbell tenant deploy acme'],
    [
      'Correct it under [vars] in wrangler.toml, and deploy',
      'Correct it in .dev.vars, and restart `npm start`',
      'Correct it in tenants/acme/tenant.yaml, and deploy',
    ],
    [login, login, ofTenant],
  ] as const) {
    const said = [HERE, ACME, CLOUDFLARE].map((place) => forPlace(place, text));
    expect(said).toEqual([onThisMachine, forTenant, text]);
  }
});

it('says of a gateway’s login on this machine whose it is', () => {
  const login = 'npx wrangler secret put GATEWAY_EMAIL, npx wrangler secret put GATEWAY_API_KEY';
  expect(forPlace(HERE, `Set the login again (${login}), then npx hookbell resume default`)).toBe(
    'With `npm start`, the login goes to the simulator: turn off the failure that you set there (with another gateway, set GATEWAY_EMAIL and GATEWAY_API_KEY in .dev.vars), then npx hookbell resume default',
  );
});

it('a secret is set by Wrangler only at Cloudflare', () => {
  expect(secretSteps(CLOUDFLARE, 'A_B')).toEqual(['npx wrangler secret put A_B']);
  expect(secretSteps(HERE, 'A_B')[0]).toContain('.dev.vars:  A_B="…"');
  expect(secretSteps(ACME, 'A_B').join()).toContain('tenants/acme/secrets.env');
  expect([...secretSteps(HERE, 'A_B'), ...secretSteps(ACME, 'A_B')].join()).not.toContain('wrangler');
});

it('a relay is on this machine or at Cloudflare, by its address', () => {
  expect(placeAt('http://localhost:8720')).toEqual(HERE);
  expect(placeAt('http://127.0.0.1:8787')).toEqual(HERE);
  expect(placeAt('https://hookbell.example.workers.dev')).toEqual(CLOUDFLARE);
});
