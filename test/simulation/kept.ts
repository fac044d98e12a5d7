/** Seeds of 24 hours that once found a fault, of the relay or of the model. Each run of `npm run simulate` begins with them. */
export const KEPT: readonly string[] = [
  '5-1056',
  '5-1158',
  '5-1650',
  '5-2163',
  '5-4871',
  '5-5889',
  '5-8237',
  '5-101',
  '5-6',
];
