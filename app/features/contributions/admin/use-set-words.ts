import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import type { answerSetsQuery } from '../contributions.queries.ts'

export type AnswerSet = Awaited<ReturnType<NonNullable<typeof answerSetsQuery.queryFn>>>[number]

/** @returns what is the matter with an answer to many, in a sentence */
export function useSetWords(): (set: AnswerSet) => string {
  const { t } = useTranslation('contributions-admin')
  const { t: moderation } = useTranslation('moderation-admin')
  const format = useFormat()
  return (set) => {
    const what = moderation('cases.texts', { count: set.count, number: format.number(set.count) })
    const name = (who: string | null) => who ?? t('draft.somebody')
    if (set.state === 'sending') return t('answer-sets.sending', { what, sent: format.number(set.sent) })
    if (set.state === 'draft' && set.returnReason) return t('answer-sets.returned', { what, name: name(set.returnedByName) })
    if (set.state === 'draft') return t('answer-sets.draft', { what, name: name(set.writtenByName) })
    return t(set.canAgree ? 'answer-sets.asked' : 'answer-sets.asked-own', {
      what,
      name: name(set.askedByName),
      date: set.askedAt ? format.dateTime(set.askedAt) : '',
    })
  }
}
