import type { Fault } from '#app/lib/app-error.ts'
import type { Answer, QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { offered, optionFaults, optionOf } from '../choices/options.ts'
import { column, NUMBER, own, type QuestionModule } from '../question-type.ts'
import { readNumber } from '../text-tools.ts'

type Ranking = QuestionOf<'ranking'>

const ranksIn = (answer: Answer): Record<string, number | string> | undefined =>
  typeof answer === 'object' && 'ranks' in answer ? answer.ranks : undefined

/** How many places there are to give. */
export const placesOf = (question: Ranking): number => Math.min(question.maxRanked || Infinity, offered(question).length)

export const ranking: QuestionModule<Ranking> = {
  read(question, sent) {
    const ranks = offered(question).flatMap(({ id }) => {
      const place = readNumber(sent(id)[0] ?? '')
      return place === undefined ? [] : [[id, place] as const]
    })
    return ranks.length > 0 ? { ranks: Object.fromEntries(ranks) } : undefined
  },
  fields: (_question, answer) => Object.fromEntries(Object.entries(ranksIn(answer) ?? {}).map(([id, place]) => [id, String(place)])),
  tidy(_question, answer) {
    const ranks = ranksIn(answer)
    if (!ranks) return answer
    const kept = Object.entries(ranks).filter(([, place]) => place !== '')
    return kept.length > 0 ? { ranks: Object.fromEntries(kept.toSorted(([, a], [, b]) => Number(a) - Number(b))) } : undefined
  },
  check(question, answer): Fault | undefined {
    const ranks = ranksIn(answer)
    if (!ranks) return { code: 'wrong-type' }
    const most = placesOf(question)
    const taken = new Set<number>()
    for (const [id, place] of Object.entries(ranks)) {
      if (!offered(question).some((option) => option.id === id)) return { code: 'not-a-choice' }
      if (typeof place !== 'number' || !Number.isInteger(place) || place < 1 || place > most)
        return { code: 'out-of-range', pointer: `/${id}`, values: { min: 1, max: most } }
      if (taken.has(place)) return { code: 'taken', pointer: `/${id}` }
      taken.add(place)
    }
    const gap = Array.from(taken).some((place) => place > taken.size)
    const incomplete = gap || (question.required === true && taken.size < most)
    const left = offered(question).find(({ id }) => own(ranks, id) === undefined)
    return incomplete ? { code: 'required', ...(left && { pointer: `/${left.id}` }) } : undefined
  },
  faults: optionFaults,
  words(question, answer, { say }) {
    return Object.entries(ranksIn(answer) ?? {})
      .toSorted(([, a], [, b]) => Number(a) - Number(b))
      .map(([id, place]) => `${place}. ${say(optionOf(question, id)?.label).text || id}`)
  },
  columns: (question, say) =>
    question.options.map((option) =>
      column(
        question,
        option.id,
        `${say(question.title)}: ${say(option.label)}`,
        (answer) => own(ranksIn(answer) ?? {}, option.id) ?? null,
        NUMBER,
      ),
    ),
  parts: (question) => offered(question).map(({ id }) => id),
  missing: 'rank',
}
