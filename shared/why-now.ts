/** Why a notification went out, by the `why` of its message. */
export const WHY_NOW = {
  first: 'an incident opened',
  new: 'another incident opened since the last message',
  joined: 'its receiver joined the list while something was open',
  turn: 'its receiver’s turn began while something was open',
  escalated: 'nobody acknowledged it, and this is the next step',
  resolved: 'what its receiver knew of is over',
  removed: 'it is not watched any more',
  repeat: 'it is still open, and the time to repeat it has come',
  unacknowledged: 'the acknowledgement ran out',
  flapping: 'it opens and ends again and again',
  stable: 'it is stable again, and still open',
  corrected: 'an earlier message may not have arrived',
  digest: 'too much came for single messages',
  morning: 'the quiet hours are over',
};
