import type { Maker, MakerInWords } from '../shape.ts';

/**
 * WhatsApp by Meta. Sources:
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/messages/send-messages and
 * …/support/error-codes. Later than 24 hours after a receiver's last message, Meta accepts only templates that it has
 * approved. hookbell does not send those.
 */
export const maker: Maker = {
  name: 'WhatsApp Cloud API',
  baseUrl: 'https://graph.facebook.com/v23.0',
  options: {
    phone_number_id: { pattern: '^[0-9]{5,20}$', what: "the sending number's id at Meta, in quotes" },
  },
  // Meta allows far more in all, but in the long run only one every 6 seconds to a receiver.
  rate: { perMinute: 60, burst: 10 },
  shape: {
    secrets: ['TOKEN'],
    receiver: 'phone',
    headers: { authorization: 'Bearer {secret.TOKEN}' },
    max_length: 4_096,
    kinds: {
      text: {
        path: '/{option.phone_number_id}/messages',
        json: {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to: '{to}',
          type: 'text',
          text: { body: '{message}', preview_url: true },
        },
      },
      image: {
        path: '/{option.phone_number_id}/messages',
        json: {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to: '{to}',
          type: 'image',
          image: { link: '{image_url}', caption: '{caption}' },
        },
        limits: { caption: 1_024 },
      },
      voice: {
        path: '/{option.phone_number_id}/messages',
        json: {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to: '{to}',
          type: 'audio',
          audio: { link: '{audio_url}' },
        },
      },
    },
    answer: {
      sent: { field: 'messages.0.id' },
      refused: { field: 'error' },
      reason: ['error.error_data.details', 'error.message'],
      rules: [
        { field: 'error.code', is: [131047], means: 'rejected', cause: 'day-over' },
        { field: 'error.code', is: [0, 3, 10, 190, 131005, 131031, 131042, 368], means: 'unauthorized' },
        { field: 'error.code', is: [4, 80007, 130429, 131048, 131056, 131057, 133016], means: 'busy' },
        { field: 'error.code', is: [1, 2, 131000, 131016, 133004], means: 'server_error' },
        { field: 'error.code', is: [131026], means: 'rejected', cause: 'no-whatsapp' },
      ],
    },
  },
};

export const words: MakerInWords = {
  costs: 'per message, except in the 24 hours after a receiver wrote',
  needs: 'a Meta business account with a number; receivers who wrote to it within 24 hours',
  repeats: 'a repeated call is shown twice',
};
