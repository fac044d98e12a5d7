/** A secret of the right shape for each maker, by the ends of their names; none of them is a word. */
export const SECRETS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ntfy: { TOKEN: 'tk_canaryNtfy0123456789' },
  telegram: { TOKEN: '123456789:canaryTelegram_0123456789' },
  pushover: { TOKEN: 'canaryPushover0123456789012345' },
  signal: { AUTHORIZATION: 'Basic canarySignal0123456789' },
  waha: { API_KEY: 'canary-waha-0123456789' },
  evolution: { API_KEY: 'canary-evolution-0123456789' },
  'whatsapp-cloud': { TOKEN: 'canary-whatsapp-0123456789' },
  http: { KEY: 'canary-by-hand-0123456789' },
  twilio: { ACCOUNT_SID: 'ACcanary0123456789', AUTH_TOKEN: 'canary-twilio-0123456789' },
};

/** The options that each needs. */
export const OPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  evolution: { instance: 'shop' },
  signal: { number: '+4915100000000' },
  'whatsapp-cloud': { phone_number_id: '106540352242922' },
  twilio: { from: '+15550100000' },
};

/** A receiver of each. */
export const receiverOf = (maker: string): string => ADDRESSES[maker] ?? '4915112345678';

/** Receivers of those that have addresses of their own. */
export const ADDRESSES: Readonly<Record<string, string>> = {
  ntfy: 'hookbell-k3x9q2',
  telegram: '7215550100',
  pushover: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG',
};

/** The bindings of an account of that maker, by its name in upper case. */
export const bindingsOf = (maker: string, account: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(SECRETS[maker] ?? {}).map(([end, value]) => [`GATEWAY_${account}_${end}`, value]),
  );

/** The accounts of the tests' relay: one for each maker. */
export const makerBindings = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(SECRETS).flatMap((maker) =>
      Object.entries(bindingsOf(maker, accountOf(maker).toUpperCase().replaceAll('-', '_'))),
    ),
  );

export const accountOf = (maker: string): string => `with-${maker}`;
