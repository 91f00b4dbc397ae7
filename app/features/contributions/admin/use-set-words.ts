import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import type { answerSetsQuery } from '../contributions.queries.ts'

export type AnswerSet = Awaited<ReturnType<NonNullable<typeof answerSetsQuery.queryFn>>>[number]

/** A job has not finished with it. */
export const isBeingSent = ({ state }: AnswerSet): boolean => state === 'waiting' || state === 'running'

/** @returns what is the matter with an answer to many, in a sentence */
export function useSetWords(): (set: AnswerSet) => string {
  const { t } = useTranslation('contributions-admin')
  const { t: moderation } = useTranslation('moderation-admin')
  const format = useFormat()
  return (set) => {
    const texts = (count: number) => moderation('cases.texts', { count, number: format.number(count) })
    const what = texts(set.count)
    const name = (who: string | null) => who ?? t('draft.somebody')
    if (isBeingSent(set)) return t('answer-sets.sending', { what })
    if (set.state === 'done')
      return set.refused > 0
        ? t('answer-sets.done-but', { what: texts(set.sent), refused: format.number(set.refused) })
        : t('answer-sets.done', { what })
    if (set.state === 'cancelled') return t('answer-sets.cancelled', { what: texts(set.sent), all: format.number(set.count) })
    if (set.state === 'failed') return t('answer-sets.failed', { what: texts(set.sent), all: format.number(set.count) })
    if (set.state === 'draft' && set.returnReason) return t('answer-sets.returned', { what, name: name(set.returnedByName) })
    if (set.state === 'draft') return t('answer-sets.draft', { what, name: name(set.writtenByName) })
    return t(set.canAgree ? 'answer-sets.asked' : 'answer-sets.asked-own', {
      what,
      name: name(set.askedByName),
      date: set.askedAt ? format.dateTime(set.askedAt) : '',
    })
  }
}
