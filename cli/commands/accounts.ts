import { showAnswer, type AddCommand, type Cli } from '../command.ts';
import type { Output } from '../output.ts';
import { part, withSuggestion } from '../relay/list.ts';
import { type AccountStatus, accountStatus, accountStatuses } from '../relay/shapes.ts';
import { about, fullTime, shortTime } from '../show.ts';
import { count } from '../text.ts';

export const add: AddCommand = (program) => {
  program
    .command('accounts')
    .argument('[name]', 'the name of an account')
    .summary('show the status of accounts')
    .description('Shows the queue, pause and circuit of each account.')
    .examples(['hookbell accounts', 'all'], ['hookbell accounts sales', 'one'])
    .run(async (cli, name: string | undefined) => (name === undefined ? list(cli) : one(cli, name)));

  for (const [action, summary, description] of [
    ['pause', 'pause an account', 'Pauses an account. Webhooks are still accepted, and their messages wait.'],
    [
      'resume',
      'resume an account',
      'Resumes an account that was paused by a person, or because the gateway refused its login.',
    ],
  ] as const)
    program
      .command(action)
      .argument('[account]', 'the account', 'default')
      .summary(summary)
      .description(description)
      .examples([`hookbell ${action}`, 'the account default'])
      .run((cli, name: string) => one(cli, name, action));
};

const list = (cli: Cli) =>
  showAnswer(cli, cli.client.get('/status', accountStatuses), ({ items, unreachable = [] }, out) =>
    out.table(
      [
        { title: 'ACCOUNT', gives: true },
        { title: 'STATUS', gives: true, style: (cell) => statusColour(out, cell) },
        { title: 'WAITING', align: 'right' },
        { title: 'QUEUED', align: 'right' },
        { title: 'RETRYING', align: 'right' },
        { title: 'UNCERTAIN', align: 'right' },
        { title: 'DEAD', align: 'right' },
        { title: 'DONE IN', align: 'right' },
        { title: 'WHY', wraps: true },
      ],
      [
        ...items.map((status) => [
          status.account,
          statusOf(status),
          String(status.waiting),
          String(status.queued + status.sending),
          String(status.retrying),
          String(status.uncertain),
          String(status.dead),
          doneIn(status) ?? '?',
          whyOf(status).join('; '),
        ]),
        ...unreachable.map((account) => [account, 'no answer', ...Array<string>(6).fill('?'), '']),
      ],
    ),
  );

/** The time until its queue is empty; undefined: nobody knows. */
function doneIn({ drain_seconds: seconds, drain_at_least: isLeast }: AccountStatus): string | undefined {
  if (seconds === null) return undefined;
  return isLeast === true ? `≥ ${about(seconds)}` : about(seconds);
}

const whyOf = ({
  paused,
  circuit: { failures, last_error: last },
  receivers_at_cap: capped,
}: AccountStatus) =>
  [
    paused && `paused by ${paused.by}: ${paused.reason}`,
    last && `${count(failures, 'failure')} in a row, the last at ${shortTime(last.at)}: ${last.detail}`,
    capped && cappedText(capped),
  ].filter((why) => typeof why === 'string');

const cappedText = (capped: NonNullable<AccountStatus['receivers_at_cap']>): string =>
  `${count(capped.messages, 'message')} for ${count(capped.receivers, 'receiver')} at the limit of ${capped.per_hour} an hour: sent from ${shortTime(capped.next_at)} on, the last at ${shortTime(capped.last_at)}`;

const statusColour = (out: Output, text: string): string =>
  out.style(text === 'ready' ? 'green' : 'red', text);

/** A relay without a canary says nothing of it. */
function canaryText({ sent_at, answered_at, next_at }: NonNullable<AccountStatus['canary']>): string {
  const next = `next ${fullTime(next_at)}`;
  if (answered_at !== undefined) return `answered ${fullTime(answered_at)}; ${next}`;
  return sent_at === undefined ? next : `sent ${fullTime(sent_at)}, not answered; ${next}`;
}

function statusOf({ paused, circuit }: AccountStatus): string {
  if (paused !== null) return 'paused';
  return circuit.state === 'open' ? 'circuit open' : 'ready';
}

function one(cli: Cli, name: string, action?: 'pause' | 'resume') {
  const { client } = cli;
  const path = `/accounts/${part(name)}`;
  const asked =
    action === undefined
      ? client.get(`${path}/status`, accountStatus)
      : client.post(`${path}/${action}`, accountStatus);
  return showAnswer(cli, withSuggestion(client, asked, 'accounts', name), (status, out) => {
    const { paused, circuit, rate, storage, receivers_at_cap: capped } = status;
    out.fields([
      ['account', status.account],
      ['status', statusOf(status), (text) => statusColour(out, text)],
      ['paused', paused === null ? undefined : `${fullTime(paused.since)} by ${paused.by}: ${paused.reason}`],
      ['circuit', `${circuit.state}, ${count(circuit.failures, 'failure')} in a row`],
      [
        'last failure',
        circuit.last_error && `${fullTime(circuit.last_error.at)}: ${circuit.last_error.detail}`,
      ],
      ['next probe', circuit.probe_at && fullTime(circuit.probe_at)],
      ['pace', rate === null ? 'no limit' : `${rate.per_minute} a minute, ${rate.burst} at once`],
      ['at their limit', capped && cappedText(capped)],
      ['canary', status.canary && canaryText(status.canary)],
      ['incidents', `${status.open_incidents} open`],
      ['items', `${status.waiting} waiting for a notification`],
      ...STATES.map((state) => [state, String(status[state])] as const),
      ['storage', `${storage.state}, ${Math.floor((storage.bytes * 100) / storage.max_bytes)} % used`],
      ['done in', doneIn(status) ?? 'unknown: the queue is held back'],
    ]);
  });
}

const STATES = ['queued', 'sending', 'retrying', 'uncertain', 'dead'] as const;
