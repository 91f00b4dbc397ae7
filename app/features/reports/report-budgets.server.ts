import { sql } from 'drizzle-orm'
import { createMoneyFormat } from '#app/lib/format-money.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { Currency } from '#app/lib/vocabulary/budgets.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { Describe } from './describe-report.server.ts'
import type { ReportCell } from './report.schema.ts'

/** More are on the pages of their projects. */
const MAX_ROUNDS = 200

/** A vote on a budget, with its certified result. */
export interface ReportBudget {
  title: string
  project: string
  href: string
  /** Null until the count is certified. */
  result: {
    ballots: number
    paper: number
    /** Options that the rule funds, in all pots. */
    funded: number
    /** In words, in the currency of the vote. */
    spent: string
    amount: string
    /** Options about which a body decided instead of the rule. */
    overridden: number
  } | null
}

interface RoundRow extends Record<string, unknown> {
  title: Translated
  project: Translated
  href: string
  currency: Currency
  ballots: number | null
  paper: number
  funded: number
  /** Both in minor units. */
  spent: number
  amount: number
  overridden: number
}

/** Budgets of the projects on which people could vote in these days, in the order in which voting closed. */
export async function loadReportBudgets(
  ctx: Ctx,
  tx: Tx,
  { projects, from, until }: { projects: readonly string[]; from: Date; until: Date },
): Promise<ReportBudget[]> {
  const { site, language, contentLanguage } = ctx
  const { rows } = await tx.execute<RoundRow>(sql`
    select r.title, p.title as project, '/projects/' || p.slug || '/budgets/' || r.slug as href, r.currency, x.ballots, x.paper,
      counted.funded, counted.spent, counted.amount,
      (select count(*)::int from budget_overrides o where o.site_id = r.site_id and o.round_id = r.id) as overridden
    from budget_rounds r join projects p on p.site_id = r.site_id and p.id = r.project_id
    left join budget_results x on x.site_id = r.site_id and x.round_id = r.id and x.certified_at is not null
    left join lateral (
      select sum(jsonb_array_length(pot -> 'outcomes' -> x.rule -> 'funded'))::int as funded,
        sum((pot -> 'outcomes' -> x.rule ->> 'cost')::bigint)::float8 as spent, sum((pot ->> 'amount')::bigint)::float8 as amount
      from jsonb_array_elements(x.pots) pot
    ) counted on true
    where r.site_id = ${site.id} and r.project_id = any (${sql.param([...projects])}::uuid[]) and r.status = 'published'
      and r.opens_at < ${until.toISOString()}::timestamptz and r.closes_at >= ${from.toISOString()}::timestamptz
    order by r.closes_at, r.id limit ${MAX_ROUNDS}`)
  const translate = (text: Translated) => getTranslation(text, contentLanguage, site.locale)
  return rows.map(({ title, project, href, currency, ballots, paper, funded, spent, amount, overridden }) => {
    const money = createMoneyFormat(language, site.region, currency)
    const result = ballots === null ? null : { ballots, paper, funded, spent: money(spent), amount: money(amount), overridden }
    return { title: translate(title), project: translate(project), href, result }
  })
}

const NOTHING: ReportCell = { text: '–', value: null }

/** Each vote, with what its certified result says. Undefined if there was none. */
export const describeBudgets: Describe = ({ budgets }, { t, count, figure }) => {
  if (!budgets || budgets.length === 0) return undefined
  const isOverridden = budgets.some(({ result }) => result && result.overridden > 0)
  const isOpen = budgets.some(({ result }) => !result)
  return {
    blocks: [
      {
        kind: 'table',
        caption: t('captions.budgets'),
        textColumns: 2,
        heads: [
          t('heads.budget'),
          t('heads.project'),
          figure('budgetBallots'),
          t('heads.on-paper'),
          t('heads.funded'),
          t('heads.spent'),
          t('heads.amount'),
        ],
        rows: budgets.map(({ title, project, href, result }) => [
          { text: title, value: title, href },
          { text: project, value: project },
          ...(result
            ? [
                ...[result.ballots, result.paper, result.funded].map(count),
                { text: result.spent, value: result.spent },
                { text: result.amount, value: result.amount },
              ]
            : Array.from({ length: 5 }, () => NOTHING)),
        ]),
      },
      {
        kind: 'text',
        text: [t('budgets-note'), ...(isOpen ? [t('budgets-open')] : []), ...(isOverridden ? [t('budgets-overridden')] : [])].join(' '),
      },
    ],
    figures: ['budgetBallots'],
  }
}
