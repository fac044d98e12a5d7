import { expect } from 'vitest';
import { journey } from './journey.ts';
import type { Place } from './place.ts';
import { restarted } from './start.ts';
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

journey('the wizard, for four providers, to the phone', 'wizard', (step) => {
  step('npm start', async (place) => {
    await restarted(place);
    const shell = await place.terminal(2);
    await place.runs(shell, 'export HOOKBELL_TOKEN=demo-admin-token');
  });

  step('stripe: searched for, and every question answered', async (place) => {
    const shell = await place.terminal(2);
    await shell.begin('npx hookbell init');
    await shell.sees('to select');
    await place.shows(shell, 'stripe-providers');
    await shell.types('stri');
    await shell.seesNo('○');
    await place.shows(shell, 'stripe-found');
    await shell.answers('Which service posts the webhooks', null);
    await shell.answers('Where do messages go', null);
    await shell.agrees('Notify customers');
    await shell.answers('A name for the source', null);
    await shell.answers('Country of numbers', 'de');
    await shell.answers('Numbers for', '0151 12345678');
    await shell.answers('The language', null);
    await shell.answers('The time zone', null);
    await isDone(place, 'stripe-done');
  });

  step('typeform: a wrong answer is reported, and Ctrl-C leaves nothing', async (place) => {
    const shell = await place.terminal(2);
    await shell.begin('npx hookbell init --provider typeform');
    await shell.answers('Where do messages go', null);
    await shell.agrees('Notify customers');
    await shell.answers('A name for the source', 'of ours');
    await shell.sees('is not a name');
    await place.shows(shell, 'typeform-wrong');
    shell.press('ctrl-c');
    expect(await shell.ended()).toBe(130);
    await place.shows(shell, 'typeform-stopped');
  });

  step('typeform', async (place) => {
    const shell = await place.terminal(2);
    await shell.begin('npx hookbell init --provider typeform');
    await shell.answers('Where do messages go', null);
    await shell.agrees('Notify customers');
    await shell.answers('A name for the source', null);
    // The likely answers are those of the source before.
    await shell.answers('Country of numbers', null);
    await shell.answers('Numbers for', null);
    await shell.answers('The language', null);
    await shell.answers('The time zone', null);
    await isDone(place, 'typeform-done');
  });

  step('alertmanager, quiet at night', async (place) => {
    const shell = await place.terminal(2);
    await shell.begin('npx hookbell init --provider alertmanager');
    await shell.answers('Where do messages go', null);
    await shell.answers('A name for the source', null);
    // The likely answers are those of the source before.
    await shell.answers('Country of numbers', null);
    await shell.answers('Numbers for', null);
    await shell.answers('The language', null);
    await shell.answers('The time zone', null);
    await shell.answers('The address of your Alertmanager', null);
    await shell.answers('Quiet hours', '22:00-07:00');
    await shell.answers('Who is notified if nobody', null);
    await isDone(place, 'alertmanager-done');
    // Half a minute is right for alerts, and long for somebody who tries them.
    await place.runs(shell, "sed -i 's/wait: 30s/wait: 2s/' hookbell/sources/alertmanager.yaml");
  });

  step('generic', async (place) => {
    const shell = await place.terminal(2);
    await shell.begin('npx hookbell init --provider generic');
    await shell.answers('Where do messages go', null);
    await shell.agrees('Notify customers');
    await shell.answers('A name for the source', null);
    // The likely answers are those of the source before.
    await shell.answers('Country of numbers', null);
    await shell.answers('Numbers for', null);
    await shell.answers('The language', null);
    await shell.answers('The time zone', null);
    await isDone(place, 'generic-done');
  });

  step('the secrets, in .dev.vars, and a restart', async (place) => {
    for (const [name, value] of Object.entries(SECRETS)) place.append('.dev.vars', `${name}="${value}"\n`);
    await restarted(place);
  });

  step('check and push', async (place) => {
    const shell = await place.terminal(2);
    await place.does(shell, 'check', 'npx hookbell check');
    await shell.begin('npx hookbell push');
    await shell.agrees('Publish');
    expect(await shell.ended()).toBe(0);
    await place.shows(shell, 'push');
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
    const shell = await place.terminal(2);
    await place.runs(
      shell,
      place.here(
        `curl -w '\\n' http://localhost:8787/hooks/generic/${SECRETS.GENERIC_WEBHOOK_TOKEN} -d type=contact -d name=Ada -d 'phone=0171 3920001' -d 'message=Do you deliver?'`,
      ),
    );
    await place.phone.gets(CUSTOMER, 'Vielen Dank, Ada! Ihre Nachricht ist angekommen');
    await place.phone.gets(OWNER, 'Do you deliver?');
  });

  step('all of it is in the lists, and the doctor asks about tonight', async (place) => {
    const shell = await place.terminal(2);
    await place.does(shell, 'events', 'npx hookbell events');
    await place.does(shell, 'messages', 'npx hookbell messages');
    await place.does(shell, 'doctor', 'npx hookbell doctor hookbell');
  });
});

async function isDone(place: Place, name: string): Promise<void> {
  const shell = await place.terminal(2);
  expect(await shell.ended()).toBe(0);
  await place.shows(shell, name);
}

/** As the provider does: it gets 2xx, or would send again. */
async function post({ relayUrl }: Place, source: string, { headers, body }: Webhook): Promise<void> {
  const answer = await fetch(`${relayUrl}/hooks/${source}`, { method: 'POST', headers, body });
  expect(answer.status, await answer.text()).toBe(202);
}
