import { useTranslation } from 'react-i18next'
import { omitUndefined, stringifySearchParams } from '#app/lib/search-params.ts'
import type { CountingRule } from '#app/lib/vocabulary/budgets.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { ScrollRegion } from '#app/ui/scroll-region.tsx'
import { StaticPart } from '#app/ui/static-part.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { Text } from '#app/ui/text.tsx'
import type { BudgetResultsView, ResultRowView } from '../budgets.schema.ts'
import { useMoney } from '../use-money.ts'
import { OptionsMap } from './lazy-options-map.ts'
import { RoundLedger } from './RoundLedger.tsx'
import { buildRoundPath, RoundBreadcrumbs } from './round-parts.tsx'
import { useReasonText } from './use-reason-text.ts'

/** A certified result: option by option what was funded and why, beside what another rule would have funded. */
export function BudgetResultsPage({ results }: { results: BudgetResultsView }) {
  const { t } = useTranslation('budgets')
  const format = useFormat()
  const money = useMoney(results.round.currency)
  const { round, pot, pots, rule, other, shown } = results
  const { [rule]: outcome, [other]: otherOutcome } = pot.outcomes
  const toShare = (satisfied: number) => format.percent(pot.ballots === 0 ? 0 : satisfied / pot.ballots)
  return (
    <div className="page wrap">
      <RoundBreadcrumbs round={round} current={t('results.title')} />
      <PageTitle
        title={t('results.of', { round: round.title.text })}
        eyebrow={<Tag kind="results">{t('results.certified-on', { date: format.date(results.certifiedAt) })}</Tag>}
        lead={t('results.lead')}
      />
      {pots.length > 1 && (
        <nav className="budget-pots" aria-label={t('results.pots')}>
          {pots.map((one, at) => (
            <a
              key={one.id}
              aria-current={at + 1 === shown ? 'page' : undefined}
              href={`${toLocalHref(buildRoundPath(round, '/results'))}${at === 0 ? '' : `?pot=${at + 1}`}`}
            >
              <Text words={one.title} /> · {money(one.amount)}
            </a>
          ))}
        </nav>
      )}
      <dl className="budget-figures">
        <div>
          <dt>{t('results.ballots')}</dt>
          <dd>{format.number(pot.ballots)}</dd>
          <dd className="meta">
            {pot.paper === 0 ? t('results.no-paper') : t('results.paper', { count: pot.paper, number: format.number(pot.paper) })}
          </dd>
        </div>
        <div>
          <dt>{t('results.funded')}</dt>
          <dd>{t('results.of-options', { number: format.number(outcome.funded), all: format.number(pot.rows.length) })}</dd>
          <dd className="meta">{t('results.spent', { cost: money(outcome.cost), amount: money(pot.amount) })}</dd>
        </div>
        <div>
          <dt>{t('results.satisfied')}</dt>
          <dd>{toShare(outcome.satisfied)}</dd>
          <dd className="meta">
            {t('results.satisfied-other', { share: toShare(otherOutcome.satisfied), rule: t(`rules.${other}.name`) })}
          </dd>
        </div>
      </dl>
      <section>
        <h2 id="options">{t('results.by-option')}</h2>
        <p>
          {t(`rules.${rule}.means`)} {t(`rules.${other}.means`)} {round.ballotType === 'points' && t('results.points-means')}
        </p>
        <ResultMap results={results} />
        <ResultTable results={results} />
        <p className="meta">{t('results.more-supporters')}</p>
        {pot.withdrawn.map(({ number, title, withdrawnReason }) => (
          <p key={number}>
            {t('results.withdrawn', { option: title.text })} <Text words={withdrawnReason} />
          </p>
        ))}
      </section>
      <Steps results={results} />
      <div className="budget-panels">
        <ComputeAgain results={results} />
        <BecameFinal results={results} />
        {results.ledger && <RoundLedger results={results} ledger={results.ledger} />}
      </div>
    </div>
  )
}

function ResultMap({ results: { pot, shown, rule, round } }: { results: BudgetResultsView }) {
  const { t } = useTranslation('budgets')
  const { map, rows } = pot
  const nameOutcome = (isFunded: boolean) => t(isFunded ? 'results.is-funded' : 'results.is-not-funded')
  const outcomeOf = (number: number) =>
    nameOutcome(rows.some((row) => row.number === number && (row.override?.isFunded ?? row.isFunded[rule])))
  const narrowTo = (bbox: string | undefined) =>
    toLocalHref(buildRoundPath(round, '/results')) + stringifySearchParams(omitUndefined({ pot: shown > 1 ? shown : undefined, bbox }))
  const signs = [
    { code: 'done', label: nameOutcome(true) },
    { code: 'not_taken_forward', label: nameOutcome(false) },
  ]
  return (
    map && (
      <StaticPart
        id="result-map"
        render={() => <OptionsMap map={map} options={rows} listId="result-table" narrowTo={narrowTo} outcomeOf={outcomeOf} signs={signs} />}
      />
    )
  )
}

function ResultTable({ results: { pot, rule, other, round } }: { results: BudgetResultsView }) {
  const { t } = useTranslation('budgets')
  const money = useMoney(round.currency)
  const format = useFormat()
  const describe = useReasonText(round.currency, pot.rows)
  const renderOutcome = (row: ResultRowView, by: CountingRule) => {
    const isFunded = row.isFunded[by]
    const key =
      by === rule ? (isFunded ? 'results.is-funded' : 'results.is-not-funded') : isFunded ? 'results.would-be' : 'results.would-not-be'
    return (
      <>
        <span className={isFunded ? 'budget-yes' : 'budget-no'}>
          <Icon name={isFunded ? 'check' : 'minus'} /> {t(key)}
        </span>
        <p>{describe(row.reasons[by])}</p>
      </>
    )
  }
  return (
    <ScrollRegion labelledBy="options">
      <table className="budget-table" id="result-table">
        <thead>
          <tr>
            <th scope="col">{t('results.option')}</th>
            <th scope="col" className="number">
              {t(round.ballotType === 'points' ? 'results.points' : 'results.votes')}
            </th>
            <th scope="col" className="budget-binding">
              {t(`rules.${rule}.name`)}
              <span>{t('results.binding')}</span>
            </th>
            <th scope="col">
              {t(`rules.${other}.name`)}
              <span>{t('results.comparison')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {pot.rows.map((row) => (
            <tr key={row.number} id={`option-${row.number}`}>
              <th scope="row">
                <Text words={row.title} />
                <span className="money">{money(row.cost)}</span>
                {row.delivery && (
                  <span>
                    <Tag>{t(`delivery.${row.delivery}`)}</Tag> <Text words={row.deliveryNote} />
                  </span>
                )}
              </th>
              <td className="number">{format.number(row.votes)}</td>
              <td className="budget-binding" data-rule={t(`rules.${rule}.name`)}>
                {renderOutcome(row, rule)}
                {row.override && (
                  <p className="budget-override">
                    <strong>
                      {t(row.override.isFunded ? 'results.funded-by' : 'results.not-funded-by', { body: row.override.body.text })}
                    </strong>{' '}
                    <Text words={row.override.reason} />
                  </p>
                )}
              </td>
              <td data-rule={t(`rules.${other}.name`)}>{renderOutcome(row, other)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function Steps({ results: { pot, rule, round } }: { results: BudgetResultsView }) {
  const { t } = useTranslation('budgets')
  const format = useFormat()
  const money = useMoney(round.currency)
  const nameOption = (number: number) => pot.rows.find((row) => row.number === number)?.title.text ?? String(number)
  const toScore = (score: number) => format.number(Math.round(score * 100) / 100)
  return (
    <details className="budget-steps">
      <summary>{t('steps.title')}</summary>
      <ScrollRegion label={t('steps.title')}>
        <table className="budget-table">
          <thead>
            <tr>
              <th scope="col">{t('steps.step')}</th>
              <th scope="col">{t('results.option')}</th>
              <th scope="col" className="number">
                {t(rule === 'equal-shares' ? 'steps.effective' : round.ballotType === 'points' ? 'results.points' : 'results.votes')}
              </th>
              <th scope="col">{t('steps.outcome')}</th>
              <th scope="col" className="number">
                {t('steps.left')}
              </th>
            </tr>
          </thead>
          <tbody>
            {pot.steps.map(({ option, isFunded, score, left, tie }, at) => (
              <tr key={option}>
                <td>{format.number(at + 1)}</td>
                <td>{nameOption(option)}</td>
                <td className="number">{toScore(score)}</td>
                <td>
                  {t(isFunded ? 'results.is-funded' : 'results.is-not-funded')}
                  {tie && <p>{t(`steps.tie.${tie.by}`, { options: format.list(tie.options.map(nameOption)) })}</p>}
                </td>
                <td className="number">{money(left)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  )
}

function ComputeAgain({ results: { pot, round, shown, seed, seedHash } }: { results: BudgetResultsView }) {
  const { t } = useTranslation('budgets')
  const money = useMoney(round.currency)
  const { shares, digest } = pot
  const file = `${round.slug}-${shown}.pb`
  const ties = pot.steps.filter(({ tie }) => tie)
  return (
    <section className="card" aria-labelledby="again">
      <div className="card-body">
        <h2 id="again">{t('again.title')}</h2>
        <dl className="budget-facts">
          <dt>{t('again.digest')}</dt>
          <dd>
            <code>{digest}</code>
          </dd>
          {shares && (
            <>
              <dt>{t('again.share')}</dt>
              <dd>
                {t('again.share-text', { first: money(shares.first), last: money(shares.last), count: shares.raised })}{' '}
                {shares.nextCost !== null && t('again.share-next', { cost: money(shares.nextCost) })}
              </dd>
            </>
          )}
          <dt>{t('again.ties')}</dt>
          <dd>{ties.length === 0 ? t('again.no-ties') : t('again.some-ties', { count: ties.length })}</dd>
          <dt>{t('again.seed')}</dt>
          <dd>
            <code>{seed}</code> <span className="meta">{t('again.seed-text')}</span> <code>{seedHash}</code>
          </dd>
        </dl>
        <p>{t('again.machine')}</p>
        <code className="ledger-command">parley budget-verify {file}</code>
        <p className="row">
          <a className={getButtonClass()} href={buildRoundPath(round, `/ballots/${shown}.pb`)} download={file}>
            <Icon name="download" /> .pb
          </a>
          <a className={getButtonClass({ kind: 'secondary' })} href={buildRoundPath(round, '/results.csv')} download>
            <Icon name="download" /> CSV
          </a>
          <a className={getButtonClass({ kind: 'secondary' })} href={buildRoundPath(round, '/results.json')} download>
            <Icon name="download" /> JSON
          </a>
        </p>
      </div>
    </section>
  )
}

function BecameFinal({ results: { round, countedAt, certifiedAt, pot } }: { results: BudgetResultsView }) {
  const { t } = useTranslation('budgets')
  const format = useFormat()
  const delivered = pot.rows.filter(({ delivery }) => delivery === 'done').length
  return (
    <section className="card" aria-labelledby="final">
      <div className="card-body">
        <h2 id="final">{t('final.title')}</h2>
        <dl className="budget-facts">
          <dt>{t('final.closed')}</dt>
          <dd>{round.closesAt && format.dateTime(round.closesAt)}</dd>
          <dt>{t('final.counted')}</dt>
          <dd>{format.date(countedAt)}</dd>
          <dt>{t('final.certified')}</dt>
          <dd>
            {format.date(certifiedAt)}. {t('final.destroyed')}
          </dd>
          <dt>{t('final.delivery')}</dt>
          <dd>{t('final.delivered', { count: delivered, number: format.number(delivered) })}</dd>
        </dl>
        <p>
          <a href={toLocalHref(buildRoundPath(round, '/receipt'))}>{t('notices.look-up')}</a>
        </p>
      </div>
    </section>
  )
}
