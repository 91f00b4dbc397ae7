import { createHmac } from 'node:crypto'
import { and, asc, count, eq, inArray, sum } from 'drizzle-orm'
import type { ReadInvitation } from '#app/features/participation/access.policy.server.ts'
import { computeLeaf, computeSalt, findEntry, findLedger, readLedgerHead } from '#app/features/ledger/ledger.server.ts'
import type { LedgerProof } from '#app/features/ledger/proof.ts'
import { hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import { requireVisibleProject } from '#app/features/projects/projects.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { parseReceiptCode } from '#app/lib/receipt-code.ts'
import type { Translated } from '#app/lib/translated.ts'
import { COUNTING_RULES, type CountingRule } from '#app/lib/vocabulary/budgets.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetBallots, budgetOptions, budgetPots, budgetResults, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import {
  findStandingResult,
  findVotingRefusal,
  loadBallotOptions,
  loadNotFeasible,
  loadOverrides,
  loadPots,
  type OptionRow,
  type PlacedRound,
  type PotRow,
  requireRoundAt,
  type ResultRow,
  type RoundAddress,
  type RoundRow,
  selectPlacedRounds,
} from './budgets.policy.server.ts'
import {
  type BallotOrder,
  type BallotReceiptView,
  type BallotView,
  type BudgetResultsView,
  chooseOtherRule,
  type OptionsMapView,
  type OptionView,
  type PotResultView,
  type RoundCardView,
  type RoundView,
} from './budgets.schema.ts'
import { getBudgetPhase, GRACE_MS, isVotingOpen } from './budgets.state.ts'
import { commitToSeed } from './counting/commit-to-seed.server.ts'
import { mapOptions } from './map-options.server.ts'
import { type PotResult, readPotResults } from './managing/count-round.server.ts'
import type { Choice } from './voting/ballot-cookies.server.ts'
import { openSending } from '#app/features/participation/sending.server.ts'
import { describeBallot, type Points } from './voting/ballot-rules.ts'
import { findOwnBallot, hashVoter, hasVoted } from './voting/voters.server.ts'

const localiseFor = (ctx: Ctx) => (text: Translated) => localiseText(text, ctx.contentLanguage, ctx.site.locale)

function toRoundView(ctx: Ctx, { round, project }: PlacedRound, result: ResultRow | undefined): RoundView {
  const localise = localiseFor(ctx)
  return {
    id: round.id,
    slug: round.slug,
    title: localise(round.title),
    intro: localise(round.intro),
    phase: getBudgetPhase(ctx.now(), round, result),
    opensAt: round.opensAt?.toISOString() ?? null,
    closesAt: round.closesAt?.toISOString() ?? null,
    lateUntil: round.closesAt ? new Date(round.closesAt.getTime() + GRACE_MS).toISOString() : null,
    ballotType: round.ballotType,
    minOptions: round.minOptions,
    maxOptions: round.maxOptions,
    maxPots: round.maxPots,
    maxPoints: round.maxPoints,
    currency: round.currency,
    project: { slug: project.slug, title: localise(project.title) },
    listed: round.status !== 'draft' && project.status !== 'draft' && project.visibility === 'public',
  }
}

const toOptionView = (ctx: Ctx, option: OptionRow): OptionView => {
  const localise = localiseFor(ctx)
  return {
    number: option.number,
    potId: option.potId,
    title: localise(option.title),
    text: localise(option.text),
    cost: option.cost ?? 0,
    costNote: localise(option.costNote),
    place: option.place,
    isWithdrawn: option.withdrawnAt !== null,
    withdrawnReason: localise(option.withdrawnReason),
  }
}

const toPotView = (ctx: Ctx, { id, title, amount }: PotRow) => ({ id, title: localiseFor(ctx)(title), amount })

/** Of a browser that has chosen nothing yet: the order of its options stays the same while its network address does. */
export const drawSeed = ({ runtime, address }: Ctx, roundId: string): string =>
  createHmac('sha256', runtime.secret)
    .update(`order/${roundId}/${address ?? ''}`)
    .digest('hex')
    .slice(0, 16)

function sortOptions(options: readonly OptionView[], order: BallotOrder, seed: string): OptionView[] {
  if (order === 'cost') return options.toSorted((a, b) => a.cost - b.cost || a.number - b.number)
  if (order === 'name') return options.toSorted((a, b) => a.title.text.localeCompare(b.title.text) || a.number - b.number)
  const places = new Map(options.map(({ number }) => [number, createHmac('sha256', seed).update(String(number)).digest('hex')]))
  return options.toSorted((a, b) => ((places.get(a.number) ?? '') < (places.get(b.number) ?? '') ? -1 : 1))
}

interface BallotRequest {
  order: BallotOrder
  /** The part of the map to show. */
  bbox?: string | undefined
  readChoice: (roundId: string) => Choice | undefined
  readInvitation: ReadInvitation
}

/** The ballot of a reader: what they have chosen on this device, else what they have cast. @throws {AppError} `not-found`, `gone` */
export function getBallot(
  ctx: Ctx,
  address: RoundAddress,
  { order, bbox, readChoice, readInvitation }: BallotRequest,
): Promise<BallotView> {
  return ctx.db.read(async (tx) => {
    const placed = await requireRoundAt(ctx, tx, address)
    const { round, project } = placed
    const result = await findStandingResult(tx, round)
    const hashes = await hashVoter(ctx, tx, round, readInvitation)
    const own = await findOwnBallot(tx, round, hashes)
    const choice = readChoice(round.id)
    const now = ctx.now()
    const openedAt = choice?.openedAt ?? now.getTime()
    const chosen = choice?.numbers ?? own?.options ?? []
    const points = round.ballotType !== 'points' ? {} : (choice?.points ?? pairPoints(own))
    const rows = await loadBallotOptions(tx, round)
    const options = rows.map((option) => toOptionView(ctx, option))
    const localise = localiseFor(ctx)
    const known = new Set(options.map(({ number }) => number))
    return {
      round: toRoundView(ctx, placed, result),
      pots: (await loadPots(tx, round)).map((pot) => toPotView(ctx, pot)),
      options: sortOptions(options, order, choice?.seed ?? drawSeed(ctx, round.id)),
      order,
      map: await mapOptions(ctx, { options: rows, bbox, signOf: ({ number }) => String(number) }),
      bbox: bbox ?? null,
      chosen: chosen.filter((number) => known.has(number)),
      withdrawn: options.filter(({ number, isWithdrawn }) => isWithdrawn && own?.options.includes(number)),
      notFeasible: (await loadNotFeasible(tx, round)).map(({ number, title, reason }) => ({
        number,
        title: localise(title),
        reason: localise(reason),
      })),
      castVersion: own?.version ?? ((await hasVoted(tx, round, hashes)) ? 0 : null),
      points: Object.fromEntries(Object.entries(points).filter(([number]) => known.has(Number(number)))),
      isChanged: own !== undefined && describeChoice(chosen, points) !== describeBallot(own.options, own.points),
      isOpen: project.status === 'published' && isVotingOpen(now, round, new Date(openedAt)),
      openedAt,
      refusal: await findVotingRefusal(ctx, tx, placed, readInvitation),
      sending: openSending(ctx),
      now: now.toISOString(),
    }
  })
}

/** Points of a stored ballot by the number of the option. */
export const pairPoints = (ballot: { options: number[]; points: number[] | null } | undefined): Points =>
  Object.fromEntries(ballot?.points?.map((points, at) => [ballot.options[at] ?? 0, points]) ?? [])

function describeChoice(chosen: readonly number[], points: Points): string {
  const sorted = chosen.toSorted((a, b) => a - b)
  const hasPoints = Object.keys(points).length > 0
  return describeBallot(sorted, hasPoints ? sorted.map((number) => points[number] ?? 0) : null)
}

/** Whether a ballot with this code is among those that count, without what it says. @throws {AppError} `not-found`, `gone` */
export function getBallotReceipt(ctx: Ctx, address: RoundAddress, typed: string | undefined): Promise<BallotReceiptView> {
  return ctx.db.read(async (tx) => {
    const placed = await requireRoundAt(ctx, tx, address)
    const result = await findStandingResult(tx, placed.round)
    const code = parseReceiptCode(typed ?? '')
    const ballot = code ? await findBallotByCode(ctx, tx, placed.round, code) : undefined
    const options = (await loadBallotOptions(tx, placed.round)).map((option) => toOptionView(ctx, option))
    return {
      round: toRoundView(ctx, placed, result),
      receipt:
        code && ballot
          ? {
              code,
              castAt: ballot.castAt.toISOString(),
              isCounted: result?.state === 'certified',
              proof: await proveBallot(tx, placed.round, code, ballot),
            }
          : null,
      withdrawn: options.filter(({ isWithdrawn }) => isWithdrawn),
      address: buildSiteUrl(ctx, `/projects/${address.project}/budgets/${address.round}/receipt`),
    }
  })
}

/** Finds the entry of a ballot by what the ballot says and its code: nothing else leads from one to the other once the result is certified. */
async function proveBallot(tx: Tx, { siteId, id }: RoundRow, code: string, ballot: CodedBallot): Promise<LedgerProof | null> {
  const ledger = await findLedger(tx, 'round', siteId, id)
  if (!ledger) return null
  const salt = computeSalt(ledger.id, code)
  const leaf = computeLeaf(salt, describeBallot(ballot.options, ballot.points))
  const entry = await findEntry(tx, ledger, leaf)
  const { entries, head } = await readLedgerHead(tx, ledger)
  return { salt, leaf: leaf.toString('hex'), entry: entry ? { number: entry.number, hash: entry.hash } : null, entries, head }
}

type CodedBallot = Pick<typeof budgetBallots.$inferSelect, 'castAt' | 'options' | 'points'>

export async function findBallotByCode(ctx: Ctx, tx: Tx, { id }: Pick<RoundRow, 'id'>, code: string): Promise<CodedBallot | undefined> {
  const [ballot] = await tx
    .select({ castAt: budgetBallots.castAt, options: budgetBallots.options, points: budgetBallots.points })
    .from(budgetBallots)
    .where(
      and(
        eq(budgetBallots.siteId, ctx.site.id),
        eq(budgetBallots.roundId, id),
        eq(budgetBallots.receiptHash, hashReceiptCode(ctx.site.id, code)),
      ),
    )
  return ballot
}

/** The rounds of a project that are published, as its page lists them. @throws {AppError} `not-found`, `gone` */
export function listRoundCards(
  ctx: Ctx,
  input: { slug: string; preview?: string | undefined },
): Promise<{ rounds: RoundCardView[]; now: string }> {
  return ctx.db.read(async (tx) => {
    const found = await selectPlacedRounds(tx)
      .where(and(eq(budgetRounds.siteId, ctx.site.id), eq(projects.slug, input.slug), eq(budgetRounds.status, 'published')))
      .orderBy(asc(budgetRounds.position), asc(budgetRounds.id))
      .limit(50)
    const now = ctx.now().toISOString()
    const [first] = found
    if (!first) return { rounds: [], now }
    await requireVisibleProject(ctx, tx, first.project, input.preview)
    const ids = found.map(({ round }) => round.id)
    const totals = await tx
      .select({ roundId: budgetPots.roundId, total: sum(budgetPots.amount) })
      .from(budgetPots)
      .where(and(eq(budgetPots.siteId, ctx.site.id), inArray(budgetPots.roundId, ids)))
      .groupBy(budgetPots.roundId)
    const counts = await tx
      .select({ roundId: budgetOptions.roundId, total: count() })
      .from(budgetOptions)
      .where(and(eq(budgetOptions.siteId, ctx.site.id), inArray(budgetOptions.roundId, ids), eq(budgetOptions.state, 'feasible')))
      .groupBy(budgetOptions.roundId)
    const certified = await tx
      .select({ roundId: budgetResults.roundId })
      .from(budgetResults)
      .where(and(eq(budgetResults.siteId, ctx.site.id), inArray(budgetResults.roundId, ids), eq(budgetResults.state, 'certified')))
    const localise = localiseFor(ctx)
    const rounds = found.map(({ round, project }): RoundCardView => {
      const isDecided = project.status === 'archived' || certified.some(({ roundId }) => roundId === round.id)
      return {
        slug: round.slug,
        title: localise(round.title),
        intro: localise(round.intro),
        phase: getBudgetPhase(ctx.now(), round, isDecided ? { state: 'certified' } : undefined),
        opensAt: round.opensAt?.toISOString() ?? null,
        closesAt: round.closesAt?.toISOString() ?? null,
        position: round.position,
        options: counts.find(({ roundId }) => roundId === round.id)?.total ?? 0,
        total: Number(totals.find(({ roundId }) => roundId === round.id)?.total ?? 0),
        currency: round.currency,
      }
    })
    return { rounds, now }
  })
}

/** Everything that a certified result rests on, for its page and its files. */
export interface CertifiedResult extends PlacedRound {
  result: ResultRow
  pots: PotRow[]
  options: OptionRow[]
  overrides: Awaited<ReturnType<typeof loadOverrides>>
}

/** @throws {AppError} `not-found` before the result is certified; `gone` */
export async function loadCertified(ctx: Ctx, tx: Tx, address: RoundAddress): Promise<CertifiedResult> {
  const placed = await requireRoundAt(ctx, tx, address)
  const result = await findStandingResult(tx, placed.round)
  if (result?.state !== 'certified') throw new AppError('not-found')
  return {
    ...placed,
    result,
    pots: await loadPots(tx, placed.round),
    options: await loadBallotOptions(tx, placed.round),
    overrides: await loadOverrides(tx, placed.round),
  }
}

/** @param asked the pot, from 1 on, and the part of its map to show @throws {AppError} `not-found`, `gone` */
export function getBudgetResults(
  ctx: Ctx,
  address: RoundAddress,
  { pot: shown, bbox }: { pot: number; bbox?: string | undefined },
): Promise<BudgetResultsView> {
  return ctx.db.read(async (tx) => {
    const certified = await loadCertified(ctx, tx, address)
    const { round, result, pots } = certified
    const pot = pots[shown - 1]
    const counted = readPotResults(result).find(({ potId }) => potId === pot?.id)
    if (!pot || !counted) throw new AppError('not-found')
    const ledger = await findLedger(tx, 'round', round.siteId, round.id)
    const view = toPotResultView(ctx, pot, counted, certified)
    return {
      round: toRoundView(ctx, certified, result),
      pots: pots.map((one) => toPotView(ctx, one)),
      shown,
      pot: { ...view, map: await mapResult(ctx, view, certified, bbox) },
      rule: result.rule,
      other: chooseOtherRule(result.rule),
      ballots: result.ballots,
      seed: round.seed ?? '',
      seedHash: commitToSeed(round.seed ?? ''),
      countedAt: result.countedAt.toISOString(),
      certifiedAt: (result.certifiedAt ?? result.countedAt).toISOString(),
      ledger: ledger ? await readLedgerHead(tx, ledger) : null,
    }
  })
}

/** Where the options of a pot lie, with the sign of what became of each. */
function mapResult(
  ctx: Ctx,
  { rows }: Pick<PotResultView, 'rows'>,
  { options, result: { rule } }: CertifiedResult,
  bbox: string | undefined,
): Promise<OptionsMapView | null> {
  const funded = new Set(rows.flatMap(({ number, override, isFunded }) => ((override?.isFunded ?? isFunded[rule]) ? [number] : [])))
  const counted = new Set(rows.map(({ number }) => number))
  return mapOptions(ctx, {
    options: options.filter(({ number }) => counted.has(number)),
    bbox,
    signOf: ({ number }) => (funded.has(number) ? 'done' : 'not_taken_forward'),
  })
}

function toPotResultView(
  ctx: Ctx,
  pot: PotRow,
  counted: PotResult,
  { options, overrides, result: { rule } }: CertifiedResult,
): Omit<PotResultView, 'map'> {
  const localise = localiseFor(ctx)
  const byRule = <T>(read: (outcome: PotResult['outcomes'][CountingRule]) => T) =>
    Object.fromEntries(COUNTING_RULES.map((each) => [each, read(counted.outcomes[each])])) as Record<CountingRule, T>
  const own = options.filter(({ potId }) => potId === pot.id)
  const rows = counted.options.flatMap((number, at) => {
    const option = own.find((one) => one.number === number)
    if (!option) return []
    const override = overrides.find(({ optionId }) => optionId === option.id)
    return {
      number,
      title: localise(option.title),
      cost: option.cost ?? 0,
      votes: counted.outcomes[rule].votes[at] ?? 0,
      isFunded: byRule(({ funded }) => funded.includes(String(number))),
      reasons: byRule(({ reasons }) => reasons[at] ?? { kind: 'no-votes' as const }),
      delivery: option.delivery,
      deliveryNote: localise(option.deliveryNote),
      override: override ? { isFunded: override.isFunded, body: localise(override.body), reason: localise(override.reason) } : null,
    }
  })
  const { steps, shares } = counted.outcomes[rule]
  return {
    ...toPotView(ctx, pot),
    ballots: counted.ballots,
    paper: counted.paper ?? 0,
    digest: counted.digest,
    lot: counted.lot,
    rows: rows.toSorted((a, b) => Number(b.isFunded[rule]) - Number(a.isFunded[rule]) || b.votes - a.votes || a.number - b.number),
    withdrawn: own
      .filter(({ withdrawnAt }) => withdrawnAt !== null)
      .map(({ number, title, withdrawnReason }) => ({ number, title: localise(title), withdrawnReason: localise(withdrawnReason) })),
    outcomes: byRule(({ funded, cost, satisfied }) => ({ funded: funded.length, cost, satisfied })),
    steps: steps.map(({ option, isFunded, score, left, tie }) => ({
      option: Number(option),
      isFunded,
      score,
      left,
      tie: tie ? { options: tie.options.map(Number), by: tie.by } : null,
    })),
    shares: shares ?? null,
  }
}
