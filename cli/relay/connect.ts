import { createClient, type Client } from '../client.ts';
import type { Output } from '../output.ts';
import { isPrivate, type Profile } from './profile.ts';

/** The client of a relay. It sends the token there, so this warns of an address without https. */
export function connect(profile: Profile, out: Output): Client {
  if (!isPrivate(profile.url))
    out.note(out.styleNote('yellow', `the token is sent to ${profile.url} unencrypted: use https`));
  return createClient(profile);
}
