/** A check that needs a machine outside of the relay. `checks`: the statement that is true if it passes. */
interface OutsideCheck {
  readonly id: string;
  readonly title: string;
  readonly checks: string;
}

/** The checks that only `hookbell doctor` makes, in its order. The console names them. */
export const OUTSIDE_CHECKS = [
  { id: 'relay', title: 'Relay', checks: 'The relay answers at its address, over TLS' },
  { id: 'token', title: 'Token', checks: 'The command line’s token is accepted' },
  { id: 'version', title: 'Version', checks: 'The relay and the command line have the same version' },
  { id: 'newest', title: 'Newest version', checks: 'There is no newer hookbell' },
  { id: 'dev-vars', title: '.dev.vars', checks: 'A relay on this machine has read the file as it is now' },
  { id: 'hooks', title: 'Addresses', checks: 'Each source answers at its address' },
  { id: 'folder', title: 'Folder', checks: 'The documents of a folder are valid, and are the active ones' },
] as const satisfies readonly OutsideCheck[];

/** The command that makes them. */
export const OUTSIDE_COMMAND = 'npx hookbell doctor';

/** The title of such a check. */
export const outsideTitle = (id: (typeof OUTSIDE_CHECKS)[number]['id']): string =>
  OUTSIDE_CHECKS.find((one) => one.id === id)?.title ?? id;
