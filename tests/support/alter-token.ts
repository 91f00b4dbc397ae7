/**
 * Changes the last character but one of a base64url token. Decoding may ignore some bits of the last character, so changing that one can leave the
 * same bytes.
 */
export const alterToken = (token: string): string => token.replace(/.(?=.$)/, (character) => (character === 'A' ? 'B' : 'A'))
