/**
 * Numbers of days that failed in an older format. Those that draw an option that was added later are other days now, as are
 * some of {@link KEPT}.
 * `docs/guarantees/simulation.md` explains why older days cannot be kept.
 */
const OF_OLDER_FORMATS: readonly string[] = [
  '6-1056',
  '6-1158',
  '6-1650',
  '6-2163',
  '6-4871',
  '6-5889',
  '6-8237',
  '6-101',
  '6-6',
];

/** Seeds of 24 hours that once found a fault, of the relay or of the model. Each run of `npm run simulate` begins with them. */
export const KEPT: readonly string[] = [
  ...OF_OLDER_FORMATS,
  '6-116',
  '6-601055',
  '6-604476',
  '6-600785',
  '6-600465',
  '6-603996',
  '6-602663',
  '6-602711',
  '6-604623',
  '6-604588',
  '6-620324',
  '6-620515',
  '6-630080',
  '6-640094',
  '6-651801',
  '6-652267',
  '6-653476',
  '6-655711',
  '6-655895',
  '6-658762',
  '6-110',
];
