import type { Maker, MakerInWords } from '../shape.ts';

/**
 * Evolution API 2: WhatsApp on the owner's server. Sources:
 * https://doc.evolution-api.com/v2/api-reference/message-controller and the requests in
 * https://github.com/EvolutionAPI/evolution-api.
 */
export const maker: Maker = {
  name: 'Evolution API',
  baseUrl: null,
  options: { instance: { pattern: '^[\\w .-]{1,100}$', what: "the instance's name" } },
  rate: { perMinute: 30, burst: 5 },
  shape: {
    secrets: ['API_KEY'],
    receiver: 'phone',
    headers: { apikey: '{secret.API_KEY}' },
    max_length: 4_096,
    kinds: {
      text: { path: '/message/sendText/{option.instance}', json: { number: '{to}', text: '{message}' } },
      image: {
        path: '/message/sendMedia/{option.instance}',
        json: { number: '{to}', mediatype: 'image', media: '{image_url}', caption: '{caption}' },
      },
      voice: {
        path: '/message/sendWhatsAppAudio/{option.instance}',
        json: { number: '{to}', audio: '{audio_url}' },
      },
      poll: {
        path: '/message/sendPoll/{option.instance}',
        json: { number: '{to}', name: '{question}', selectableCount: 1, values: '{options}' },
        limits: { question: 255, options: 10, option: 100 },
      },
      status: {
        path: '/message/sendStatus/{option.instance}',
        json: { type: 'text', content: '{text}', backgroundColor: '#38b42f', font: 1, allContacts: true },
      },
    },
    answer: {
      sent: { field: 'key.id' },
      reason: ['response.message.0', 'response.message.0.0', 'response.message', 'message', 'error'],
      rules: [
        {
          status: [400],
          field: 'response.message.0.exists',
          is: [false],
          means: 'rejected',
          cause: 'no-whatsapp',
        },
        { status: [404], means: 'unauthorized', cause: 'no-instance' },
        { matches: 'Connection Closed', means: 'busy', cause: 'not-linked' },
      ],
    },
  },
};

export const words: MakerInWords = {
  costs: 'free, on your own server',
  needs: 'an Evolution server, and an instance linked to a phone by QR code',
  repeats: 'a repeated call is shown twice',
};
