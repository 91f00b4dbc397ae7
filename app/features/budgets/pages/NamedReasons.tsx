import { useTranslation } from 'react-i18next'
import { Text } from '#app/ui/text.tsx'
import type { BallotView } from '../budgets.schema.ts'

interface NamedReasonsProps {
  options: BallotView['notFeasible']
}

/** Options that are not on the ballot, or no longer, each with the reason. */
export function NamedReasons({ options }: NamedReasonsProps) {
  return (
    <ul className="ballot-reasons">
      {options.map(({ number, title, reason }) => (
        <li key={number}>
          <strong>
            <Text words={title} />
          </strong>{' '}
          <Text words={reason} />
        </li>
      ))}
    </ul>
  )
}

/** What people proposed and cannot vote for. */
export function NotFeasible({ options }: NamedReasonsProps) {
  const { t } = useTranslation('budgets')
  if (options.length === 0) return null
  return (
    <section className="ballot-not-feasible" aria-labelledby="not-feasible">
      <h2 id="not-feasible">{t('not-feasible.title')}</h2>
      <p>{t('not-feasible.text')}</p>
      <NamedReasons options={options} />
    </section>
  )
}
