import { afterAll, expect, it } from 'vitest';
import { folderWith, hookbell, phoneUrl, post, publish, until } from './support.ts';

afterAll(() => publish());

const TOPIC = 'shop-k3x9q2vb';

const FILES = {
  'accounts/default.yaml': 'gateway: ntfy\n',
  'sources/own.yaml': `verify: { scheme: none }
routes:
  - name: all
    to: ${TOPIC}
    send: { kind: text, message: 'My own words: {{ payload.what }}' }
`,
};

/** What the ntfy phone of this topic shows. */
async function shown(): Promise<string> {
  return (await fetch(`${phoneUrl()}/_control/calls?phone=${TOPIC}`)).text();
}

it('two files and three commands put a newcomer’s own words on an ntfy phone, without any login', async () => {
  const folder = folderWith(FILES);
  const commands: readonly (readonly string[])[] = [
    ['check', folder],
    ['push', folder, '--yes'],
    ['gateway', 'check', '--to', TOPIC],
  ];
  for (const command of commands) {
    const run = await hookbell(command);
    expect(`${command[0]}: ${run.code} ${run.stderr}`).toMatch(/: 0 /);
  }
  await post('own', { what: 'hello phone' });
  await until(async () => (await shown()).includes('My own words: hello phone'), 'the message on the phone');
});
