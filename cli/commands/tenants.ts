import { setTimeout as sleep } from 'node:timers/promises';
import { wholeNumber, type AddCommand, type Cli } from '../command.ts';
import { count } from '../text.ts';
import { chosenTenants } from '../tenant/all.ts';
import { statusOf, statusTable } from '../tenant/status.ts';

export const add: AddCommand = (program) => {
  program
    .command('tenants')
    .option('--every <seconds>', 'ask again after this many seconds', wholeNumber(5, 3_600), 30)
    .summary('watch all tenants of this repository')
    .description(
      'Shows a row for each tenant: health, doctor, open incidents, failing sources, the last event, the version and the console. Those that need you come first. Asks each relay from this machine, with the token in its folder, and shows no token. On a terminal, repeats until Ctrl-C.',
    )
    .examples(['hookbell tenants', 'leave it open'], ['hookbell tenants --json', 'once, for a program'])
    .run(watch);
};

async function watch(cli: Cli, { every }: { readonly every: number }) {
  const { out } = cli;
  for (;;) {
    const names = chosenTenants(undefined, { all: true });
    if (!names.ok) return names;
    const all = await statusOf(cli, names.value);
    out.show({ items: all }, () => {
      if (out.columns !== Infinity)
        out.line(`${CLEAR}${count(all.length, 'tenant')}, ${new Date().toLocaleTimeString()}\n`);
      statusTable(out, all);
    });
    if (out.isJson || out.columns === Infinity) return undefined;
    await sleep(every * 1_000);
  }
}

/** Of the terminal, from the top. */
const CLEAR = '\u001b[2J\u001b[H';
