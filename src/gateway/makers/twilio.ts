import type { Maker, MakerInWords } from '../shape.ts';

/**
 * Twilio's SMS and WhatsApp. Sources: https://www.twilio.com/docs/messaging/api/message-resource and
 * https://www.twilio.com/docs/api/errors. The answer says only that Twilio has accepted the message, not whether a
 * network delivers it later.
 */
export const maker: Maker = {
  name: 'Twilio',
  baseUrl: 'https://api.twilio.com',
  options: {
    from: {
      pattern: '^(?:\\+[1-9][0-9]{6,14}|[0-9]{3,8}|[A-Za-z0-9 ]{1,11})$',
      what: 'the sending number such as "+15550100000", a short code, or a sender’s name',
    },
    channel: { words: { sms: '', whatsapp: 'whatsapp:' }, what: 'sms or whatsapp', standard: 'sms' },
  },
  // A long number may send one a second.
  rate: { perMinute: 60, burst: 5 },
  shape: {
    secrets: ['ACCOUNT_SID', 'AUTH_TOKEN'],
    receiver: 'phone',
    basic: ['{secret.ACCOUNT_SID}', '{secret.AUTH_TOKEN}'],
    format: 'plain',
    max_length: 1_600,
    kinds: {
      text: {
        path: '/2010-04-01/Accounts/{secret.ACCOUNT_SID}/Messages.json',
        form: { To: '{option.channel}+{to}', From: '{option.channel}{option.from}', Body: '{message}' },
      },
      image: {
        path: '/2010-04-01/Accounts/{secret.ACCOUNT_SID}/Messages.json',
        form: {
          To: 'whatsapp:+{to}',
          From: 'whatsapp:{option.from}',
          Body: '{caption}',
          MediaUrl: '{image_url}',
        },
        only: { channel: 'whatsapp:' },
      },
      voice: {
        path: '/2010-04-01/Accounts/{secret.ACCOUNT_SID}/Messages.json',
        form: { To: 'whatsapp:+{to}', From: 'whatsapp:{option.from}', MediaUrl: '{audio_url}' },
        only: { channel: 'whatsapp:' },
      },
    },
    answer: {
      sent: { field: 'sid' },
      refused: { field: 'status', is: ['failed', 'undelivered', 'canceled'] },
      reason: ['message', 'error_message'],
      rules: [
        { field: 'code', is: [20003, 20005, 20008], means: 'unauthorized' },
        { field: 'code', is: [20429, 14107, 21611, 63018], means: 'busy' },
        { field: 'code', is: [21610], means: 'rejected', cause: 'said-stop' },
        { field: 'code', is: [63016], means: 'rejected', cause: 'day-over' },
      ],
    },
  },
};

export const words: MakerInWords = {
  costs: 'per message',
  needs: 'an account with a sending number, a short code or a sender’s name',
  repeats: 'a repeated call is sent, and paid for, twice',
};
