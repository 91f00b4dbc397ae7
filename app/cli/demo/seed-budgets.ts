import { createHash, randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { describeResult } from '#app/features/budgets/counting/check-result.ts'
import { buildElection, countPot, listOutcomes } from '#app/features/budgets/managing/count-round.server.ts'
import { describeBallot } from '#app/features/budgets/voting/ballot-rules.ts'
import { computeLeaf, enqueueEntries, openLedger, sealLedger, toHour } from '#app/features/ledger/ledger.server.ts'
import type { Position } from '#app/lib/geometry.ts'
import type { Random } from '#app/lib/random.ts'
import { createId } from '#app/lib/uuid.ts'
import { budgetBallots, budgetOptions, budgetPots, budgetResults, budgetRounds, budgetVoters } from '#app/server/db/schema/budgets.ts'
import type { DemoBudget } from './content/types.ts'
import { makeUpHash } from './insert-contributions.ts'
import { insertAll } from './insert-rows.ts'
import type { People, PlacedContent, SeedContext } from './seed-context.ts'

const MINOR = 100
const MAX_OPTIONS = 4
/** In days from now. */
const LAST_YEAR = { opens: -380, closes: -352, counted: -338, certified: -331 }
const THIS_YEAR = { opens: -6, closes: 21 }
const DONE = 3
const ENTRIES_AT_ONCE = 2000

type Round = typeof budgetRounds.$inferInsert
type Option = typeof budgetOptions.$inferSelect

/** A vote on money: last year's with its certified result, and this year's, which is open to people on a list. */
export async function seedBudgets(seeding: SeedContext, people: People, placed: PlacedContent, list: string | undefined): Promise<void> {
  const { content, calendar } = seeding
  const project = placed.projects.find((one) => one.project.slug === content.budget?.project)
  if (!content.budget || !project || !list) return
  const { budget } = content
  const year = calendar.at(0, 12).getUTCFullYear()
  const shared = {
    projectId: project.id,
    siteId: seeding.siteId,
    intro: budget.intro,
    status: 'published' as const,
    currency: 'CAD' as const,
    verification: { level: 'resident' as const, list },
  }
  await insertRound(
    seeding,
    budget,
    {
      ...shared,
      id: createId(),
      slug: `neighbourhood-fund-${year}`,
      title: budget.title(year),
      maxPots: 1,
      opensAt: calendar.at(THIS_YEAR.opens, 9),
      closesAt: calendar.at(THIS_YEAR.closes, 23, 59),
      position: 3,
      seed: makeUpSeed(`${year}`),
    },
    budget.thisYear.options,
  )
  const lastRound = {
    ...shared,
    id: createId(),
    slug: `neighbourhood-fund-${year - 1}`,
    title: budget.title(year - 1),
    ballotType: 'approve' as const,
    maxOptions: MAX_OPTIONS,
    maxPots: 1,
    opensAt: calendar.at(LAST_YEAR.opens, 9),
    closesAt: calendar.at(LAST_YEAR.closes, 23, 59),
    position: 4,
    seed: makeUpSeed(`${year - 1}`),
  }
  const { pots, options } = await insertRound(seeding, budget, lastRound, budget.lastYear.options)
  await seedResult(seeding, people, { round: lastRound, pots, options, budget })
}

const makeUpSeed = (name: string): string => createHash('sha256').update(`demo budget ${name}`).digest('hex')

async function insertRound(
  { tx, siteId }: SeedContext,
  budget: DemoBudget,
  round: Round,
  given: readonly (readonly { title: Option['title']; text?: Option['text']; place?: string; at?: Position; cost: number }[])[],
) {
  await tx.insert(budgetRounds).values(round)
  const pots = await tx
    .insert(budgetPots)
    .values(
      budget.pots.map(({ title, amount }, position) => ({
        siteId,
        id: createId(),
        roundId: round.id,
        title,
        amount: amount * MINOR,
        position,
      })),
    )
    .returning()
  const options = await tx
    .insert(budgetOptions)
    .values(
      given
        .flatMap((own, pot) => own.map((option) => ({ ...option, potId: pots[pot]?.id ?? '' })))
        .map(({ cost, at: point, ...option }, at) => ({
          ...option,
          lng: point?.[0] ?? null,
          lat: point?.[1] ?? null,
          siteId,
          id: createId(),
          roundId: round.id,
          number: at + 1,
          cost: cost * MINOR,
          state: 'feasible' as const,
        })),
    )
    .returning()
  return { pots, options }
}

interface Decided {
  round: Round & { closesAt: Date; opensAt: Date; seed: string }
  pots: (typeof budgetPots.$inferSelect)[]
  options: Option[]
  budget: DemoBudget
}

/** Last year's ballots, their count and its certification, and how the delivery of what was funded stands. */
async function seedResult(
  { tx, siteId, calendar, random }: SeedContext,
  people: People,
  { round, pots, options, budget }: Decided,
): Promise<void> {
  const { ballots: total, notes, options: given } = budget.lastYear
  const shares = given.flat().map(({ share }) => share)
  const ballots = Array.from({ length: total }, (_, at) => {
    const own = options.filter(({ potId }) => potId === pots[at % pots.length]?.id)
    return chooseOptions(random, own, shares)
  })
  const roundId = round.id
  await tx.update(budgetRounds).set({ hasBallots: true }).where(isRound(siteId, roundId))
  await insertAll(
    tx,
    budgetBallots,
    ballots.map((chosen, at) => ({
      siteId,
      id: crypto.randomUUID(),
      roundId,
      options: chosen,
      castAt: toHour(calendar.at(random.int(LAST_YEAR.opens + 1, LAST_YEAR.closes - 1), random.int(8, 21))),
      receiptHash: makeUpHash(`ballot ${at}`),
    })),
  )
  await insertAll(
    tx,
    budgetVoters,
    ballots.map((_, at) => ({ siteId, roundId, personHash: makeUpHash(`voter ${at}`), isCounted: true })),
  )
  const lines = ballots.map((chosen) => ({ options: chosen, points: null }))
  const elections = pots.map(async (pot) => ({
    pot,
    election: await buildElection({ threshold: 0, seed: round.seed }, pot, options, lines),
  }))
  const counted = (await Promise.all(elections)).map(countPot)
  const ledger = await openLedger(tx, 'round', siteId, roundId)
  const entries = ballots.map((chosen) => ({
    kind: 'added' as const,
    leaf: computeLeaf(randomBytes(32).toString('hex'), describeBallot(chosen, null)),
  }))
  for (let from = 0; from < entries.length; from += ENTRIES_AT_ONCE)
    await enqueueEntries(tx, ledger, entries.slice(from, from + ENTRIES_AT_ONCE), round.closesAt)
  await sealLedger(tx, ledger, describeResult(total, listOutcomes({ pots: counted, rule: 'equal-shares' })))
  await tx.insert(budgetResults).values({
    siteId,
    id: createId(),
    roundId,
    state: 'certified',
    rule: 'equal-shares',
    pots: counted,
    ballots: total,
    countedAt: calendar.at(LAST_YEAR.counted, 10),
    countedBy: people.accounts.siteAdmin.id,
    certifiedAt: calendar.at(LAST_YEAR.certified, 14),
    certifiedBy: people.accounts.hubAdmin.id,
  })
  const funded = counted.flatMap(({ outcomes }) => outcomes['equal-shares'].funded.map(Number))
  for (const [at, number] of funded.entries()) {
    const [delivery, deliveryNote] =
      at < DONE
        ? (['done', notes.done] as const)
        : at < DONE * 2
          ? (['under_way', notes.underWay] as const)
          : (['planned', notes.planned] as const)
    await tx
      .update(budgetOptions)
      .set({ delivery, deliveryNote })
      .where(and(eq(budgetOptions.siteId, siteId), eq(budgetOptions.roundId, roundId), eq(budgetOptions.number, number)))
  }
}

const isRound = (siteId: string, id: string) => and(eq(budgetRounds.siteId, siteId), eq(budgetRounds.id, id))

/** A ballot of at least one option, at most as many as the round allows. */
function chooseOptions(random: Random, own: readonly Option[], shares: readonly number[]): number[] {
  const liked = random.shuffle(own.filter(({ number }) => random.chance(shares[number - 1] ?? 0))).slice(0, MAX_OPTIONS)
  const chosen = liked.length > 0 ? liked : [random.pick(own)]
  return chosen.map(({ number }) => number).toSorted((a, b) => a - b)
}
