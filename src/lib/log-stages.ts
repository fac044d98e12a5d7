/** The fields about a message. The log masks the phone number. */
const MESSAGE = ['message', 'event', 'source', 'route', 'account', 'phone'] as const;
/** One line covers everything that changed at once. `incident` is the first of them. */
const INCIDENTS = ['incident', 'incidents', 'source', 'route', 'account', 'by'] as const;
const ATTEMPT = [...MESSAGE, 'attempt', 'outcome', 'status', 'duration_ms'] as const;

/**
 * The stages of the log, with the fields that their lines may have. `docs/observability.md` describes them for people.
 * No stage has a payload, a header, a template's text or an answer of the gateway. The list is only used for types, so
 * the Worker's bundle does not contain it.
 */
export const STAGES = {
  'event.accepted': [
    'event',
    'source',
    'account',
    'state',
    'duplicate',
    'reason',
    'messages',
    'waiting',
    'version',
    'duration_ms',
  ],
  'event.rejected': ['source', 'status', 'reason'],
  'action.pressed': ['event', 'source', 'account', 'action', 'message', 'duplicate', 'messages'],
  'event.limited': ['source', 'refused'],
  'event.spam': ['source', 'spam'],
  'rejection.released': ['rejection', 'event', 'by'],
  'event.replayed': ['event', 'of', 'by'],
  'event.accept.failed': ['event', 'account', 'attempt', 'error'],
  'handshake.answered': ['source', 'method', 'status'],
  'rejection.record.failed': ['error'],

  'message.sent': [...ATTEMPT, 'latency_ms'],
  'message.retrying': [...ATTEMPT, 'wait_ms'],
  'message.uncertain': ATTEMPT,
  'message.dead': ATTEMPT,
  'message.expired': MESSAGE,
  'message.superseded': MESSAGE,
  'message.suppressed': MESSAGE,
  'message.cancelled': [...MESSAGE, 'by'],

  'incident.opened': INCIDENTS,
  'incident.acknowledged': ['incident', 'source', 'route', 'account', 'by'],
  'incident.resolved': INCIDENTS,
  'incident.expired': INCIDENTS,
  'incident.held': INCIDENTS,
  'incident.escalated': INCIDENTS,
  'incident.notified': [
    'message',
    'source',
    'route',
    'account',
    'phone',
    'form',
    'why',
    'new',
    'resolved',
    'firing',
  ],

  'account.paused': ['account', 'by', 'detail'],
  'account.resumed': ['account'],
  'circuit.opened': ['account', 'failures'],
  'circuit.closed': ['account'],
  'source.silent': ['source', 'account', 'expected_ms', 'silent_ms'],
  'source.back': ['source', 'account'],
  'storage.low': ['account', 'bytes', 'max_bytes'],
  'storage.full': ['account', 'bytes', 'max_bytes'],
  'storage.back': ['account', 'bytes', 'max_bytes'],
  'handing.failed': ['account', 'error'],
  'handing.unanswered': ['account', 'error'],
  'escape.sent': ['account', 'messages'],
  'escape.refused': ['account', 'messages', 'detail'],
  'escape.failed': ['account', 'error'],
  'owner.notice': ['kind', 'account'],
  'owner.notice.refused': ['status'],
  'owner.notice.failed': ['error'],
  'owner.notice.given_up': ['notices'],

  'config.published': ['version', 'by'],
  'silence.added': ['silence', 'by'],
  'silence.ended': ['silence', 'by'],
  'override.added': ['override', 'by'],
  'override.ended': ['override', 'by'],
  'suppression.added': ['phone', 'by'],
  'suppression.removed': ['phone', 'by'],
  'config.read.failed': ['version', 'error'],
  'facts.read.failed': ['error'],
  'config.copy.failed': ['failures', 'error'],
  'config.announce.failed': ['account', 'error'],
  'pairing.opened': ['source', 'by'],
  'pairing.captured': ['source'],
  'pairing.void': ['source'],
  'pairing.shown': ['source', 'by'],
  'pairing.closed': ['source', 'by'],
  'session.opened': ['session', 'by', 'role'],
  'session.invited': ['session', 'by', 'role'],
  'session.ended': ['session', 'by'],
  'admin.refused': ['tried', 'address', 'limited'],
  'admin.access.failed': ['team', 'error'],
  'tail.report.failed': ['account', 'error'],
  'tail.watch.failed': ['account', 'error'],

  'request.failed': ['path', 'error'],
  'outbox.alarm.failed': ['account', 'error'],
  'outbox.digest.failed': ['account', 'error'],
  'outbox.incidents.failed': ['account', 'error'],
  'outbox.message.failed': ['account', 'message', 'error'],
  'outbox.sweep.failed': ['account', 'error'],
  'metrics.read.failed': ['account', 'error'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Stage = keyof typeof STAGES;

type Value = string | number | boolean | null;

/** The fields of a stage. Fields that do not apply are left out. */
export type LogFields<S extends Stage> = Readonly<Partial<Record<(typeof STAGES)[S][number], Value>>>;
