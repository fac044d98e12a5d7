import { PAYLOAD_TEXT, phoneNumber } from './canary-values.ts';

let phones = 0;
/** A receiver of its own, so that a scripted failure meets just that message. */
export const nextPhone = (): string => phoneNumber((phones += 1));
let events = 0;
/** A payload like no other before; `text` becomes the message. */
export const payload = (text: string, phone = nextPhone()): object => ({
  id: `event-${(events += 1)}`,
  text,
  phone: `+${phone}`,
  note: PAYLOAD_TEXT.value,
});
