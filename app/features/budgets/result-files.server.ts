import { AppError } from '#app/lib/app-error.ts'
import { BYTE_ORDER_MARK, formatCsv } from '#app/lib/csv.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { createFileResponse } from '#app/server/file-response.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { findLedger, streamLedgerFile } from '#app/features/ledger/ledger.server.ts'
import { requireRoundAt } from './budgets.policy.server.ts'
import { type CertifiedResult, loadCertified } from './budget-views.server.ts'
import { writePbFile } from './counting/pb-file.ts'
import { commitToSeed } from './counting/commit-to-seed.server.ts'
import { loadElections, readPotResults } from './managing/count-round.server.ts'
import { yieldOnce } from '#app/server/yield-once.ts'

interface Download {
  filename: string
  type: string
  text: string
}

type Params = Record<'slug' | 'round', string> & { pot?: string }

/** A download route of a certified result. Everybody gets what a visitor gets. */
const serveFile =
  (build: (ctx: Ctx, params: Params) => Promise<Download>) =>
  ({ context: { ctx }, params }: { context: RequestContext; params: Params }): Promise<Response> => {
    const visitor = { ...ctx, viewer: VISITOR }
    return createFileResponse(visitor, async () => {
      const { filename, type, text } = await build(visitor, params)
      const bytes = new TextEncoder().encode(text)
      return { filename, type, bytes: bytes.length, isOpen: true, pieces: yieldOnce(bytes) }
    })
  }

const toAddress = ({ slug, round }: Params) => ({ project: slug, round })
const toDay = (at: Date | null): string => at?.toISOString().slice(0, 10) ?? ''

/** The ballots and the result of one pot as a `.pb` file, which `parley budget-verify` counts again. Pots are numbered from 1. */
export const servePbFile = serveFile((ctx, params) =>
  ctx.db.read(async (tx) => {
    const { pot = '' } = params
    const { round, project, result, options } = await loadCertified(ctx, tx, toAddress(params))
    const found = /^\d{1,4}$/.test(pot) ? (await loadElections(tx, round))[Number(pot) - 1] : undefined
    if (!found) throw new AppError('not-found')
    const counted = readPotResults(result).find(({ potId }) => potId === found.pot.id)
    const inSiteLanguage = (text: Translated | undefined) => getTranslation(text, ctx.site.locale)
    const names = found.election.options.map(({ id }) => inSiteLanguage(options.find(({ number }) => String(number) === id)?.title))
    const about = {
      description: `${inSiteLanguage(project.title)}: ${inSiteLanguage(round.title)}`,
      country: ctx.site.region,
      unit: ctx.site.name,
      instance: inSiteLanguage(found.pot.title),
      currency: round.currency,
      language: ctx.site.locale,
      rule: result.rule,
      maxPoints: round.maxPoints,
      from: toDay(round.opensAt),
      until: toDay(round.closesAt),
    }
    const text = writePbFile(found.election, names, about, counted?.outcomes[result.rule].funded ?? [])
    return { filename: `${round.slug}-${pot}.pb`, type: 'text/plain; charset=utf-8', text }
  }),
)

/** The ledger of a round, from its first ballot on, as JSON lines: `parley verify` recomputes it. */
export function serveLedger({ context: { ctx }, params }: { context: RequestContext; params: Params }): Promise<Response> {
  const visitor = { ...ctx, viewer: VISITOR }
  return createFileResponse(visitor, async () => {
    const { ledger, slug } = await visitor.db.read(async (tx) => {
      const { round } = await requireRoundAt(visitor, tx, toAddress(params))
      return { slug: round.slug, ledger: await findLedger(tx, 'round', round.siteId, round.id) }
    })
    if (!ledger) throw new AppError('not-found')
    const type = 'application/x-ndjson; charset=utf-8'
    return { filename: `${slug}-ledger.jsonl`, type, isOpen: true, pieces: streamLedgerFile(visitor.db, ledger) }
  })
}

const COLUMNS = [
  'pot',
  'number',
  'title',
  'cost',
  'votes',
  'rule',
  'funded',
  'greedy',
  'greedy-no-skip',
  'equal-shares',
  'ballots',
  'paper',
  'decided',
  'body',
  'reason',
] as const

/** The result of every pot as a table. */
export const serveResultsCsv = serveFile((ctx, params) =>
  ctx.db.read(async (tx) => {
    const certified = await loadCertified(ctx, tx, toAddress(params))
    const lines = listResultRows(ctx, certified).map((row) => COLUMNS.map((column) => row[column]))
    return {
      filename: `${certified.round.slug}.csv`,
      type: 'text/csv; charset=utf-8',
      text: BYTE_ORDER_MARK + formatCsv([COLUMNS, ...lines]),
    }
  }),
)

function listResultRows(ctx: Ctx, { result, pots, options, overrides }: CertifiedResult) {
  const name = (text: Translated | undefined) => getTranslation(text, ctx.contentLanguage, ctx.site.locale)
  return readPotResults(result).flatMap(({ potId, ballots, paper = 0, options: numbers, outcomes }) =>
    numbers.map((number, at) => {
      const option = options.find((one) => one.number === number)
      const override = overrides.find((one) => one.number === number)
      const isFunded = (rule: keyof typeof outcomes) => (outcomes[rule].funded.includes(String(number)) ? 1 : 0)
      return {
        pot: name(pots.find(({ id }) => id === potId)?.title),
        ballots,
        paper,
        number,
        title: name(option?.title),
        cost: (option?.cost ?? 0) / 100,
        votes: outcomes[result.rule].votes[at] ?? 0,
        rule: result.rule,
        funded: isFunded(result.rule),
        greedy: isFunded('greedy'),
        'greedy-no-skip': isFunded('greedy-no-skip'),
        'equal-shares': isFunded('equal-shares'),
        // What a body decided instead; empty if it decided nothing.
        decided: override ? Number(override.isFunded) : '',
        body: name(override?.body),
        reason: name(override?.reason),
      }
    }),
  )
}

/** The result with everything that it can be checked by, but for the ballots, which are in the `.pb` files. */
export const serveResultsJson = serveFile((ctx, params) =>
  ctx.db.read(async (tx) => {
    const { round, result, overrides } = await loadCertified(ctx, tx, toAddress(params))
    const file = {
      title: round.title,
      rule: result.rule,
      threshold: round.threshold,
      currency: round.currency,
      ballots: result.ballots,
      paper: result.paper,
      seed: round.seed,
      seedHash: commitToSeed(round.seed ?? ''),
      countedAt: result.countedAt,
      certifiedAt: result.certifiedAt,
      pots: readPotResults(result),
      overrides: overrides.map(({ number, isFunded, body, reason, createdAt }) => ({ option: number, isFunded, body, reason, createdAt })),
    }
    return { filename: `${round.slug}.json`, type: 'application/json', text: JSON.stringify(file, null, 2) }
  }),
)
