/** What people may not mean to publish. */
export const PERSONAL_DATA_KINDS = ['email', 'phone', 'address', 'national-insurance', 'social-insurance', 'card'] as const
export type PersonalDataKind = (typeof PERSONAL_DATA_KINDS)[number]

/** Never published before a moderator has read it: enough to take somebody's money or identity. */
export const HELD_KINDS: readonly PersonalDataKind[] = ['national-insurance', 'social-insurance', 'card']

/** A passage of what somebody is about to publish. */
export interface PersonalPassage {
  kind: PersonalDataKind
  text: string
}

/** What the author is asked to look at, and the value that says they did. */
export interface PersonalDataWarning {
  passages: PersonalPassage[]
  /** Sent with the form again; another text has another one. */
  seen: string
}
