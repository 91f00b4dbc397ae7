import type { Fault } from '#app/lib/app-error.ts'
import type { Answers, Question } from '../surveys.schema.ts'

/** Whole postcodes of each country, in capitals, with or without their space or hyphen. */
const POSTCODES: Record<string, RegExp> = {
  'united kingdom': /^(GIR ?0AA|[A-PR-UWYZ][A-HK-Y]?\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2})$/,
  canada: /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z][ -]?\d[ABCEGHJ-NPRSTV-Z]\d$/,
  australia: /^\d{4}$/,
  sydney: /^\d{4}$/,
  'new zealand': /^\d{4}$/,
  'united states': /^\d{5}(-?\d{4})?$/,
}

/** Postcodes that the site's country does not have, as `checkAnswers` names faults. In other countries every postcode is accepted. */
export function checkPostcodes(region: string, questions: readonly Question[], answers: Answers): Fault[] {
  const pattern = POSTCODES[region.trim().toLowerCase()]
  if (!pattern) return []
  return questions.flatMap(({ id }): Fault[] => {
    const answer = Object.hasOwn(answers, id) ? answers[id] : undefined
    const postcode = typeof answer === 'object' && 'address' in answer ? answer.address.postcode : undefined
    return postcode && !pattern.test(postcode) ? [{ code: 'wrong-format', pointer: `/${id}/postcode` }] : []
  })
}
