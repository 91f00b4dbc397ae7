import { findPostcodePattern } from '#app/features/areas/postcodes.schema.ts'
import type { Fault } from '#app/lib/app-error.ts'
import type { Answers, Question } from '../surveys.schema.ts'

/** Postcodes that the site's country does not have, as `checkAnswers` names faults. In other countries every postcode is accepted. */
export function checkPostcodes(region: string, questions: readonly Question[], answers: Answers): Fault[] {
  const pattern = findPostcodePattern(region)
  if (!pattern) return []
  return questions.flatMap(({ id }): Fault[] => {
    const answer = Object.hasOwn(answers, id) ? answers[id] : undefined
    const postcode = typeof answer === 'object' && 'address' in answer ? answer.address.postcode : undefined
    return postcode && !pattern.test(postcode) ? [{ code: 'wrong-format', pointer: `/${id}/postcode` }] : []
  })
}
