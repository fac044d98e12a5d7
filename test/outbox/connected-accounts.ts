/** Accounts that have credentials in the tests, so that their messages go to the simulated gateway. */
export const CONNECTED_ACCOUNTS = Array.from({ length: 32 }, (_, n) => `connected-${n + 1}`);

/** The secrets of these accounts. */
export const connectedBindings = (): Record<string, string> =>
  Object.fromEntries(
    CONNECTED_ACCOUNTS.flatMap((name) => {
      const prefix = `GATEWAY_${name.toUpperCase().replaceAll('-', '_')}`;
      return [
        [`${prefix}_EMAIL`, `${name}@example.com`],
        [`${prefix}_API_KEY`, `gateway-key-of-${name}`],
      ];
    }),
  );
