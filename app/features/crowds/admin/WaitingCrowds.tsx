import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Notice } from '#app/ui/notice.tsx'
import { waitingCrowdsQuery } from '../crowds.queries.ts'

/** A notice that some answers to a survey do not count until an administrator decides. */
export function WaitingCrowds({ survey }: { survey: string }) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const waiting = useQuery(waitingCrowdsQuery(survey)).data?.data ?? []
  const number = waiting.reduce((sum, crowd) => sum + crowd.number, 0)
  if (number === 0) return null
  return (
    <Notice kind="warning" title={t('unusual.title')}>
      <p>{t('unusual.uncounted', { count: number, number: format.number(number) })}</p>
      <p>
        <Link to="/admin/contributions/unusual">{t('unusual.look')}</Link>
      </p>
    </Notice>
  )
}
