/** A field as a form declares it. */
export interface FieldRule {
  readonly name: string;
  readonly kind: 'text' | 'name' | 'email' | 'phone' | 'file';
  /** The field's name for visitors; null for the name in the form. */
  readonly label: string | null;
  /** The longest value, in UTF-16 units. */
  readonly max: number;
  readonly required: boolean;
}
