/** Steps without questions: reviewing the answers, and how to continue later. No question can have such an id. */
export const REVIEW_STEP = '-review'
export const LATER_STEP = '-later'

/** Marks a step that was opened from the review, to which it leads back. */
const FROM_REVIEW = `${REVIEW_STEP}.`

export const toReviewedStep = (id: string): string => FROM_REVIEW + id
export const isFromReview = (step: string | undefined): boolean => step?.startsWith(FROM_REVIEW) === true

/** Id of a step's page or question, however it was opened. */
export const getStepId = (step: string | undefined): string | undefined => (isFromReview(step) ? step?.slice(FROM_REVIEW.length) : step)
