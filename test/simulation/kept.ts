/** Seeds of 24 hours that once found a fault, of the relay or of the model. Each run of `npm run simulate` begins with them. */
export const KEPT: readonly string[] = [
  '4-1056',
  '4-1158',
  '4-1650',
  '4-2163',
  '4-4871',
  '4-5889',
  '4-8237',
  '4-236',
];
