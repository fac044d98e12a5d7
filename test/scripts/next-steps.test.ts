import { expect, it } from 'vitest';
import { demoVars } from '../../cli/dev/demo-vars.ts';
import { nextSteps } from '../../cli/dev/next-steps.ts';

const facts: Parameters<typeof nextSteps>[0] = {
  url: 'http://localhost:8787',
  phoneUrl: 'http://localhost:8788',
  pageUrl: null,
  link: 'http://localhost:8787/admin#code=x',
  sources: { shop: { provider: 'stripe', secrets: ['STRIPE_WEBHOOK_SECRET'], routes: [] } },
  demo: demoVars({}, '', 'http://127.0.0.1:8788'),
  env: {},
};
const text = (over: Partial<typeof facts> = {}): string => nextSteps({ ...facts, ...over }).join('\n');

it('npm start names the token, the commands, the console with a link that signs in, and the pages', () => {
  for (const line of [
    '\n  export HOOKBELL_TOKEN=demo-admin-token\n',
    '\n  npx hookbell init\n',
    '\n  npx hookbell tail\n',
    ': http://localhost:8787/admin\n',
    '\n  http://localhost:8787/admin#code=x\n',
    'http://localhost:8788\n',
    'http://localhost:8787/admin/api/v1/docs\n',
  ])
    expect(text()).toContain(line);
});

it('npm start names the page with a form where the demo is active', () => {
  const pageUrl = 'http://localhost:8788/contact';
  expect(text()).not.toContain('/contact');
  expect(text({ pageUrl })).toMatch(/^A form that messages it: http:\/\/localhost:8788\/contact$/m);
});

it('the commands that npm start prints have the relay’s address when that is another', () => {
  const commands = text({ url: 'http://localhost:9999' }).match(/^.*npx hookbell.*$/gm) ?? [];
  expect(commands.length).toBeGreaterThan(1);
  for (const line of commands) expect(line).toContain('  HOOKBELL_URL=http://localhost:9999 npx hookbell ');
});

it('npm start never prints a person’s own token, only where the shell finds it', () => {
  const [ofFile, ofEnvironment] = [
    text({ demo: demoVars({ ADMIN_TOKEN: 'my own' }, '', '') }),
    text({ demo: demoVars({}, 'my own', '') }),
  ];
  expect(ofFile).toContain(
    `export HOOKBELL_TOKEN="$(node --env-file=.dev.vars -p 'process.env.ADMIN_TOKEN')"`,
  );
  expect(ofEnvironment).toContain('export HOOKBELL_TOKEN="$ADMIN_TOKEN"');
  expect(ofFile + ofEnvironment).not.toContain('my own');
});

it('npm start offers a preview where every source takes only signed webhooks, and neither without a source', () => {
  expect(text()).toContain('npx hookbell preview shop --samples');
  expect(text()).not.toContain('curl');
  expect(text({ sources: { ...facts.sources, open: { verify: { scheme: 'none' } } } })).toContain('curl');
  expect(text({ sources: {} })).not.toMatch(/curl|preview/);
});
