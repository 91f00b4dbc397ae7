import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import { omitUndefined, stringifySearchParams } from '#app/lib/search-params.ts'
import type { FormState } from '#app/server/request-context.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { StaticPart } from '#app/ui/static-part.tsx'
import { Text } from '#app/ui/text.tsx'
import { BALLOT_ORDERS, type BallotOrder, type BallotView, type OptionView, type PotView } from '../budgets.schema.ts'
import { useMoney } from '../use-money.ts'
import { type PotSummary, summarisePots, sumPoints } from '../voting/ballot-rules.ts'
import { PotBar } from './PotBar.tsx'
import { ClosingNotice } from './ClosingNotice.tsx'
import { OptionsMap } from './lazy-options-map.ts'
import { NamedReasons, NotFeasible } from './NamedReasons.tsx'
import { buildRoundPath, PhaseTag, RoundBreadcrumbs, VotingRefusal } from './round-parts.tsx'

/**
 * The options of a round, each with a button to add it or to take it out, or with a field for its points. Every button is a form of its own, and
 * the points are one: the page needs no script.
 */
export function BallotPage({ ballot, form }: { ballot: BallotView; form: FormState | null }) {
  const { t } = useTranslation('budgets')
  const { t: general } = useTranslation('errors')
  const { round, pots, isOpen } = ballot
  const summaries = summarisePots(pots, ballot.options, ballot.chosen)
  return (
    <div className="page wrap">
      <RoundBreadcrumbs round={round} />
      <PageTitle title={<Text words={round.title} />} eyebrow={<PhaseTag round={round} now={ballot.now} />}>
        {round.intro.text && (
          <p className="lead" lang={round.intro.lang} dir={getDirection(round.intro.lang)}>
            {round.intro.text}
          </p>
        )}
        {isOpen && <LimitText ballot={ballot} />}
      </PageTitle>
      <ErrorSummary
        title={t('points.refused')}
        errors={(form?.faults ?? []).map(({ code, field, values }) => ({
          ...(field && { id: field }),
          message:
            field && code === 'out-of-range'
              ? t('points.wrong', {
                  option: findOption(ballot.options, Number(field.slice('points.'.length))).title.text,
                  max: values?.['max'],
                })
              : general(...toFaultTitle({ code: code as ErrorCode, ...(values && { values }) })),
        }))}
      />
      <BallotNotices ballot={ballot} />
      {isOpen && round.ballotType === 'points' && (
        <form method="post" id="points">
          <input type="hidden" name="form" value="points" />
          <input type="hidden" name="id" value={ballot.sending.id} />
          <input type="hidden" name="openedAt" value={ballot.openedAt} />
        </form>
      )}
      <div className="ballot">
        {isOpen && <Summary ballot={ballot} summaries={summaries} />}
        <div className="ballot-pots">
          <BallotMap ballot={ballot} />
          <OrderLinks ballot={ballot} />
          {pots.map((pot) => (
            <PotOptions key={pot.id} ballot={ballot} form={form} pot={pot} summary={summaries.find(({ potId }) => potId === pot.id)} />
          ))}
          {isOpen && round.ballotType === 'points' && <PointButtons />}
        </div>
      </div>
      {!isOpen && round.phase === 'announced' && <p className="meta">{t('not-open-yet')}</p>}
      <NotFeasible options={ballot.notFeasible} />
    </div>
  )
}

/** What a ballot may hold, in a sentence. */
function LimitText({ ballot: { round } }: { ballot: BallotView }) {
  const { t } = useTranslation('budgets')
  return (
    <p>
      {round.ballotType === 'points' && `${t('limits.points', { count: round.maxPoints ?? 0 })} `}
      {round.ballotType === 'knapsack'
        ? t('limits.knapsack')
        : round.maxOptions === null
          ? t('limits.approve')
          : t('limits.approve-up-to', { count: round.maxOptions })}{' '}
      {round.maxPots !== null && `${t('limits.pots', { count: round.maxPots })} `}
      {t('limits.changeable')}
    </p>
  )
}

function BallotNotices({ ballot }: { ballot: BallotView }) {
  const { t } = useTranslation('budgets')
  const { round, refusal, isOpen, castVersion } = ballot
  if (round.phase === 'decided')
    return (
      <Notice kind="success" title={t('notices.decided')}>
        <a href={toLocalHref(buildRoundPath(round, '/results'))}>{t('notices.see-results')}</a>
      </Notice>
    )
  if (!isOpen)
    return round.phase === 'deciding' ? (
      <Notice title={t('notices.deciding')}>
        <p>{t('notices.deciding-text')}</p>
        <p>
          <a href={toLocalHref(buildRoundPath(round, '/receipt'))}>{t('notices.look-up')}</a>
        </p>
      </Notice>
    ) : null
  return (
    <>
      <ClosingNotice key={ballot.now} ballot={ballot} />
      {ballot.withdrawn.length > 0 && (
        <Notice kind="warning" title={t('notices.withdrawn', { count: ballot.withdrawn.length })}>
          <NamedReasons options={ballot.withdrawn.map(({ withdrawnReason: reason, ...option }) => ({ ...option, reason }))} />
          <p>{t('notices.withdrawn-text')}</p>
        </Notice>
      )}
      {castVersion !== null && (
        <Notice kind="success" title={t(castVersion === 0 ? 'notices.voted' : ballot.isChanged ? 'notices.changed' : 'notices.cast')}>
          {castVersion > 0 && t('notices.cast-text')}
        </Notice>
      )}
      {refusal && castVersion === null && <VotingRefusal refusal={refusal} next={buildRoundPath(round)} />}
    </>
  )
}

/** What the choice comes to, in one sentence for each pot that is used. */
function useSummaryText(ballot: BallotView): (summary: PotSummary) => string {
  const { t } = useTranslation('budgets')
  const money = useMoney(ballot.round.currency)
  return ({ chosen, cost, left, amount }) => {
    const values = { count: chosen.length, left: money(Math.max(left, 0)), amount: money(amount), cost: money(cost), over: money(-left) }
    if (ballot.round.ballotType === 'points') return t('summary.points-of-pot', { ...values, points: countPoints(ballot, chosen) })
    if (ballot.round.ballotType !== 'knapsack') return t('summary.chosen', values)
    return left < 0 ? t('summary.over', values) : t('summary.left', values)
  }
}

const countPoints = ({ points }: BallotView, chosen: readonly number[]) => chosen.reduce((sum, number) => sum + (points[number] ?? 0), 0)

/** How many of the points are given and, if they are too many, what to take out. */
function PointSummary({ ballot: { round, points, options } }: { ballot: BallotView }) {
  const { t } = useTranslation('budgets')
  const format = useFormat()
  const given = sumPoints(points)
  const over = given - (round.maxPoints ?? 0)
  const smallest = Object.entries(points)
    .filter(([, own]) => own >= over)
    .toSorted(([, a], [, b]) => a - b)[0]
  return (
    <>
      <p className="ballot-left">{t('points.given', { given: format.number(given), max: format.number(round.maxPoints ?? 0) })}</p>
      {over > 0 && (
        <p className="ballot-too-much">
          {t('points.over', { count: over })}{' '}
          {smallest && t('points.take-out', { count: over, option: findOption(options, Number(smallest[0])).title.text })}
        </p>
      )}
    </>
  )
}

/** Both keep the points as typed: one stays, the other goes on to the check. */
function PointButtons() {
  const { t } = useTranslation('budgets')
  return (
    <p className="row">
      <Button type="submit" form="points" kind="secondary">
        {t('points.keep')}
      </Button>
      <Button type="submit" form="points" name="next" value="check">
        {t('summary.check')}
      </Button>
    </p>
  )
}

function Summary({ ballot, summaries }: { ballot: BallotView; summaries: readonly PotSummary[] }) {
  const { t } = useTranslation('budgets')
  const money = useMoney(ballot.round.currency)
  const describe = useSummaryText(ballot)
  const { round, pots, options, chosen } = ballot
  const shown = summaries.filter((summary) => pots.length === 1 || summary.chosen.length > 0)
  return (
    <aside className="ballot-summary card" aria-labelledby="choice">
      <div className="card-body">
        <h2 id="choice">{t('summary.title')}</h2>
        <div aria-live="polite">
          {round.ballotType === 'points' && <PointSummary ballot={ballot} />}
          {shown.length === 0 && <p>{t('summary.none')}</p>}
          {shown.map((summary) => (
            <div key={summary.potId} className="ballot-pot-summary">
              {pots.length > 1 && <h3>{<Text words={findPot(pots, summary.potId).title} />}</h3>}
              <p className="ballot-left">{describe(summary)}</p>
              {round.ballotType === 'knapsack' && (
                <PotBar amount={summary.amount} costs={summary.chosen.map((number) => findOption(options, number).cost)} />
              )}
              <ul className="ballot-chosen">
                {summary.chosen.map((number) => {
                  const option = findOption(options, number)
                  return (
                    <li key={number}>
                      <a href={`#option-${number}`}>
                        <Text words={option.title} />
                      </a>
                      <span className="money">
                        {ballot.points[number] === undefined ? money(option.cost) : t('points.count', { count: ballot.points[number] })}
                      </span>
                    </li>
                  )
                })}
              </ul>
            </div>
          ))}
        </div>
        {round.ballotType === 'points' ? (
          <PointButtons />
        ) : (
          chosen.length > 0 && (
            <a className={getButtonClass({ wide: true })} href={toLocalHref(buildRoundPath(round, '/check'))}>
              {t('summary.check')}
            </a>
          )
        )}
        <p className="meta">{t(ballot.castVersion === null ? 'summary.kept' : 'summary.kept-changed')}</p>
      </div>
    </aside>
  )
}

const NO_POT: PotView = { id: '', title: { text: '' }, amount: 0 }
const findPot = (pots: readonly PotView[], id: string): PotView => pots.find((pot) => pot.id === id) ?? NO_POT
const findOption = (options: readonly OptionView[], number: number) =>
  options.find((option) => option.number === number) ?? { title: { text: '' }, cost: 0 }

/** The order is drawn for each reader, so that none of the options is on top for everybody. */
function OrderLinks({ ballot }: { ballot: BallotView }) {
  const { t } = useTranslation('budgets')
  const { order } = ballot
  return (
    <nav className="ballot-order" id="options" aria-label={t('order.title')}>
      <span>{t('order.title')}</span>
      {BALLOT_ORDERS.map((each) =>
        each === order ? (
          <span key={each} aria-current="true">
            {t(`order.${each}`)}
          </span>
        ) : (
          <a key={each} href={buildBallotAddress(ballot, { order: each })}>
            {t(`order.${each}`)}
          </a>
        ),
      )}
    </nav>
  )
}

/** The same page, with the other choices about how it is shown kept. */
function buildBallotAddress({ round, order, bbox }: BallotView, changed: { order?: BallotOrder; bbox?: string | null }): string {
  const shown = { order, bbox, ...changed }
  return (
    toLocalHref(buildRoundPath(round)) +
    stringifySearchParams(omitUndefined({ order: shown.order === 'drawn' ? undefined : shown.order, bbox: shown.bbox ?? undefined }))
  )
}

/** Where the options lie, without scripts of its own. */
function BallotMap({ ballot }: { ballot: BallotView }) {
  const { map, options } = ballot
  return (
    map && (
      <StaticPart
        id="ballot-map"
        render={() => (
          <OptionsMap
            map={map}
            options={options}
            listId="options"
            narrowTo={(bbox) => buildBallotAddress(ballot, { bbox: bbox ?? null })}
          />
        )}
      />
    )
  )
}

interface PotOptionsProps {
  ballot: BallotView
  form: FormState | null
  pot: PotView
  summary: PotSummary | undefined
}

function PotOptions({ ballot, form, pot, summary }: PotOptionsProps) {
  const { t } = useTranslation('budgets')
  const money = useMoney(ballot.round.currency)
  const options = ballot.options.filter(({ potId }) => potId === pot.id)
  return (
    <section aria-labelledby={`pot-${pot.id}`}>
      <div className="ballot-pot-head">
        <h2 id={`pot-${pot.id}`}>
          <Text words={pot.title} />
        </h2>
        <p className="meta">{t('pot-facts', { count: options.length, amount: money(pot.amount) })}</p>
      </div>
      <ul className="ballot-options">
        {options.map((option) => (
          <li key={option.number}>
            <Option ballot={ballot} form={form} option={option} left={summary?.left ?? pot.amount} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface OptionProps {
  ballot: BallotView
  form: FormState | null
  option: OptionView
  left: number
}

function Option({ ballot, form, option, left }: OptionProps) {
  const { t } = useTranslation('budgets')
  const money = useMoney(ballot.round.currency)
  const { number, title, text, cost, costNote, place, isWithdrawn, withdrawnReason } = option
  const isChosen = ballot.chosen.includes(number)
  const isTooMuch = ballot.isOpen && ballot.round.ballotType === 'knapsack' && !isChosen && !isWithdrawn && cost > left
  return (
    <article
      className={isChosen ? 'ballot-option ballot-option-chosen' : 'ballot-option'}
      id={`option-${number}`}
      aria-labelledby={`title-${number}`}
    >
      <h3 id={`title-${number}`} lang={title.lang} dir={getDirection(title.lang)}>
        {title.text}
      </h3>
      <p className="money">{money(cost)}</p>
      <div className="ballot-option-text">
        {isChosen && (
          <p className="ballot-option-state">
            <Icon name="check" /> {t('chosen')}
          </p>
        )}
        {text.text && (
          <p lang={text.lang} dir={getDirection(text.lang)}>
            {text.text}
          </p>
        )}
        <p className="meta">
          <span>{t('number', { number })}</span>
          {place && (
            <span>
              <Icon name="pin" /> {place}
            </span>
          )}
        </p>
        {costNote.text && (
          <p className="meta" lang={costNote.lang} dir={getDirection(costNote.lang)}>
            {costNote.text}
          </p>
        )}
        {isTooMuch && <p className="ballot-too-much">{t('too-much', { amount: money(cost - left) })}</p>}
        {isWithdrawn && (
          <p className="ballot-too-much">
            {t('withdrawn')} <Text words={withdrawnReason} />
          </p>
        )}
      </div>
      {ballot.isOpen && !isWithdrawn && ballot.round.ballotType === 'points' && <PointField ballot={ballot} form={form} option={option} />}
      {ballot.isOpen && (ballot.round.ballotType === 'points' ? isChosen && isWithdrawn : isChosen || !isWithdrawn) && (
        <form method="post">
          <input type="hidden" name="id" value={ballot.sending.id} />
          <input type="hidden" name="openedAt" value={ballot.openedAt} />
          <input type="hidden" name={isChosen ? 'remove' : 'add'} value={number} />
          <Button type="submit" kind="secondary">
            <Icon name={isChosen ? 'minus' : 'plus'} /> {t(isChosen ? 'remove' : 'add')}
            <span className="visually-hidden"> {title.text}</span>
          </Button>
        </form>
      )}
    </article>
  )
}

/** Points for one option: a field of the form that stands above all of them. */
function PointField({ ballot, form, option: { number, title } }: Omit<OptionProps, 'left'>) {
  const { t } = useTranslation('budgets')
  const name = `points.${number}`
  const typed = form?.values[name]
  const isWrong = form?.faults.some(({ field }) => field === name)
  return (
    <p className="ballot-points">
      <label htmlFor={name}>
        {t('points.label')}
        <span className="visually-hidden"> {title.text}</span>
      </label>
      <input
        className="input input-width-4"
        type="number"
        inputMode="numeric"
        id={name}
        name={name}
        form="points"
        min={0}
        max={ballot.round.maxPoints ?? 0}
        step={1}
        defaultValue={typeof typed === 'string' ? typed : (ballot.points[number] ?? '')}
        aria-invalid={isWrong ? true : undefined}
      />
    </p>
  )
}
