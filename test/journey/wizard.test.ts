import { expect } from 'vitest';
import { journey } from './journey.ts';
import { restarted, type Place } from './place.ts';
import { fromAlertmanager, fromStripe, fromTypeform, type Webhook } from './webhooks.ts';

const OWNER = '4915112345678';
/** The customer in the providers' samples. */
const CUSTOMER = '491713920001';

/** The secrets that a person makes up, as lines of `.dev.vars`. */
const SECRETS = {
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_journey',
  TYPEFORM_WEBHOOK_SECRET: 'typeform-secret-of-the-journey',
  ALERTMANAGER_TOKEN: 'alertmanager-token-of-the-journey',
  GENERIC_WEBHOOK_TOKEN: 'generic-token-of-the-journey',
} as const;

type Answers = readonly (readonly [question: string, answer: string | null])[];

/** The likely answers, which are those of the source before. */
const AS_BEFORE: Answers = [
  ['A name for the source', null],
  ['Country of numbers', null],
  ['Numbers for', null],
  ['The language', null],
  ['The time zone', null],
];

/** Answers the questions of `init`, which then says the next step. */
async function init(place: Place, provider: string, answers: Answers, hasCustomers = true): Promise<void> {
  const shell = await place.terminal(2);
  await shell.begin(`npx hookbell init --provider ${provider}`);
  await shell.answers('Where do messages go', null);
  if (hasCustomers) await shell.agrees('Notify customers');
  for (const [question, answer] of answers) await shell.answers(question, answer);
  await place.ended(shell, ['then stop `npm start` and start it again', 'npx hookbell push']);
}

journey('the wizard, for four providers, to the phone', (step) => {
  step('npm start', async (place) => {
    await restarted(place);
    await place.runs(await place.terminal(2), 'export HOOKBELL_TOKEN=demo-admin-token');
  });

  step('stripe: searched for, and every question answered', async (place) => {
    const shell = await place.terminal(2);
    await shell.begin('npx hookbell init');
    await shell.sees('to select');
    await shell.types('stri');
    await shell.seesNo('○');
    await shell.answers('Which service posts the webhooks', null);
    await shell.answers('Where do messages go', null);
    await shell.agrees('Notify customers');
    await shell.answers('A name for the source', null);
    await shell.answers('Country of numbers', 'de');
    await shell.answers('Numbers for', '0151 12345678');
    await shell.answers('The language', null);
    await shell.answers('The time zone', null);
    await place.ended(shell, ['STRIPE_WEBHOOK_SECRET']);
  });

  step('typeform: a wrong answer is reported, and Ctrl-C leaves nothing', async (place) => {
    const shell = await place.terminal(2);
    await shell.begin('npx hookbell init --provider typeform');
    await shell.answers('Where do messages go', null);
    await shell.agrees('Notify customers');
    await shell.answers('A name for the source', 'of ours');
    await shell.sees('is not a name');
    shell.press('ctrl-c');
    await place.ended(shell, ['stopped; nothing was changed'], 130);
  });

  step('typeform and generic, with the answers of the source before', async (place) => {
    for (const provider of ['typeform', 'generic']) await init(place, provider, AS_BEFORE);
  });

  step('alertmanager, quiet at night', async (place) => {
    const answers: Answers = [
      ...AS_BEFORE,
      ['The address of your Alertmanager', null],
      ['Quiet hours', '22:00-07:00'],
      ['Who is notified if nobody', null],
    ];
    await init(place, 'alertmanager', answers, false);
    // Half a minute is right for alerts, and long for somebody who tries them.
    const edit = "sed -i 's/wait: 30s/wait: 2s/' hookbell/sources/alertmanager.yaml";
    await place.runs(await place.terminal(2), edit);
  });

  step('the secrets, in .dev.vars, and a restart; check and push', async (place) => {
    for (const [name, value] of Object.entries(SECRETS)) place.secret(name, value);
    await restarted(place);
    const shell = await place.terminal(2);
    await place.runs(shell, 'npx hookbell check', ['4 sources']);
    await shell.begin('npx hookbell push');
    await shell.agrees('Publish');
    await place.ended(shell, ['published version']);
  });

  step('each provider posts, and the phone has the messages', async (place) => {
    await post(place, 'stripe', await fromStripe(SECRETS.STRIPE_WEBHOOK_SECRET));
    await place.phone.gets(CUSTOMER, 'Vielen Dank, Ada Lovelace!');
    await place.phone.gets(OWNER, 'von Ada Lovelace');
    await post(place, 'typeform', fromTypeform(SECRETS.TYPEFORM_WEBHOOK_SECRET));
    await place.phone.gets(CUSTOMER, 'Ihre Antworten');
    await place.phone.gets(OWNER, '📝');
    await post(place, 'alertmanager', fromAlertmanager(SECRETS.ALERTMANAGER_TOKEN));
    await place.phone.gets(OWNER, '2 aktiv');
    const address = place.here(`http://localhost:8787/hooks/generic/${SECRETS.GENERIC_WEBHOOK_TOKEN}`);
    const fields = `-d type=contact -d name=Ada -d 'phone=0171 3920001' -d 'message=Do you deliver?'`;
    await place.runs(await place.terminal(2), `curl -w '\\n' ${address} ${fields}`);
    await place.phone.gets(CUSTOMER, 'Vielen Dank, Ada! Ihre Nachricht ist angekommen');
    await place.phone.gets(OWNER, 'Do you deliver?');
  });

  step('all of it is in the lists, and the doctor asks about tonight', async (place) => {
    const shell = await place.terminal(2);
    const sources = ['stripe', 'typeform', 'alertma', 'generic'];
    await place.runs(shell, 'npx hookbell events', sources);
    await place.runs(shell, 'npx hookbell messages', [OWNER, CUSTOMER]);
    await place.runs(shell, 'npx hookbell doctor hookbell', ['if its device is offline tonight']);
  });
});

/** As the provider does: it gets 2xx, or would send again. */
async function post({ relayUrl }: Place, source: string, { headers, body }: Webhook): Promise<void> {
  const answer = await fetch(`${relayUrl}/hooks/${source}`, { method: 'POST', headers, body });
  expect(answer.status, await answer.text()).toBe(202);
}
