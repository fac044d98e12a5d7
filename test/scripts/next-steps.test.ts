import { describe, expect, it } from 'vitest';
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
const text = (over: Partial<Parameters<typeof nextSteps>[0]> = {}): string =>
  nextSteps({ ...facts, ...over }).join('\n');

describe('what npm start says to do next', () => {
  it('names the token, the wizard, the tail, and the two pages', () => {
    expect(text()).toContain('\n  export HOOKBELL_TOKEN=demo-admin-token\n');
    expect(text()).toContain('\n  npx hookbell init\n');
    expect(text()).toContain('\n  npx hookbell tail\n');
    expect(text()).toContain('http://localhost:8788\n');
    expect(text()).toContain('http://localhost:8787/admin/api/v1/docs\n');
  });

  it('names the page with a form where the demo is in force', () => {
    const pageUrl = 'http://localhost:8788/contact';
    expect(text()).not.toContain('/contact');
    expect(text({ pageUrl })).toMatch(/^A form that messages it: http:\/\/localhost:8788\/contact$/m);
  });

  it('has the console’s address, and a link that signs in there', () => {
    expect(text()).toContain(': http://localhost:8787/admin\n');
    expect(text()).toContain('\n  http://localhost:8787/admin#code=x\n');
  });

  it('has the relay’s address in its commands when that is another', () => {
    const lines = text({ url: 'http://localhost:9999' }).split('\n');
    for (const line of lines.filter((one) => one.includes('npx hookbell')))
      expect(line).toContain('  HOOKBELL_URL=http://localhost:9999 npx hookbell ');
  });

  it('never has a person’s own token, only where the shell finds it', () => {
    const ofFile = text({ demo: demoVars({ ADMIN_TOKEN: 'my own' }, '', '') });
    expect(ofFile).toContain(
      `export HOOKBELL_TOKEN="$(node --env-file=.dev.vars -p 'process.env.ADMIN_TOKEN')"`,
    );
    const ofEnvironment = text({ demo: demoVars({}, 'my own', '') });
    expect(ofEnvironment).toContain('export HOOKBELL_TOKEN="$ADMIN_TOKEN"');
    expect(ofFile + ofEnvironment).not.toContain('my own');
  });

  it('has a preview where every source takes only signed webhooks, and neither without a source', () => {
    expect(text()).toContain('npx hookbell preview shop --samples');
    expect(text()).not.toContain('curl');
    expect(text({ sources: { ...facts.sources, open: { verify: { scheme: 'none' } } } })).toContain('curl');
    expect(text({ sources: {} })).not.toMatch(/curl|preview/);
  });
});
