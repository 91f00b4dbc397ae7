/** Nobody reads and answers three questions faster. */
const MIN_SECONDS = 2
const MIN_QUESTIONS = 3

/** Sent faster than anyone can read: we accept such an answer and flag it. */
export const isHasty = (seconds: number | null, questions: number): boolean =>
  seconds !== null && seconds < MIN_SECONDS && questions >= MIN_QUESTIONS
