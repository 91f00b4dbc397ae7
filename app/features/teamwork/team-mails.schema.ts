/** Which mails of the team a person wants. */
export interface TeamMailChoices {
  /** When a colleague mentions them. */
  mentions: boolean
  /** Each Monday, what changed. */
  weekly: boolean
}
