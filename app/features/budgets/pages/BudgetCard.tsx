import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { Meta } from '#app/ui/card.tsx'
import { Icon } from '#app/ui/icon.tsx'
import type { RoundCardView } from '../budgets.schema.ts'
import { useMoney } from '../use-money.ts'
import { PhaseTag } from './round-parts.tsx'

/** A round among what people can do in a project. */
export function BudgetCard({ project, round, now }: { project: string; round: RoundCardView; now: string }) {
  const { t } = useTranslation('budgets')
  const money = useMoney(round.currency)
  const address = toLocalHref(`/projects/${project}/budgets/${round.slug}`)
  const isDecided = round.phase === 'decided'
  return (
    <div className="card-body">
      <PhaseTag round={round} now={now} />
      <h3 lang={round.title.lang} dir={getDirection(round.title.lang)}>
        {round.title.text}
      </h3>
      {round.intro.text && (
        <p lang={round.intro.lang} dir={getDirection(round.intro.lang)}>
          {round.intro.text}
        </p>
      )}
      <Meta
        items={[
          <>
            <Icon name="chart" />
            {t('card.facts', { count: round.options, amount: money(round.total) })}
          </>,
        ]}
      />
      <div className="row">
        <a
          className={getButtonClass(round.phase === 'voting' ? {} : { kind: 'secondary' })}
          href={isDecided ? `${address}/results` : address}
        >
          {t(isDecided ? 'card.results' : round.phase === 'voting' ? 'card.vote' : 'card.see')}
          <span className="visually-hidden"> {round.title.text}</span>
        </a>
      </div>
    </div>
  )
}
