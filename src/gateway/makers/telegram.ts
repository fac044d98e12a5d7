import type { Maker, MakerInWords } from '../shape.ts';

/**
 * A Telegram bot. Source: https://core.telegram.org/bots/api. Each address contains the token, so no address is stored.
 * A bot may only write to a chat that wrote to it first.
 */
export const maker: Maker = {
  name: 'Telegram',
  baseUrl: 'https://api.telegram.org',
  // The limits are 30 a second in all, one a second for a chat, and 20 a minute for a group:
  // https://core.telegram.org/bots/faq
  rate: { perMinute: 60, burst: 20 },
  shape: {
    secrets: ['TOKEN'],
    // A person or a group by number, or a channel by name.
    receiver: { what: 'chat id', address: '^(?:-?[1-9][0-9]{3,15}|@[A-Za-z][A-Za-z0-9_]{4,31})$' },
    format: 'html',
    max_length: 4_096,
    kinds: {
      text: {
        path: '/bot{secret.TOKEN}/sendMessage',
        json: { chat_id: '{to}', text: '{message}', parse_mode: 'HTML' },
      },
      image: {
        path: '/bot{secret.TOKEN}/sendPhoto',
        json: { chat_id: '{to}', photo: '{image_url}', caption: '{caption}', parse_mode: 'HTML' },
        limits: { caption: 1_024 },
      },
      voice: { path: '/bot{secret.TOKEN}/sendVoice', json: { chat_id: '{to}', voice: '{audio_url}' } },
      poll: {
        path: '/bot{secret.TOKEN}/sendPoll',
        json: {
          chat_id: '{to}',
          question: '{question}',
          options: { each: 'options', as: { text: '{option}' } },
          is_anonymous: false,
        },
        limits: { question: 300, options: 12, option: 100 },
      },
    },
    answer: {
      sent: { field: 'ok', is: [true] },
      refused: { field: 'ok', is: [false] },
      reason: ['description'],
      retry_after: 'parameters.retry_after',
      rules: [
        // For an unknown token, Telegram answers as for an unknown address.
        { status: [404], means: 'unauthorized', cause: 'no-bot' },
        // The person has blocked or left the bot. That says nothing about other chats.
        { status: [403], means: 'rejected', cause: 'no-chat' },
      ],
    },
  },
};

export const words: MakerInWords = {
  costs: 'free',
  needs: 'a bot from @BotFather; each receiver presses Start once',
  repeats: 'a repeated call is shown twice',
};
