/** Seeds of 24 hours that once found a fault, of the relay or of the model. Each run of `npm run simulate` begins with them. */
export const KEPT: readonly string[] = ['3-1056', '3-1158', '3-1650', '3-2163', '3-4871', '3-5889', '3-8237'];
