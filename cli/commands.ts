import type { AddCommand } from './command.ts';
import { addAccounts } from './commands/accounts.ts';
import { addCancel } from './commands/cancel.ts';
import { addCheck } from './commands/check.ts';
import { addDiff } from './commands/diff.ts';
import { addEvents } from './commands/events.ts';
import { addExport } from './commands/export.ts';
import { addIncidents } from './commands/incidents.ts';
import { addInit } from './commands/init.ts';
import { addMessages } from './commands/messages.ts';
import { addPair } from './commands/pair.ts';
import { addPreview } from './commands/preview.ts';
import { addProviders } from './commands/providers.ts';
import { addPull } from './commands/pull.ts';
import { addPush } from './commands/push.ts';
import { addRejections } from './commands/rejections.ts';
import { addRepeat } from './commands/repeat.ts';
import { addSend } from './commands/send.ts';
import { addSilence } from './commands/silence.ts';
import { addTail } from './commands/tail.ts';
import { addVersions } from './commands/versions.ts';
import { addDoctor } from './doctor.ts';
import { addTenant } from './tenant.ts';

/** Commands under one heading of the help. */
interface CommandGroup {
  readonly title: string;
  readonly commands: readonly AddCommand[];
}

/** All commands, in the order of the help. A new command is a line here. */
export const groups: readonly CommandGroup[] = [
  {
    title: 'Configuration in files:',
    commands: [addInit, addCheck, addDiff, addPush, addPull, addVersions, addPreview, addProviders],
  },
  {
    title: 'What happened:',
    commands: [addEvents, addMessages, addIncidents, addRejections, addTail, addExport],
  },
  {
    title: 'What to do by hand:',
    commands: [addSend, addRepeat, addCancel, addAccounts, addSilence, addPair],
  },
  {
    title: 'Running a relay:',
    commands: [addDoctor, addTenant],
  },
];
