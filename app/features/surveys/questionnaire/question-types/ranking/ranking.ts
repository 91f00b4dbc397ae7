import type { Fault } from '#app/lib/app-error.ts'
import type { Answer, QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { listOfferedOptions, listOptionFaults, findOption } from '../choices/options.ts'
import { createColumn, NUMBER_CONTENT, getOwn, type QuestionModule } from '../question-type.ts'
import { parseTypedNumber } from '../text-tools.ts'

type Ranking = QuestionOf<'ranking'>

const findRanks = (answer: Answer): Record<string, number | string> | undefined =>
  typeof answer === 'object' && 'ranks' in answer ? answer.ranks : undefined

/** The number of ranks to assign. */
export const countPlaces = (question: Ranking): number => Math.min(question.maxRanked || Infinity, listOfferedOptions(question).length)

export const ranking: QuestionModule<Ranking> = {
  read(question, sent) {
    const ranks = listOfferedOptions(question).flatMap(({ id }) => {
      const place = parseTypedNumber(sent(id)[0] ?? '')
      return place === undefined ? [] : [[id, place] as const]
    })
    return ranks.length > 0 ? { ranks: Object.fromEntries(ranks) } : undefined
  },
  fields: (_question, answer) => Object.fromEntries(Object.entries(findRanks(answer) ?? {}).map(([id, place]) => [id, String(place)])),
  tidy(_question, answer) {
    const ranks = findRanks(answer)
    if (!ranks) return answer
    const kept = Object.entries(ranks).filter(([, place]) => place !== '')
    return kept.length > 0 ? { ranks: Object.fromEntries(kept.toSorted(([, a], [, b]) => Number(a) - Number(b))) } : undefined
  },
  check(question, answer): Fault | undefined {
    const ranks = findRanks(answer)
    if (!ranks) return { code: 'wrong-type' }
    const most = countPlaces(question)
    const taken = new Set<number>()
    for (const [id, place] of Object.entries(ranks)) {
      if (!listOfferedOptions(question).some((option) => option.id === id)) return { code: 'not-a-choice' }
      if (typeof place !== 'number' || !Number.isInteger(place) || place < 1 || place > most)
        return { code: 'out-of-range', pointer: `/${id}`, values: { min: 1, max: most } }
      if (taken.has(place)) return { code: 'taken', pointer: `/${id}` }
      taken.add(place)
    }
    const gap = Array.from(taken).some((place) => place > taken.size)
    const incomplete = gap || (question.required === true && taken.size < most)
    const left = listOfferedOptions(question).find(({ id }) => getOwn(ranks, id) === undefined)
    return incomplete ? { code: 'required', values: { given: taken.size, max: most }, ...(left && { pointer: `/${left.id}` }) } : undefined
  },
  faults: listOptionFaults,
  words(question, answer, { say }) {
    return Object.entries(findRanks(answer) ?? {})
      .toSorted(([, a], [, b]) => Number(a) - Number(b))
      .map(([id, place]) => `${place}. ${say(findOption(question, id)?.label).text || id}`)
  },
  columns: (question, say) =>
    question.options.map((option) =>
      createColumn(
        question,
        option.id,
        `${say(question.title)}: ${say(option.label)}`,
        (answer) => getOwn(findRanks(answer) ?? {}, option.id) ?? null,
        NUMBER_CONTENT,
      ),
    ),
  parts: (question) => listOfferedOptions(question).map(({ id }) => id),
  missing: 'rank',
}
