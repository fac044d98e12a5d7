/** A receiver's number as the gateway gets it: a mobile number of a form that the phone library takes. */
export const receiverNumber = (index: number): string => `4915110${String(index).padStart(6, '0')}`;
