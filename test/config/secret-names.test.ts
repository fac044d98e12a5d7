import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { nameForSecretOf } from '../../src/config/name-for-secret.ts';
import { notifySecret, secretNameErrors, sourceSecret } from '../../src/config/secret-names.ts';
import { NAME } from '../../src/config/name.ts';
import type { ConfigSet } from '../../src/config/schema.ts';
import { SECRET_NAME } from '../../src/lib/secret.ts';
import { setOf } from './support.ts';
import { bindings } from '../bindings.ts';

const errors = (parts: Partial<ConfigSet>) => secretNameErrors(compileConfig(setOf(parts), 1).config);

const SOURCE = { verify: { scheme: 'token', in: 'path' } };
const reporting = (secret: string) => ({ notify: { url: 'https://x.example/{secret}', secret } });

const secretNames = fc.oneof(
  fc.stringMatching(SECRET_NAME),
  fc.stringMatching(/^[A-Z0-9_]{0,9}$/).map((rest) => `NOTIFY_${rest}`),
);

describe('the name of a secret', () => {
  it('is taken from a source or from a notice, and never from both', () =>
    fc.assert(
      fc.property(secretNames, (name) => {
        // Hookbell's own credentials are refused by the schema already, in both places.
        fc.pre(!/^(ADMIN_|ACCESS_|GATEWAY_)/.test(name));
        const bySource = errors({ sources: { shop: { ...SOURCE, secrets: [name] } } });
        const byNotice = errors({ accounts: { default: reporting(name) } });
        expect(bySource.length + byNotice.length).toBe(1);
      }),
    ));

  it('gives its value to a source or to a notice, and never to both', () =>
    fc.assert(
      fc.property(secretNames, (name) => {
        const env = bindings({ [name]: 'its-value' });
        expect(
          [sourceSecret(env, name), notifySecret(env, name)].filter((value) => value === 'its-value'),
        ).toEqual(['its-value']);
      }),
    ));

  it('says of each place where it stands what to name instead', () => {
    const sources = {
      shop: { ...SOURCE, secrets: ['HOOK_SECRET', 'NOTIFY_PATH'] },
      chat: { provider: 'meta-whatsapp', secrets: ['HOOK_SECRET'], handshake: { secret: 'NOTIFY_X' } },
    };
    expect(
      errors({ sources, accounts: { default: reporting('NOTIFY_PATH'), sales: reporting('OPS_PATH') } }),
    ).toEqual([
      {
        path: 'sources.shop.secrets[1]',
        message:
          'begins with NOTIFY_, which is reserved for `notify`: set it under another name, such as `npx wrangler secret put HOOK_PATH`, and use that name',
      },
      {
        path: 'sources.chat.handshake.secret',
        message:
          'begins with NOTIFY_, which is reserved for `notify`: set it under another name, such as `npx wrangler secret put HOOK_X`, and use that name',
      },
      {
        path: 'accounts.sales.notify.secret',
        message:
          'must begin with NOTIFY_, so that no notification can reveal a source’s secret: set it again, `npx wrangler secret put NOTIFY_OPS_PATH`, and use that name',
      },
    ]);
  });
});

describe('the name that is proposed for the secret of a source', () => {
  it('is one that the source may name, whatever the source is called', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.stringMatching(NAME), fc.constantFrom('notify', 'Gateway-x', 'notify-', '9')),
        (id) => {
          const set = setOf({ sources: { [id]: { ...SOURCE, secrets: [nameForSecretOf(id)] } } });
          const { config, errors: wrong } = compileConfig(set, 1);
          expect([...wrong, ...secretNameErrors(config)]).toEqual([]);
        },
      ),
    ));
});
