/** A signed request that a vendor or its SDK publishes. */
export interface Vector {
  /** The name of the case that it shows. */
  readonly name: string;
  /** The public repository and file that it stands in. */
  readonly source: string;
  /** A provider of the catalogue, or a `verify:` block for one that is not in it. */
  readonly verify: string | object;
  readonly secret: string;
  /** Another secret of the same kind, where one character more or less makes it none. */
  readonly otherSecret?: string;
  /** POST and the tests' own address, unless they are signed. */
  readonly method?: string;
  readonly url?: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The header that has the signature. Null if the body has it. */
  readonly signatureHeader: string | null;
  /** The header that has the timestamp, if there is one. */
  readonly timestamp?: { readonly header: string; readonly seconds: number };
}

const STANDARD = {
  source: 'svix/svix-webhooks javascript/src/webhook.test.ts',
  verify: 'standard-webhooks',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  body: '{"test": 2432232314}',
};
const STANDARD_ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const STANDARD_SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

const PADDLE = {
  source: 'PaddleHQ/paddle-node-sdk src/__tests__/notifications/webhooks-validator.node.test.ts',
  verify: 'paddle',
  secret: 'VALID_SECRET',
  signatureHeader: 'Paddle-Signature',
  timestamp: { header: 'Paddle-Signature', seconds: 1698796800 },
};

const SQUARE = {
  source: 'square/square-nodejs-sdk tests/integration/webhooks.test.ts',
  verify: 'square',
  signatureHeader: 'x-square-hmacsha256-signature',
};

/** A form that Twilio posts; `signature` is over the address and its parameters. */
const twilio = (
  name: string,
  signature: string,
  parameters: readonly (readonly [string, string])[],
): Vector => ({
  name: `Twilio, ${name}`,
  source: 'twilio/twilio-node spec/validation.spec.js',
  verify: 'twilio',
  secret: '12345',
  url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
  body: new URLSearchParams(parameters.map(([key, value]) => [key, value])).toString(),
  headers: { 'X-Twilio-Signature': signature, 'Content-Type': 'application/x-www-form-urlencoded' },
  signatureHeader: 'X-Twilio-Signature',
});

const TWILIO_CALL = [
  ['To', '+18005551212'],
  ['Digits', '1234'],
  ['CallSid', 'CA1234567890ABCDE'],
  ['Caller', '+14158675309'],
  ['From', '+14158675309'],
] as const;

const hubspot = (version: string, method: string, body: string, signature: string): Vector => ({
  name: `HubSpot ${version}, a ${method}`,
  source: `legacydocs.hubspot.com/docs/faq/${version}-request-validation`,
  verify: 'hubspot-v1',
  secret: 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy',
  method,
  url: 'https://www.example.com/webhook_uri',
  body,
  headers: { 'X-HubSpot-Signature': signature, 'X-HubSpot-Signature-Version': version },
  signatureHeader: 'X-HubSpot-Signature',
});

const adyenBody = (eventCode: string, hmacSignature: string) =>
  JSON.stringify({
    notificationItems: [
      {
        NotificationRequestItem: {
          pspReference: 'pspReference',
          originalReference: 'originalReference',
          merchantAccountCode: 'merchantAccount',
          merchantReference: 'reference',
          amount: { value: 1000, currency: 'EUR' },
          eventCode,
          success: 'true',
          additionalData: { hmacSignature },
        },
      },
    ],
  });

const adyen = (eventCode: string, signature: string): Vector => ({
  name: `Adyen, ${eventCode}`,
  source: 'Adyen/adyen-node-api-library src/__tests__/hmacValidator.spec.ts',
  verify: 'adyen-payments',
  secret: 'DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00',
  body: adyenBody(eventCode, signature),
  headers: {},
  signatureHeader: null,
});

export const vectors: readonly Vector[] = [
  {
    ...STANDARD,
    name: 'Standard Webhooks',
    headers: {
      'webhook-id': STANDARD_ID,
      'webhook-timestamp': '1614265330',
      'webhook-signature': STANDARD_SIGNATURE,
    },
    signatureHeader: 'webhook-signature',
    timestamp: { header: 'webhook-timestamp', seconds: 1614265330 },
  },
  {
    ...STANDARD,
    name: 'Svix',
    headers: { 'svix-id': STANDARD_ID, 'svix-timestamp': '1614265330', 'svix-signature': STANDARD_SIGNATURE },
    signatureHeader: 'svix-signature',
    timestamp: { header: 'svix-timestamp', seconds: 1614265330 },
  },
  {
    ...STANDARD,
    name: 'Standard Webhooks among signatures of other secrets and versions',
    headers: {
      'webhook-id': STANDARD_ID,
      'webhook-timestamp': '1614265330',
      'webhook-signature': `v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= v2,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= ${STANDARD_SIGNATURE}`,
    },
    signatureHeader: 'webhook-signature',
    timestamp: { header: 'webhook-timestamp', seconds: 1614265330 },
  },
  {
    name: 'Slack, a slash command',
    source: 'slackapi/bolt-js ExpressReceiver.spec.ts',
    verify: 'slack',
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
    headers: {
      'X-Slack-Request-Timestamp': '1531420618',
      'X-Slack-Signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    signatureHeader: 'X-Slack-Signature',
    timestamp: { header: 'X-Slack-Request-Timestamp', seconds: 1531420618 },
  },
  {
    name: 'GitHub, of its documentation',
    source: 'github/docs content/webhooks/using-webhooks/validating-webhook-deliveries.md',
    verify: 'github',
    secret: "It's a Secret to Everybody",
    body: 'Hello, World!',
    headers: {
      'X-Hub-Signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
    signatureHeader: 'X-Hub-Signature-256',
  },
  {
    name: 'GitHub, of its SDK',
    source: 'octokit/webhooks-methods.js test/sign.test.ts',
    verify: 'github',
    secret: 'mysecret',
    body: '{"foo":"bar"}',
    headers: {
      'X-Hub-Signature-256': 'sha256=4864d2759938a15468b5df9ade20bf161da9b4f737ea61794142f3484236bda3',
    },
    signatureHeader: 'X-Hub-Signature-256',
  },
  {
    ...PADDLE,
    name: 'Paddle',
    body: '{"data": ["1", "2"]}',
    headers: {
      'Paddle-Signature': 'ts=1698796800;h1=a300428748dce5c70e4da19bffd60769591ea969c99dea3105d0ec9612cf43f9',
    },
  },
  {
    ...PADDLE,
    name: 'Paddle, several signatures',
    body: '{"data": "value"}',
    headers: {
      'Paddle-Signature':
        'ts=1698796800;h1=28981e941fae76e53db32f3d2a83cb69db41476595e84e1970a1b5d98f62b261;h1=28981e941fae76e53db32f3d2a83cb69db41476595e84e1970a1b5d98f62b261;h2=RANDOM_HASH',
    },
  },
  {
    ...SQUARE,
    name: 'Square',
    url: 'https://webhook.site/679a4f3a-dcfa-49ee-bac5-9d0edad886b9',
    secret: 'Ibxx_5AKakO-3qeNVR61Dw',
    body: '{"merchant_id":"MLEFBHHSJGVHD","type":"webhooks.test_notification","event_id":"ac3ac95b-f97d-458c-a6e6-18981597e05f","created_at":"2022-07-13T20:30:59.037339943Z","data":{"type":"webhooks","id":"bc368e64-01aa-407e-b46e-3231809b1129"}}',
    headers: { 'x-square-hmacsha256-signature': 'GF4YkrJgGBDZ9NIYbNXBnMzqb2HoL4RW/S6vkZ9/2N4=' },
  },
  {
    ...SQUARE,
    name: 'Square, a made-up body',
    url: 'https://webhook.site/webhooks',
    secret: 'signature-key',
    body: '{"data":{"type":"webhooks","id":"fake_id"}}',
    headers: { 'x-square-hmacsha256-signature': 'W3FlCNk5IA3ZQ2LHTWoajvzfaDu/OwY2tNHIHC3IUOA=' },
  },
  {
    name: 'Razorpay',
    source: 'razorpay/razorpay-node test/utils/razorpay-utils.spec.js',
    verify: 'razorpay',
    secret: '123456',
    body: '{"a":1,"b":2,"c":{"d":3}}',
    headers: { 'X-Razorpay-Signature': '2fe04e22977002e6c7cb553adab8b460cb9e2a4970d5953cb27a8472752e3bbc' },
    signatureHeader: 'X-Razorpay-Signature',
  },
  {
    name: 'Sendcloud',
    source: 'sendcloud.dev/api/v3/webhooks',
    verify: 'sendcloud',
    secret: 'secretkey',
    body: '{"key": "value"}',
    headers: { 'Sendcloud-Signature': '1eed4b3d41f4653ac64fd56f1bf1cbfd349e4482cbc11dff7134bd93e5da4b0a' },
    signatureHeader: 'Sendcloud-Signature',
  },
  adyen('EVENT', 'ipnxGCaUZ4l8TUW75a71/ghd2Fe5ffvX0pV4TLTntIc='),
  adyen('REPORT_AVAILABLE', 'ZNBPtI+oDyyRrLyD1XirkKnQgIAlFc07Vj27TeHsDRE='),
  {
    name: 'Standard Webhooks, Ed25519',
    source: 'svix/svix-webhooks server/svix-server/src/worker.rs',
    verify: 'standard-webhooks-ed25519',
    secret: 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=',
    otherSecret: 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    body: '{"test": 2432232314}',
    headers: {
      'webhook-id': STANDARD_ID,
      'webhook-timestamp': '1614265330',
      'webhook-signature':
        'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
    },
    signatureHeader: 'webhook-signature',
    timestamp: { header: 'webhook-timestamp', seconds: 1614265330 },
  },
  {
    name: 'SendGrid',
    source: 'sendgrid/sendgrid-nodejs packages/eventwebhook/src/eventwebhook.spec.js',
    verify: 'sendgrid',
    secret:
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA==',
    otherSecret:
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqTxd43gyp8IOEto2LdIfjRQrIbsd4SXZkLW6jDutdhXSJCWHw8REntlo7aNDthvj+y7GjUuFDb/R1NGe1OPzpA==',
    body: '{"category":"example_payload","event":"test_event","message_id":"message_id"}',
    headers: {
      'X-Twilio-Email-Event-Webhook-Signature':
        'MEUCIQCtIHJeH93Y+qpYeWrySphQgpNGNr/U+UyUlBkU6n7RAwIgJTz2C+8a8xonZGi6BpSzoQsbVRamr2nlxFDWYNH2j/0=',
      'X-Twilio-Email-Event-Webhook-Timestamp': '1588788367',
    },
    signatureHeader: 'X-Twilio-Email-Event-Webhook-Signature',
    timestamp: { header: 'X-Twilio-Email-Event-Webhook-Timestamp', seconds: 1588788367 },
  },
  twilio('a form', 'RSOYDt4T1cUTdK1PDd93/VVr8B8=', TWILIO_CALL),
  twilio('a form, its address signed with the port', 'kvajT1Ptam85bY51eRf/AJRuM3w=', TWILIO_CALL),
  twilio('a form with a parameter that comes three times', 'IK+Dwps556ElfBT0I3Rgjkr1wJU=', [
    ['Sid', 'CA123'],
    ['SidAccount', 'AC123'],
    ['Digits', '5678'],
    ['Digits', '1234'],
    ['Digits', '1234'],
  ]),
  {
    ...twilio('JSON', 'a9nBmqA0ju/hNViExpshrM61xv4=', []),
    url: 'https://mycompany.com/myapp.php?foo=1&bar=2&bodySHA256=0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620',
    body: '{"property": "value", "boolean": true}',
    headers: {
      'X-Twilio-Signature': 'a9nBmqA0ju/hNViExpshrM61xv4=',
      'Content-Type': 'application/json',
    },
  },
  hubspot(
    'v1',
    'POST',
    '[{"eventId":1,"subscriptionId":12345,"portalId":62515,"occurredAt":1564113600000,"subscriptionType":"contact.creation","attemptNumber":0,"objectId":123,"changeSource":"CRM","changeFlag":"NEW","appId":54321}]',
    '232db2615f3d666fe21a8ec971ac7b5402d33b9a925784df3ca654d05f4817de',
  ),
  hubspot(
    'v2',
    'POST',
    '{"example_field":"example_value"}',
    '9569219f8ba981ffa6f6f16aa0f48637d35d728c7e4d93d0d52efaa512af7900',
  ),
  hubspot('v2', 'GET', '', 'eee2dddcc73c94d699f5e395f4b9d454a069a6855fbfa152e91e88823087200e'),
  {
    name: 'Jira, of its documentation',
    source: 'developer.atlassian.com/cloud/jira/platform/webhooks',
    verify: 'jira',
    secret: "It's a Secret to Everybody",
    body: 'Hello World!',
    headers: { 'X-Hub-Signature': 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9' },
    signatureHeader: 'X-Hub-Signature',
  },
  {
    name: 'Revolut, a transaction of a business account',
    source: 'developer.revolut.com/docs/guides/manage-accounts/webhooks/verify-the-payload-signature',
    verify: 'revolut',
    secret: 'wsk_r59a4HfWVAKycbCaNO1RvgCJec02gRd8',
    body: '{"data":{"id":"645a7696-22f3-aa47-9c74-cbae0449cc46","new_state":"completed","old_state":"pending","request_id":"app_charges-9f5d5eb3-1e06-46c5-b1c0-3914763e0bcb"},"event":"TransactionStateChanged","timestamp":"2023-05-09T16:36:38.028960Z"}',
    headers: {
      'Revolut-Request-Timestamp': '1683650202360',
      'Revolut-Signature': 'v1=bca326fb378d0da7f7c490ad584a8106bab9723d8d9cdd0d50b4c5b3be3837c0',
    },
    signatureHeader: 'Revolut-Signature',
    timestamp: { header: 'Revolut-Request-Timestamp', seconds: 1683650202 },
  },
];
